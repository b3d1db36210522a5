// Explicit Runge-Kutta steps with error estimate and dense output. Nothing is allocated after construction.
//
//     ExplicitRungeKutta engine(find_tableau("dormand-prince"), n);
//     engine.step(rhs, t, h, y0, y1);                          // status; again with another h: Start::same
//     engine.error(e);
//     engine.dense_output(rhs, dense), dense.value(i, theta);
//     engine.step(rhs, t + h, h, y1, y2, Start::continued);    // k_1 is known already
//
// Contact forces, that is the half-explicit method: see right_hand_side.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/runge_kutta/tableau.hpp"
#include "runge_kutta/dense_output.hpp"
#include "runge_kutta/right_hand_side.hpp"

namespace ricochet {

// What a processor calculates with at once: a double is one part, Lanes are two. Sums go part by part, in registers.
template <class Value>
struct Parts {
  using Part = Value;
  static constexpr int count = 1;
  static Part* of(Value* x) { return x; }
  static const Part* of(const Value* x) { return x; }
};
template <>
struct Parts<Lanes> {
  using Part = Lanes::Part;
  static constexpr int count = part_count;
  static Part* of(Lanes* x) { return x->part; }
  static const Part* of(const Lanes* x) { return x->part; }
};

// A row of a table without its zeros: Σ w_i k_i, k by rows of length n.
class SparseRow {
 public:
  SparseRow() = default;
  SparseRow(const double* w, int count) {
    for (int i = 0; i < count; ++i)
      if (w[i] != 0.0) terms_.push_back({i, w[i]});
  }
  // use(j, the sum of component j) for all components. A few of them are added up at a time, in registers.
  template <class Part, class Use>
  void sum(const Part* k, int n, const Use& use) const {
    int j = 0;
    for (; n - j >= 4; j += 4) sum<4>(k, n, j, use);
    if (n - j == 3) return sum<3>(k, n, j, use);
    if (n - j == 2) return sum<2>(k, n, j, use);
    if (n - j == 1) sum<1>(k, n, j, use);
  }

 private:
  template <int m, class Part, class Use>
  void sum(const Part* k, int n, int j, const Use& use) const {
    Part sums[m] = {};
    for (const Term& term : terms_) {
      const Part* row = k + term.stage * n + j;
      for (int i = 0; i < m; ++i) sums[i] += term.weight * row[i];
    }
    for (int i = 0; i < m; ++i) use(j + i, sums[i]);
  }
  struct Term {
    int stage;
    double weight;
  };
  std::vector<Term> terms_;
};

// Σ_{i < m} w_i k_i of one component, k by rows of length n. Count: int, or a constant to have the sum unrolled.
template <class Count, class Value>
inline Value weighted(Count m, const double* w, const Value* k, int n) {
  Value sum = w[0] * k[0];
  for (int i = 1; i < m; ++i) sum += w[i] * k[i * n];
  return sum;
}

// Value: double, or Lanes for the steps of several motions side by side, each with its own t and h.
template <class Value>
class ExplicitSteps {
 public:
  // n: length of y; outputs: what the right-hand side hands out at each stage (see right_hand_side.hpp).
  ExplicitSteps(const Tableau& tableau, int n, int outputs = 0)
      : tableau_(&tableau), n_(n), stages_(tableau.stages), outputs_(outputs) {
    if (!tableau.is_explicit)
      throw InputError("scheme.tableau", std::string(tableau.name) + " is implicit; an explicit table is needed");
    end_row_ = tableau.first_same_as_last ? stages_ - 1 : stages_;
    seven_ = stages_ == 7 && end_row_ == 6;
    for (std::size_t i = 0; i < tableau.b_embedded.size(); ++i) e_.push_back(tableau.b[i] - tableau.b_embedded[i]);
    for (std::size_t i = 0; i < tableau.b_low.size(); ++i) e_low_.push_back(tableau.b[i] - tableau.b_low[i]);
    if (!seven_) keep_rows();
    k_.assign(static_cast<std::size_t>((tableau.all_stages() + 1) * n), Value(0.0));
    stage_outputs_.assign(static_cast<std::size_t>((tableau.all_stages() + 1) * outputs), Value(0.0));
    trial_outputs_.assign(outputs, Value(0.0));
    y0_.assign(n, Value(0.0));
    y1_ = y_ = y0_;
  }

