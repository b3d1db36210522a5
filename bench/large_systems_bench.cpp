// Steps of large systems, ledger on and nothing recorded, beside what they cannot do without: a bar of 10⁵ elements
// with one contact beside one plain solve with its matrix, and a column of 10⁴ beads with all contacts closed.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <memory>
#include <vector>

#include "core/sparse_ldlt.hpp"
#include "cpu_time.hpp"
#include "ricochet/ricochet.hpp"
#include "support/large_models.hpp"

namespace rc = ricochet;

namespace {

constexpr int elements = 100'000, beads = 10'000;

void report_memory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// M + ¼h²K of the bar, as Moreau-Jean factorises it.
struct BarMatrix {
  explicit BarMatrix(double h) : pattern(rc::testing::tridiagonal_pattern(elements + 1)) {
    const double length = 1.0 / elements;
    for (int j = 0; j <= elements; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        const double share = pattern.row[k] != j ? -1.0 : j == 0 || j == elements ? 1.0 : 2.0;
        values.push_back(share * (0.25 * h * h / length) +
                         std::abs(share) * length / (pattern.row[k] != j ? 6.0 : 3.0));
      }
  }
  rc::Pattern pattern;
  std::vector<double> values;
};

// Bar, its plain solve and the ratio of the two, measured in turns so that a busy machine slows both; each counts with
// its fastest.
void bar_step(benchmark::State& state, const rc::Scheme& scheme, double space, double limit = 0.0) {
  const double h = 1.0 / elements;
  const rc::testing::ElasticBar bar({.elements = elements});
  rc::State start;
  start.q.assign(elements + 1, space);
  start.v.assign(elements + 1, -0.1);
  rc::StepReport report;
  std::unique_ptr<rc::Stepper> stepper;
  const double setup = rc::seconds_of([&] {
    stepper = rc::make_stepper(bar, scheme);
    stepper->begin(start);
    stepper->advance(start, h, h, report);
  });

  const BarMatrix matrix(h);
  Eigen::SparseMatrix<double> A(elements + 1, elements + 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j <= elements; ++j)
    for (int k = matrix.pattern.start[j]; k < matrix.pattern.start[j + 1]; ++k)
      entries.emplace_back(matrix.pattern.row[k], j, matrix.values[k]);
  A.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> plain(A);
  rc::SparseLdlt own;
  own.analyse(matrix.pattern);
  own.factorise(matrix.values.data());

  Eigen::VectorXd right = Eigen::VectorXd::Random(elements + 1), x = right;
  double step = 1e9, solve = 1e9, own_solve = 1e9;
  for (auto _ : state) {
    step = std::min(step, rc::seconds_of([&] {
                      report.contacts.clear();
                      if (stepper->advance(start, h, start.t + h, report) != rc::FailureKind::none)
                        state.SkipWithError("failed");
                    }));
    solve = std::min(solve, rc::seconds_of([&] { x = plain.solve(right); }));
    own_solve = std::min(own_solve, rc::seconds_of([&] { own.solve(right.data()); }));
    benchmark::DoNotOptimize(x.data());
    right = x;
    right.normalize();
  }
  state.counters["step us"] = 1e6 * step;
  state.counters["SimplicialLDLT us"] = 1e6 * solve;
  state.counters["own solve us"] = 1e6 * own_solve;
  state.counters["ratio"] = step / solve;
  if (limit > 0.0) {
    state.counters["limit"] = limit;
    state.SetLabel(step <= limit * solve ? "within its limit" : "ABOVE ITS LIMIT");
  }
  state.counters["first step s"] = setup;
  report_memory(state);
}
BENCHMARK_CAPTURE(bar_step, moreau_jean_contact, rc::MoreauJean{}, 0.0, 1.2);
BENCHMARK_CAPTURE(bar_step, moreau_jean_free, rc::MoreauJean{}, 1.0, 1.2);
BENCHMARK_CAPTURE(bar_step, moreau_jean_damped_contact, rc::MoreauJean{.theta = 0.6}, 0.0);
BENCHMARK_CAPTURE(bar_step, newmark_contact, rc::Scheme{"newmark"}, 0.0);
BENCHMARK_CAPTURE(bar_step, paoli_schatzman_contact, rc::Scheme{"paoli-schatzman"}, 0.0);

// Column of beads: pressed together it rests with every contact closed; at `space` 0 round-off opens some in every
// step; otherwise it falls on the floor.
void column_step(benchmark::State& state, const rc::Scheme& scheme, double space, double e) {
  const double h = 1e-3;
  const rc::testing::BeadColumn column({.beads = beads, .restitution = e});
  rc::State start = column.start(space, space > 0.0 ? -1.0 : 0.0);
  rc::StepReport report;
  report.contacts.reserve(beads);
  const auto stepper = rc::make_stepper(column, scheme);
  stepper->begin(start);
  const auto step = [&] {
    report.contacts.clear();
    if (stepper->advance(start, h, start.t + h, report) != rc::FailureKind::none)
      state.SkipWithError(stepper->failure_detail().c_str());
  };
  const double first = rc::seconds_of(step);
  double longest = 0.0, pushing = 0.0;
  for (auto _ : state) {
    longest = std::max(longest, rc::seconds_of(step));
    pushing += static_cast<double>(report.contacts.size());
  }
  state.counters["first ms"] = 1e3 * first;
  state.counters["longest ms"] = 1e3 * longest;
  state.counters["pushing"] = pushing / static_cast<double>(state.iterations());
  report_memory(state);
}
BENCHMARK_CAPTURE(column_step, moreau_jean_all_closed, rc::MoreauJean{}, -1e-9, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_step, moreau_jean_touching, rc::MoreauJean{}, 0.0, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_step, moreau_jean_falling, rc::MoreauJean{}, 1e-4, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_step, moreau_jean_bouncing, rc::MoreauJean{}, 1e-4, 0.8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_step, newmark_all_closed, rc::Scheme{"newmark"}, -1e-9, 0.0)->Unit(benchmark::kMillisecond);

// Bar of 10⁴ elements on 10³ stops, all of which push: no diagonal M̂, the quasi-definite form.
void bar_on_stops(benchmark::State& state) {
  const int n = 10'000;
  const double h = 1e-3;
  const rc::testing::ElasticBar bar({.elements = n, .stops = 1000, .pull = 1.0});
  rc::State start;
  start.q.assign(static_cast<std::size_t>(n) + 1, 0.0);
  start.v.assign(static_cast<std::size_t>(n) + 1, 0.0);
  rc::StepReport report;
  const auto stepper = rc::make_stepper(bar, rc::MoreauJean{});
  stepper->begin(start);
  for (auto _ : state) {
    report.contacts.clear();
    if (stepper->advance(start, h, start.t + h, report) != rc::FailureKind::none)
      state.SkipWithError(stepper->failure_detail().c_str());
  }
  state.counters["pushing"] = static_cast<double>(report.contacts.size());
}
BENCHMARK(bar_on_stops)->Unit(benchmark::kMillisecond);

}  // namespace
