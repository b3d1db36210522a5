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
    factors_.resize(model.nq(), {&model.layout().mass});
  }

  // False where M has no factors; with `checked`, where it is not symmetric and positive definite.
  bool place(const Value& t, const Value* q, bool checked = false) {
    return (ready_ && model_.layout().structure.constant_mass) || factorise(t, q, checked);
  }

  const Value* values() const { return M_.data(); }
  const IterationMatrix<Value>& factors() const { return factors_; }
  void solve(Value* x) const { factors_.solve(x); }

 private:
  [[gnu::noinline]] bool factorise(const Value& t, const Value* q, bool checked) {
    model_.mass(t, q, M_.data());
    factors_.set_zero();
    factors_.add(0, M_.data(), Value(1.0));
    return ready_ = (!checked || all(is_definite_(model_.layout().mass, M_.data()))) && all(factors_.factorise());
  }

  const Mechanics<Value>& model_;
  std::vector<Value> M_;
  IterationMatrix<Value> factors_;
  DefinitenessTest<Value> is_definite_;
  bool ready_ = false;
};

}  // namespace ricochet
