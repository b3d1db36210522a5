// M(t, q) and its factors, made anew only where M changes.
#pragma once

#include <vector>

#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

template <class Value>
class MassFactors {
 public:
  explicit MassFactors(const Mechanics<Value>& model)
      : model_(model), M_(static_cast<std::size_t>(model.layout().mass.size()), Value(0.0)) {
    const Pattern& mass = model.layout().mass;
    factors_.resize(model.nq(), {&mass});
    for (int j = 0; j < mass.cols; ++j)
      for (int k = mass.start[j]; k < mass.start[j + 1]; ++k)
        if (mass.row[k] == j) diagonal_.push_back(k);
  }

  // False where M is not positive definite.
  bool place(const Value& t, const Value* q) {
    return (ready_ && model_.layout().structure.constant_mass) || factorise(t, q);
  }

  // The model's values have changed.
  void forget() { ready_ = false; }

  const Value* values() const { return M_.data(); }
  const IterationMatrix<Value>& factors() const { return factors_; }
  void solve(Value* x) const { factors_.solve(x); }

 private:
  [[gnu::noinline]] bool factorise(const Value& t, const Value* q) {
    model_.mass(t, q, M_.data());
    factors_.set_zero();
    factors_.add(0, M_.data(), Value(1.0));
    return ready_ = all(factors_.factorise()) && is_definite();
  }

  // The factors tell, unless rows were swapped; a pivot that elimination has taken down to round-off counts as zero.
  bool is_definite() {
    if (factors_.is_sparse()) return factors_.is_definite();
    if (factors_.dense().swapped()) return all(test_(model_.layout().mass, M_.data()));
    Mask<Value> positive = true;
    for (int k = 0; k < model_.nq(); ++k) {
      const Value& inverse = factors_.dense().inverse_pivot(k);
      positive = positive & (inverse > Value(0.0)) & (Value(1e-14) * M_[diagonal_[k]] * inverse < Value(1.0));
    }
    return all(positive);
  }

  const Mechanics<Value>& model_;
  std::vector<Value> M_;
  std::vector<int> diagonal_;  // of M
  IterationMatrix<Value> factors_;
  DefinitenessTest<Value> test_;
  bool ready_ = false;
};

}  // namespace ricochet
