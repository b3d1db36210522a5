// A member of n elements under moreau-jean, without and with damping, beside what a Newton iteration cannot do without:
// one factorisation of its matrix and two solves. The ratio is at most 3, and the time of a step grows like n.
#include <benchmark/benchmark.h>

#include <cmath>

#include "core/iteration_matrix.hpp"
#include "cpu_time.hpp"
#include "ricochet/ricochet.hpp"
#include "support/frames.hpp"

namespace rc = ricochet;

namespace {

void frame_steps(benchmark::State& state) {
  constexpr double h = 1e-3;
  constexpr int steps = 20;
  const rc::Problem problem = rc::testing::frame_problem(
      rc::testing::beam_pendulum_text(static_cast<int>(state.range(0)), state.range(1) != 0 ? 1e-3 : 0.0) +
      rc::testing::beam_pendulum_floor);
  const rc::Layout& layout = problem.model->layout();
  std::vector<double> M(layout.mass.size()), K(layout.stiffness.size()), C(layout.damping.size()), x(layout.nq(), 1.0);
  problem.model->mass(0.0, problem.start.q.data(), M.data());
  std::vector<double> v(layout.nq());
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = std::cos(static_cast<double>(i));  // with damping K is not symmetric
  problem.model->force_jacobians(0.0, problem.start.q.data(), v.data(), nullptr, K.data(), C.data());
  rc::IterationMatrix<double> matrix;
  matrix.resize(layout.nq(), {&layout.mass, &layout.stiffness, &layout.damping});
  matrix.set_zero();
  matrix.add(0, M.data(), 1.0);
  matrix.add(1, K.data(), 0.25 * h * h);
  matrix.add(2, C.data(), 0.5 * h);

  double run = 0.0, plain = 0.0;
  std::size_t iterations = 0;
  for (auto _ : state) {
    run += rc::seconds_of([&] {
      const rc::Solution solution = rc::simulate(*problem.model, problem.start, {0.0, steps * h}, rc::MoreauJean{},
                                                 {.h = h, .record_every = 0, .keep = false});
      iterations += solution.statistics.newton_iterations;
    });
    plain += rc::seconds_of([&] {
      for (int i = 0; i < steps; ++i) {
        matrix.factorise();
        matrix.solve(x.data());
        matrix.solve(x.data());
      }
    });
  }
  const double per_iteration = run / static_cast<double>(iterations);
  state.counters["us a step"] = 1e6 * run / (steps * static_cast<double>(state.iterations()));
  state.counters["us an iteration"] = 1e6 * per_iteration;
  state.counters["ratio"] = per_iteration / (plain / (steps * static_cast<double>(state.iterations())));
}
BENCHMARK(frame_steps)
    ->ArgNames({"elements", "damped"})
    ->ArgsProduct({{250, 1000, 4000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
