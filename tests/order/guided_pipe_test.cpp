// The tube of L. Paoli, Phil. Trans. R. Soc. A 359 (2001) 2405, section 3(c): clamped, shaken near the clamp, in a
// guide with play. Impacts come in bursts; after some of them two runs that differ a little no longer agree in time,
// but they do in the mean.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ricochet/model/finite_elements.hpp"
#include "ricochet/model/linear.hpp"
#include "ricochet/model/modal.hpp"
#include "support/accurate_references.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

constexpr double play = 5e-4, restitution = 0.5;

BeamGeometry tube(int elements) {
  return {.length = 1.5,
          .young = 210e9,
          .inertia = 4.636990756698535e-09,
          .area = 0.00011309733552923256,
          .density = 7850.0,
          .elements = elements,
          .left = Support::fixed};
}

double force(double t) { return 60.0 * std::sin(36.0 * std::numbers::pi * t); }

struct GuidedPipe {
  explicit GuidedPipe(int elements) : field(beam_differences(tube(elements))) {
    const SparseVector guide = field.at(0.9);
    SparseVector against = guide;
    for (auto& [i, weight] : against) weight = -weight;
    model = linear({.coordinates = field.names,
                    .mass = field.mass,
                    .stiffness = field.stiffness,
                    .loads = {{field.at(0.3), force}},
                    .gaps = {{"lower", guide, play, restitution}, {"upper", against, play, restitution}},
                    .observations = {{"tip", field.at(1.5)}}});
  }

  Solution run(const Scheme& scheme, double until, double h, std::uint64_t record_every = 1) const {
    const std::size_t n = field.names.size();
    Solution solution = simulate(*model, {.q = std::vector<double>(n), .v = std::vector<double>(n)}, {0.0, until},
                                 scheme, {.h = h, .record_every = record_every});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    return solution;
  }

  Field field;
  std::unique_ptr<Model> model;
};

const Scheme position_scheme = PaoliSchatzman{.force = PaoliSchatzman::Force::newmark};

// Our own modes of the tube are those of the reference: ω and the shapes at guide and shaker (G has φᵀφ = L).
TEST(GuidedPipe, SixModesAreThoseOfTheReference) {
  const Field field = beam(tube(50));
  const ModalBasis basis = lowest_modes(field.stiffness, field.mass, 6);
  const double omega[] = {51.752934662293825, 324.3301052982941,  908.1336861634287,
                          1779.5795763623667, 2941.7725504314685, 4394.498802569325};
  const double at_guide[] = {0.9222691074844012,  1.1789518769389125, -0.9475304829878284,
                             -0.6529899506315521, 1.4005088024230767, -0.22219655330779964};
  for (int mode = 0; mode < 6; ++mode) {
    EXPECT_NEAR(basis.omega[mode] / omega[mode], 1.0, 2e-5) << mode;
    double shape = 0.0;
    for (const auto& [i, weight] : field.at(0.9)) shape += weight * basis.shape(i, mode);
    EXPECT_NEAR(std::abs(shape) * std::sqrt(1.3317211258567134), std::abs(at_guide[mode]), 1e-4) << mode;
  }
}

// Until the third impact, at 15.4 ms, and a flight after it.
TEST(GuidedPipe, PositionSchemeConvergesToTheSixModeReference) {
  const testing::AccurateReference reference = testing::guided_pipe();
  const auto model = lagrangian(reference.problem.description);
  const auto error = [&](double h) {
    double worst = 0.0;
    for (std::size_t k = 0; k < 5; ++k) {
      const testing::ReferencePoint& point = reference.problem.points[k];
      const Solution solution =
          simulate(*model, reference.problem.start, {0.0, point.t}, position_scheme, {.h = h, .record_every = 0});
      for (std::size_t i = 0; i < point.q.size(); ++i)
        worst = std::max(worst, std::abs(solution.final.q[i] - point.q[i]));
    }
    return worst;
  };
  std::vector<double> h, errors;
  for (const double step : {1.6e-5, 8e-6, 4e-6, 2e-6}) {
    double mean = 0.0;
    for (int i = 0; i < 4; ++i) mean += 0.25 * error(step * (0.98317 - 0.0742 * i));
    h.push_back(step);
    errors.push_back(mean);
  }
  EXPECT_NEAR(testing::slope(h, errors), 1.0, 0.15);
  EXPECT_LT(errors.back(), 1e-2 * play);
}

// Two schemes that share nothing but the matrices: through the first two bursts of impacts.
TEST(GuidedPipe, PositionSchemeAndEventDrivenAgreeEarly) {
  const GuidedPipe pipe(25);
  const double until = 0.022, interval = 1e-3;
  const Solution exact = pipe.run(EventDriven{.rtol = 1e-10, .atol = 1e-14}, until, interval);
  const auto error = [&](std::uint64_t steps) {
    const Solution solution = pipe.run(position_scheme, until, interval / static_cast<double>(steps), steps);
    EXPECT_EQ(solution.trajectory.t.size(), exact.trajectory.t.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < exact.trajectory.q.size(); ++i)
      worst = std::max(worst, std::abs(solution.trajectory.q[i] - exact.trajectory.q[i]));
    return worst;
  };
  std::vector<double> h, errors;
  for (const std::uint64_t steps : {25u, 50u, 100u, 200u, 400u}) {
    // A mean over neighbours: where in its step an impact falls is chance.
    double mean = 0.0;
    for (const std::uint64_t more : {0u, 1u, 2u, 3u}) mean += 0.25 * error(steps + more * steps / 12);
    h.push_back(interval / static_cast<double>(steps));
    errors.push_back(mean);
  }
  EXPECT_GT(testing::slope(h, errors), 0.8) << "from " << errors.front() << " to " << errors.back();
  EXPECT_LT(errors.back(), 2e-3 * play);
}