  const Tableau& tableau() const { return *tableau_; }
  int size() const { return n_; }
  bool has_error() const { return !e_.empty(); }
  long evaluations() const { return evaluations_; }

  // y1 = y0 + h Σ b_i k_i. y1 may be y0; unless done it is left as it was.
  template <class Rhs>
  OdeStatus step(Rhs& rhs, double t, double h, const double* y0, double* y1, Start start = Start::fresh) {
    t0_ = t, h_ = h;
    lanes_ = nullptr;
    copy(n_, y0, y0_.data());
    if (!first_stage(rhs, start)) return OdeStatus::evaluation_failed;
    end_known_ = false;
    if (!inner_stages(rhs)) return OdeStatus::evaluation_failed;
    if (!is_finite(n_, y1_.data())) return OdeStatus::not_finite;
    if (end_row_ < stages_ && !evaluate_end(rhs)) return OdeStatus::evaluation_failed;
    copy(n_, y1_.data(), y1);
    return OdeStatus::done;
  }

  // The same in lanes: each is set, with its k_1 from begin_lane() of the engine whose step it is; all make their
  // steps; and that engine takes its own as if it had made it, for the polynomial before the next ones are made. False:
  // a stage could not be evaluated in one of them.
  template <class Rhs>
  bool begin_lane(Rhs& rhs, double t, double h, const double* y0, Start start) {
    t0_ = t, h_ = h;
    lanes_ = nullptr;
    copy(n_, y0, y0_.data());
    return first_stage(rhs, start);
  }
  void set_lane(int l, const ExplicitSteps<double>& from) {
    t0_.set(l, from.t0_), h_.set(l, from.h_);
    for (int j = 0; j < n_; ++j) y0_[j].set(l, from.y0_[j]), k_[j].set(l, from.k_[j]);
  }
  template <class Rhs>
  bool step_lanes(Rhs& rhs) {
    end_known_ = false;
    return inner_stages(rhs) && (end_row_ == stages_ || evaluate_end(rhs));
  }
  OdeStatus take_lane(int l, const ExplicitSteps<Lanes>& from, double* y1) {
    end_known_ = from.end_known_;
    lanes_ = &from, lane_ = l;
    double zero = 0.0;
    for (int j = 0; j < n_; ++j) y1_[j] = from.y1_[j][l], zero += 0.0 * y1_[j];
    for (int j = end_row_ * n_; j < (end_row_ + 1) * n_ && end_known_; ++j) k_[j] = from.k_[j][l];
    if (zero != 0.0) return OdeStatus::not_finite;  // NaN too
    copy(n_, y1_.data(), y1);
    return OdeStatus::done;
  }

  // e = h Σ (b_i − b̂_i) k_i, only for tables with an embedded result; the same with the one of an order lower still.
  void error(Value* e) const { seven_ ? error_of_seven(e) : error(error_row_, e); }
  bool has_low_error() const { return !e_low_.empty(); }
  void low_error(Value* e) const { error(low_error_row_, e); }

  // k_1 = f(t, y0) ahead of a step from there with Start::same.
  template <class Rhs>
  bool evaluate_start(Rhs& rhs, double t, const double* y0) {
    end_known_ = false;
    lanes_ = nullptr;
    return first_known_ = stage(rhs, 0, t, y0);
  }

  // f(t₁, y₁), if it is not yet known: the next step needs it anyway.
  template <class Rhs>
  bool evaluate_end(Rhs& rhs) {
    if (!end_known_) end_known_ = stage(rhs, end_row_, t0_ + h_, y1_.data());
    return end_known_;
  }

