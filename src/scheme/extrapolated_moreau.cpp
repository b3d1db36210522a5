// Moreau's midpoint scheme, extrapolated where the motion is smooth [Studer, Leine, Glocker 2008].
//
//   T_j1: n_j = j steps of h/j of moreau-jean with θ = γ_f = ½, j = 1 … k
//   T_ji = T_j,i−1 + (T_j,i−1 − T_j−1,i−1) / ((n_j/n_j−i+1)² − 1)                                (Aitken-Neville in h²)
//   x₁ = T_kk if all contacts and frictions did the same in all of the steps and the errors of T_j1 shrink, else T_k1
//
// The base is symmetric, so its error has an expansion in h² as long as the motion is smooth: in flight, and also where
// contacts hold U = 0 from begin to end, sticking or sliding along a line. Not so where one slides in space, since the
// direction is that at the end of a step, nor where a rate has to be met first. Works of the forces and of friction are
// integrals along the motion: they are columns of the same table. x₁ is brought back onto the joints.
//
// Of an oscillation that the step does not resolve extrapolation makes more, with k = 3 and hω = 3 by 3 % in each step,
// where the midpoint scheme keeps it as it is. The rows tell: with an expansion in h²
//   ‖T_j+1,1 − T_j1‖ / ‖T_j1 − T_j−1,1‖ → (1/j² − 1/(j+1)²) / (1/(j−1)² − 1/j²),   without resolution → 1,
// the norm being that of the kinetic energy of Δv and Δq/h.
#include "ricochet/scheme/extrapolated_moreau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/joint_forces.hpp"
#include "core/zeros.hpp"
#include "scheme/describe.hpp"
#include "scheme/kernel/motion_vector.hpp"
#include "scheme/kernel/velocity/trial_steps.hpp"

namespace ricochet {
namespace {

class ExtrapolatedStepper final : public Stepper {
 public:
  ExtrapolatedStepper(const Model& model, const ExtrapolatedMoreau& scheme, const ComplementaritySettings& solver)
      : model_(model),
        motion_(model),
        joints_(model),
        contacts_(static_cast<std::size_t>(model.nc())),
        table_(static_cast<std::size_t>(scheme.columns), zeros(motion_.motion_size() + works)) {
    for (int j = 1; j <= scheme.columns; ++j)
      bases_.push_back(std::make_unique<TrialSteps>(model, VelocityRule{}, solver, j));
  }

  void begin(const State& state) override {
    for (const auto& base : bases_) base->begin(state);
    contacts_.clear();
    did_ = std::numeric_limits<double>::infinity();
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    Smoothness smoothness = Smoothness::smooth;
    for (const auto& base : bases_) {
      const FailureKind failure = base->run(state, h, t_end, &contacts_);
      if (failure != FailureKind::none) {
        failed_ = base.get();
        return failure;
      }
      smoothness = std::min(smoothness, base->smoothness(*bases_.front()));
    }
    finest().stepper().remember(contacts_);
    if (smoothness != Smoothness::smooth) return keep_finest(state, report);
    fill_table();
    if (!errors_shrink(state, h)) return keep_finest(state, report);
    extrapolate();
    const double* x = table_.back().data();
    motion_.unpack(x, state);
    state.t = t_end;
    finest().keep(report, works_of(x + motion_.motion_size()));
    return joints_.wanted() ? joints_.project(t_end, state.q.data(), state.v.data()) : FailureKind::none;
  }
  void reactions(const State&, double* lambda) override { finest().reactions(lambda); }

  std::string failure_detail() const override {
    return (failed_ != nullptr ? *failed_ : *bases_.back()).stepper().failure_detail();
  }
  StepCounts counts() const override {
    StepCounts sum;
    for (const auto& base : bases_) sum += base->stepper().counts();
    return sum;
  }

 private:
  static constexpr int works = 4;
  TrialSteps& finest() { return *bases_.back(); }
  FailureKind keep_finest(State& state, StepReport& report) {
    finest().keep(report);
    state = finest().end();
    return FailureKind::none;
  }

  // Row j: q, v, z at the end of base j, and the works.
  void fill_table() {
    for (std::size_t j = 0; j < bases_.size(); ++j) {
      const LedgerTerms<double> terms = bases_[j]->ledger();
      motion_.pack(bases_[j]->end(), table_[j]);
      double* x = table_[j].data() + motion_.motion_size();
      x[0] = terms.input, x[1] = terms.damping, x[2] = terms.impact, x[3] = terms.friction;
    }
  }
  static LedgerTerms<double> works_of(const double* x) {
    return {.input = x[0], .damping = x[1], .impact = x[2], .friction = x[3]};
  }