struct Means {
  double bursts = 0.0;    // a second; impacts less than a millisecond apart are one burst
  double reaction = 0.0;  // root mean square of the force of the guide, averaged over each millisecond
};

Means means_of(const Solution& solution, double until) {
  const Trajectory& path = solution.trajectory;
  constexpr double bin = 1e-3;
  std::vector<double> force_in(static_cast<std::size_t>(std::lround(until / bin)) + 1, 0.0);
  double last = -1.0;
  Means means;
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    const double P = path.impulse[2 * i] - path.impulse[2 * i + 1];
    if (P == 0.0) continue;
    means.bursts += path.t[i] - last > bin ? 1.0 / until : 0.0;
    last = path.t[i];
    force_in[static_cast<std::size_t>(path.t[i] / bin)] += P / bin;
  }
  for (const double value : force_in) means.reaction += value * value * bin / until;
  means.reaction = std::sqrt(means.reaction);
  return means;
}

// Means over 2 s scatter by 3 % to either side from run to run, whatever the scheme and its step.
TEST(GuidedPipe, PositionSchemeAndEventDrivenAgreeInTheMean) {
  const GuidedPipe pipe(10);
  const double until = 3.0;
  const Means exact = means_of(pipe.run(EventDriven{.rtol = 1e-7, .atol = 1e-11}, until, 1e-4), until);
  for (const std::uint64_t steps : {1u, 10u}) {
    const Means found = means_of(pipe.run(position_scheme, until, 1e-4 / static_cast<double>(steps), steps), until);
    EXPECT_NEAR(found.bursts / exact.bursts, 1.0, 0.08) << exact.bursts;
    EXPECT_NEAR(found.reaction / exact.reaction, 1.0, 0.08) << exact.reaction;
  }
}

// (3.12), multiplied by the mass: X − (M + ¼h²K)(U⁺ + e U⁻) is a force at the guide only, outwards where the average
// position touches it, none elsewhere.
TEST(GuidedPipe, StepsSolveTheInclusion) {
  const GuidedPipe pipe(25);
  const Solution solution = pipe.run(position_scheme, 0.03, 2e-5);
  const Trajectory& path = solution.trajectory;
  const std::size_t n = pipe.field.names.size();
  const double h = path.t[1], e = restitution;
  const std::size_t guide = static_cast<std::size_t>(pipe.field.at(0.9)[0].first);
  const std::size_t shaker = static_cast<std::size_t>(pipe.field.at(0.3)[0].first);
  const SparseMatrix &M = pipe.field.mass, &K = pipe.field.stiffness;
  int touching = 0;
  for (std::size_t i = 1; i + 1 < path.t.size(); ++i) {
    std::vector<double> r(n, 0.0);
    double largest = 0.0;
    // r += factor · A u, and the size of the terms.
    const auto add_term = [&](const SparseMatrix& A, double factor, const double* u) {
      std::vector<double> term(n, 0.0);
      multiply_add(A.pattern, A.values.data(), u, factor, term.data());
      for (std::size_t j = 0; j < n; ++j) r[j] += term[j], largest = std::max(largest, std::abs(term[j]));
    };
    const double *before = &path.q[(i - 1) * n], *now = &path.q[i * n], *after = &path.q[(i + 1) * n];
    const double loads = 0.25 * h * h * (force(path.t[i - 1]) + 2.0 * force(path.t[i]) + force(path.t[i + 1]));
    r[shaker] += loads;
    add_term(M, 2.0, now);
    add_term(K, -0.5 * h * h, now);
    add_term(M, -(1.0 - e), before);
    add_term(K, -0.25 * h * h * (1.0 - e), before);
    add_term(M, -1.0, after);
    add_term(K, -0.25 * h * h, after);
    add_term(M, -e, before);
    add_term(K, -0.25 * h * h * e, before);
    largest = std::max(largest, std::abs(loads));

    const double average = (after[guide] + e * before[guide]) / (1.0 + e);
    EXPECT_LE(std::abs(average), play * (1.0 + 1e-12));
    const bool touches = std::abs(average) >= play * (1.0 - 1e-12);
    touching += touches;
    for (std::size_t j = 0; j < n; ++j)
      if (j != guide || !touches) ASSERT_LE(std::abs(r[j]), 1e-12 * largest) << "step " << i << ", node " << j;
    if (touches) ASSERT_GE(r[guide] * (average > 0.0 ? 1.0 : -1.0), -1e-12 * largest) << "step " << i;
  }
  EXPECT_GT(touching, 30);
}

}  // namespace
}  // namespace ricochet