  // dy = f(t, y) anywhere: counted, and the stages are left alone.
  template <class Rhs>
  bool evaluate_trial(Rhs& rhs, double t, const double* y, double* dy) {
    ++evaluations_;
    return evaluate(rhs, t, y, dy, trial_outputs_.data());
  }

  // The last step as a polynomial: order 4 for dormand-prince, 7 for dop853, the cubic Hermite interpolant otherwise.
  // False if f(t₁, y₁), or a stage that only the polynomial needs, cannot be evaluated.
  template <class Rhs>
  bool dense_output(Rhs& rhs, DenseOutput& dense) {
    if (lanes_ != nullptr) take_stages();
    if (!evaluate_end(rhs)) return false;
    const int more = tableau_->all_stages() - stages_;
    for (int i = 0; i < more; ++i)
      if (!dense_stage(rhs, i)) return false;
    dense.begin(t0_, h_, more > 0 ? 7 : 4);
    if (more > 0) {
      fill_seven(dense);
    } else {
      seven_ ? fill(Constant<7>(), dense) : fill(stages_, dense);
    }
    return true;
  }

  // The ends of the last step: y and f there.
  struct Ends {
    double h;
    const double *y0, *f0, *y1, *f1;
  };
  Ends ends() const { return {h_, y0_.data(), k_.data(), y1_.data(), end_derivative()}; }

  // Where the polynomial takes stages of its own: a rough one without them, of y = (q, v, …) with q' = v, the first 2nq
  // components. q is Hermite's quintic through q, v and v' at both ends; of v there is the begin alone.
  bool has_rough_output() const { return tableau_->all_stages() > stages_; }
  void rough_output(int nq, DenseOutput& dense) const {
    dense.begin(t0_, h_, 7);
    const double h = h_, *f0 = k_.data(), *f1 = end_derivative();
    for (int i = 0; i < nq; ++i) {
      const double rise = y1_[i] - y0_[i], s0 = h * f0[i], s1 = h * f1[i];
      const double b0 = h * h * f0[nq + i], b1 = h * h * f1[nq + i];
      double* p = dense.coefficients(i);
      p[0] = y0_[i];
      p[1] = s0;
      p[2] = 0.5 * b0;
      p[3] = 10.0 * rise - 6.0 * s0 - 4.0 * s1 - 1.5 * b0 + 0.5 * b1;
      p[4] = -15.0 * rise + 8.0 * s0 + 7.0 * s1 + 1.5 * b0 - b1;
      p[5] = 6.0 * rise - 3.0 * s0 - 3.0 * s1 - 0.5 * b0 + 0.5 * b1;
      p[6] = p[7] = 0.0;
      dense.coefficients(nq + i)[0] = y0_[nq + i];
    }
  }

  const Value* stage_derivative(int i) const { return k_.data() + i * n_; }
  const Value* stage_output(int i) const { return stage_outputs_.data() + i * outputs_; }
  const Value* end_derivative() const { return stage_derivative(end_row_); }  // after evaluate_end
  const Value* end_output() const { return stage_output(end_row_); }
  const Value* begin_state() const { return y0_.data(); }  // of the last step
  const Value* end_state() const { return y1_.data(); }

 private:
  template <class>
  friend class ExplicitSteps;
  template <int m>
  using Constant = std::integral_constant<int, m>;
  using Part = typename Parts<Value>::Part;
  static Part* parts_of(std::vector<Value>& x) { return Parts<Value>::of(x.data()); }
  static const Part* parts_of(const std::vector<Value>& x) { return Parts<Value>::of(x.data()); }

  template <class Rhs>
  bool first_stage(Rhs& rhs, Start start) {
    if (start == Start::same && first_known_) return true;
    if (start == Start::continued && end_known_) {
      copy(n_, end_derivative(), k_.data());
      copy(outputs_, end_output(), stage_outputs_.data());
      return first_known_ = true;
    }
    return first_known_ = stage(rhs, 0, t0_, y0_.data());
  }

  void take_stages() {
    for (int j = n_; j < end_row_ * n_; ++j) k_[j] = lanes_->k_[j][lane_];
    lanes_ = nullptr;
  }