  // The differences of the rows as above, but for a quarter; where there is but one, at most a tenth of what the forces
  // did in this step or the last, as in one alone they may cancel. What is little beside that does no harm, and may be
  // in any ratio where the terms of h² and h⁴ cancel.
  bool errors_shrink(const State& begin, double h) {
    constexpr double first = 0.1, slack = 1.25, little = 1e-4;
    const auto error = [](double j) { return 1.0 / (j * j); };
    const int nq = static_cast<int>(begin.q.size());
    if (!has_mass_) model_.mass(begin.t, begin.q.data(), M_.data());
    has_mass_ = model_.layout().structure.constant_mass;
    const auto difference = [&](const double* a, const auto& b) {
      for (int i = 0; i < 2 * nq; ++i) dx_[i] = i < nq ? (a[i] - b(i)) / h : a[i] - b(i);
      const Pattern& mass = model_.layout().mass;
      return std::sqrt(bilinear(mass, M_.data(), dx_.data(), dx_.data()) +
                       bilinear(mass, M_.data(), dx_.data() + nq, dx_.data() + nq));
    };
    const auto free = [&](int i) { return i < nq ? begin.q[i] + h * begin.v[i] : begin.v[i - nq]; };
    const double did = difference(table_[0].data(), free), forces = std::max(did, std::exchange(did_, did));
    double allowed = table_.size() == 2 ? first * forces : std::numeric_limits<double>::infinity();
    for (std::size_t j = 1; j < table_.size(); ++j) {
      const double now = difference(table_[j].data(), [&](int i) { return table_[j - 1][i]; });
      if (now > std::max(allowed, little * forces)) return false;
      const double n = static_cast<double>(j);
      allowed = slack * now * (error(n + 1) - error(n + 2)) / (error(n) - error(n + 1));
    }
    return true;
  }

  // Column after column; the last row ends as T_kk.
  void extrapolate() {
    const std::size_t rows = bases_.size();
    for (std::size_t i = 1; i < rows; ++i)
      for (std::size_t j = rows - 1; j >= i; --j) {
        const double ratio = static_cast<double>(j + 1) / static_cast<double>(j + 1 - i);
        const double weight = 1.0 / (ratio * ratio - 1.0);
        std::vector<double>&x = table_[j], &coarser = table_[j - 1];
        for (std::size_t k = 0; k < x.size(); ++k) x[k] += weight * (x[k] - coarser[k]);
      }
  }

  const Model& model_;
  const MotionVector motion_;
  JointForces joints_;
  std::vector<double> M_ = zeros(model_.layout().mass.size()), dx_ = zeros(2 * model_.nq());
  bool has_mass_ = false;  // M is constant, and has been asked for
  double did_ = 0.0;       // what the forces did to the motion in the last step that could be extrapolated
  std::vector<ContactMemory> contacts_;  // where the step begins
  std::vector<std::vector<double>> table_;
  std::vector<std::unique_ptr<TrialSteps>> bases_;
  const TrialSteps* failed_ = nullptr;
};

}  // namespace

void describe(ParameterTable& table, ExtrapolatedMoreau& scheme) {
  table("columns", "k", "columns of the extrapolation, a whole number; 1 is moreau-jean", scheme.columns,
        {.lower = 1.0, .upper = 6.0});
}

ExtrapolatedMoreau::operator Scheme() const { return scheme_of("extrapolated-moreau", *this); }

template <>
SchemeEntry scheme_entry<ExtrapolatedMoreau>() {
  return {
      .name = "extrapolated-moreau",
      .summary = "Moreau's midpoint scheme, extrapolated to high order where the motion is smooth",
      .explanation =
          "Each step is made in 1, 2, …, columns equal parts with the midpoint scheme (moreau-jean with theta = "
          "forecast = 1/2). Where contacts and frictions do the same in all of them, open, closed, sticking or sliding "
          "along a line, the results are extrapolated, and the motion is of order 2·columns; otherwise, and where a "
          "contact slides in space, the finest one counts as it is. So flight between impacts, rest and sliding are as "
          "good as exact with steps of ordinary size, and impacts are as robust, and of order one, as in moreau-jean. "
          "It pays where the flights are long or the forces nonlinear. The energy account has no identity of its own: "
          "its numerical part is what is left over.",
      .order =
          "2·columns in free flight and lasting contact (6 by default); 1 across impacts (position in the sup norm, "
          "velocity in L1)",
      .literature =
          "C. Studer, R. I. Leine, C. Glocker, Step size adjustment and extrapolation for time-stepping schemes in "
          "non-smooth dynamics, Int. J. Numer. Meth. Engng. 76 (2008) 1747, doi:10.1002/nme.2383",
      .flight_order = 6.0,
      .parameters = parameters_of<ExtrapolatedMoreau>(),
      .traits = always<Traits{.takes_states = true, .takes_friction = true, .energy_identity = false}>,
      .make = make_as<ExtrapolatedMoreau, ExtrapolatedStepper>,
  };
}

}  // namespace ricochet