  // The rows of the table, each without the place before the diagonal, which inner_stage() adds last.
  void keep_rows() {
    const Tableau& table = *tableau_;
    for (int i = 0; i < stages_; ++i) rows_.emplace_back(table.A.data() + i * stages_, std::max(i - 1, 0));
    result_row_ = SparseRow(table.b.data(), end_row_);
    if (!e_.empty()) error_row_ = SparseRow(e_.data(), stages_);
    if (!e_low_.empty()) low_error_row_ = SparseRow(e_low_.data(), stages_);
    const int all = table.all_stages(), more = all - stages_;
    for (int i = 0; i < more; ++i) dense_rows_.emplace_back(table.A_dense.data() + i * all, stages_ + i);
    for (int r = 0; r < 4 && more > 0; ++r) path_rows_.emplace_back(table.dense.data() + r * all, all);
  }

  // The stages after the first, and y₁. Unrolled for the table of seven stages whose last one is shared.
  template <class Rhs>
  bool inner_stages(Rhs& rhs) {
    if (seven_ && n_ == 2) return inner_stages(rhs, Constant<2>(), std::make_integer_sequence<int, 5>());
    if (seven_) return inner_stages(rhs, n_, std::make_integer_sequence<int, 5>());
    constexpr int parts = Parts<Value>::count;
    const int n = parts * n_;
    const Part *k = parts_of(k_), *y0 = parts_of(y0_), *h = Parts<Value>::of(&h_);
    Part *y = parts_of(y_), *y1 = parts_of(y1_);
    for (int i = 1; i < end_row_; ++i) {
      const double a = tableau_->A[static_cast<std::size_t>(i * stages_ + i - 1)];
      const Part* last = k + (i - 1) * n;
      rows_[static_cast<std::size_t>(i)].sum(k, n, [=](int j, const Part& early) {
        const Part& own = h[j % parts];
        y[j] = (y0[j] + own * early) + (own * a) * last[j];
      });
      if (!stage(rhs, i, t0_ + tableau_->c[i] * h_, y_.data())) return false;
    }
    result_row_.sum(k, n, [=](int j, const Part& sum) { y1[j] = y0[j] + h[j % parts] * sum; });
    return true;
  }
  template <class Rhs, class Size, int... i>
  bool inner_stages(Rhs& rhs, Size n, std::integer_sequence<int, i...>) {
    if (!(inner_stage(rhs, n, Constant<i + 1>()) && ...)) return false;
    result(n, Constant<6>());
    return true;
  }

  // Y_i = y₀ + h Σ_{j < i} a_ij k_j and k_i. All but the last term are added up before k_{i−1} is there: the way from
  // stage to stage is shorter.
  template <class Rhs, class Size, class Index>
  bool inner_stage(Rhs& rhs, Size n, Index i) {
    const int last = i - 1;
    const double* a = tableau_->A.data() + i * stages_;
    const Value h = h_, weight = h * a[last], *k = k_.data(), *y0 = y0_.data();
    Value* y = y_.data();
    each_component(n, [=](int j) {
      const Value early = last > 0 ? y0[j] + h * weighted(last, a, k + j, n) : y0[j];
      y[j] = early + weight * k[last * n + j];
    });
    return stage(rhs, i, t0_ + tableau_->c[i] * h, y);
  }

  // y₁, rounded once at its own size.
  template <class Size, class Count>
  void result(Size n, Count m) {
    const double* b = tableau_->b.data();
    const Value h = h_, *k = k_.data(), *y0 = y0_.data();
    Value* y1 = y1_.data();
    each_component(n, [=](int j) { y1[j] = y0[j] + h * weighted(m, b, k + j, n); });
  }

  template <class Rhs>
  bool stage(Rhs& rhs, int i, const Value& t, const Value* y) {
    ++evaluations_;
    return evaluate(rhs, t, y, k_.data() + i * n_, stage_outputs_.data() + i * outputs_);
  }

  void error_of_seven(Value* e) const {
    const int n = n_;
    const Value h = h_, *k = k_.data();
    const double* w = e_.data();
    each_component(n, [=](int j) { e[j] = h * weighted(Constant<7>(), w, k + j, n); });
  }
  void error(const SparseRow& row, Value* e) const {
    constexpr int parts = Parts<Value>::count;
    Part* to = Parts<Value>::of(e);
    const Part* h = Parts<Value>::of(&h_);
    row.sum(parts_of(k_), parts * n_, [=](int j, const Part& sum) { to[j] = h[j % parts] * sum; });
  }

  // The i-th of the stages for the polynomial.
  template <class Rhs>
  bool dense_stage(Rhs& rhs, int i) {
    const double h = h_, *y0 = y0_.data();
    double* y = y_.data();
    dense_rows_[static_cast<std::size_t>(i)].sum(k_.data(), n_, [=](int j, double sum) { y[j] = y0[j] + h * sum; });
    return stage(rhs, stages_ + i, t0_ + tableau_->c_dense[static_cast<std::size_t>(i)] * h, y);
  }

  // Hermite's cubic + θ²(1−θ)² (C₀ + C₁θ + C₂θ² + C₃θ³), with C₀ = B₀, C₁ = B₁ + B₂, C₂ = B₃ − B₂, C₃ = −B₃.
  void fill_seven(DenseOutput& dense) const {
    fill(0, dense);
    // B goes where p will be: its last four places are free so far.
    for (int r = 0; r < 4; ++r)
      path_rows_[static_cast<std::size_t>(r)].sum(
          k_.data(), n_, [&, h = h_](int j, double sum) { dense.coefficients(j)[4 + r] = h * sum; });
    for (int j = 0; j < n_; ++j) {
      double* p = dense.coefficients(j);
      const double C[4] = {p[4], p[5] + p[6], p[7] - p[6], -p[7]};
      for (int r = 4; r < DenseOutput::width; ++r) p[r] = 0.0;
      for (int r = 0; r < 4; ++r) {
        p[r + 2] += C[r];
        p[r + 3] -= 2.0 * C[r];
        p[r + 4] += C[r];
      }
    }
  }

  // m: how many stages have a weight in the one row of the table; 0: none.
  template <class Count>
  void fill(Count m, DenseOutput& dense) const {
    const int n = n_;
    const bool hermite = m == 0 || tableau_->dense.empty();
    const double h = h_, *d = tableau_->dense.data(), *k = k_.data(), *f1 = end_derivative();
    const double *y0 = y0_.data(), *y1 = y1_.data();
    double* coefficients = dense.coefficients(0);
    each_component(n, [=](int j) {
      const double rise = y1[j] - y0[j], slope0 = h * k[j], slope1 = h * f1[j];
      const double bubble = hermite ? 0.0 : h * weighted(m, d, k + j, n);
      double* p = coefficients + j * DenseOutput::width;
      p[0] = y0[j];
      p[1] = slope0;
      p[2] = 3.0 * rise - 2.0 * slope0 - slope1 + bubble;
      p[3] = slope0 + slope1 - 2.0 * rise - 2.0 * bubble;
      p[4] = bubble;
    });
  }

  const Tableau* tableau_;
  int n_, stages_, outputs_, end_row_ = 0;
  bool seven_ = false;
  std::vector<double> e_, e_low_;                         // b − b̂
  std::vector<SparseRow> rows_, dense_rows_, path_rows_;  // of all tables but the one of seven stages
  SparseRow result_row_, error_row_, low_error_row_;
  std::vector<Value> k_, stage_outputs_;  // by stages; the row after the last is f(t₁, y₁)
  std::vector<Value> y0_, y1_, y_, trial_outputs_;
  Value t0_ = 0.0, h_ = 0.0;
  bool first_known_ = false, end_known_ = false;
  const ExplicitSteps<Lanes>* lanes_ = nullptr;  // who has the stages of the last step, and where
  int lane_ = 0;
  long evaluations_ = 0;
};

using ExplicitRungeKutta = ExplicitSteps<double>;

}  // namespace ricochet
