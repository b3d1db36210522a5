// Nanoseconds a step of every scheme in the catalogue, ledger on and nothing recorded: on the ball, and on an elastic
// bar of 1,000 elements that hits a wall, beside the tridiagonal solve that no implicit step can do without.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace rc = ricochet;

namespace {

void report(benchmark::State& state, int steps) {
  state.counters["ns/step"] = benchmark::Counter(static_cast<double>(state.iterations()) * steps * 1e-9,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Linear elements with lumped mass, thrown with its left end at a wall; units in which a wave needs 1 for the length.
class Bar final : public rc::Model {
 public:
  explicit Bar(int elements) : rc::Model(layout_of(elements)), n_(elements + 1), length_(1.0 / elements) {}

  void mass(double, const double*, double* M) const override {
    for (int i = 0; i < n_; ++i) M[i] = i == 0 || i == n_ - 1 ? 0.5 * length_ : length_;
  }
  void force(double, const double* q, const double*, const double*, double* F) const override {
    for (int i = 0; i < n_; ++i) F[i] = 0.0;
    for (int i = 0; i + 1 < n_; ++i) {
      const double pull = (q[i + 1] - q[i]) / length_;
      F[i] += pull;
      F[i + 1] -= pull;
    }
  }
  void gap(double, const double* q, double* g) const override { g[0] = q[0]; }
  void gap_gradient(double, const double*, double* H) const override { H[0] = 1.0; }
  rc::LinearForce<double> linear_force() const override {
    rc::LinearForce<double> linear;
    const rc::Pattern& pattern = layout().stiffness;
    for (int j = 0; j < n_; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        const bool end = j == 0 || j == n_ - 1;
        linear.K.push_back((pattern.row[k] != j ? -1.0 : end ? 1.0 : 2.0) / length_);
      }
    linear.K_V = linear.K;
    return linear;
  }
  void load(double, rc::Load<double>& load) const override {
    for (int i = 0; i < n_; ++i) load.f[i] = load.l[i] = 0.0;
    load.V0 = 0.0;
  }
  rc::Energy<double> energy(double, const double* q, const double* v) const override {
    rc::Energy<double> energy;
    for (int i = 0; i < n_; ++i) energy.kinetic += 0.5 * (i == 0 || i == n_ - 1 ? 0.5 : 1.0) * length_ * v[i] * v[i];
    for (int i = 0; i + 1 < n_; ++i) energy.potential += 0.5 * (q[i + 1] - q[i]) * (q[i + 1] - q[i]) / length_;
    return energy;
  }

 private:
  static rc::Layout layout_of(int elements) {
    const int n = elements + 1;
    rc::Layout layout;
    for (int i = 0; i < n; ++i) layout.coordinates.push_back("u" + std::to_string(i));
    layout.constraints = {"wall"};
    layout.structure = {.constant_mass = true,
                        .linear_force = true,
                        .constant_load = true,
                        .linear_gaps = true,
                        .fixed_gaps = true,
                        .constant_restitution = true};
    layout.mass = layout.stiffness = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
      layout.mass.row.push_back(j);
      layout.mass.start.push_back(j + 1);
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) layout.stiffness.row.push_back(i);
      layout.stiffness.start.push_back(static_cast<int>(layout.stiffness.row.size()));
    }
    layout.damping = rc::Pattern::empty(n, n);
    layout.gradient = {n, 1, {0, 1}, {0}};
    return layout;
  }

  int n_;
  double length_;
};

// A model that the scheme refuses is a line of the table, as a run that fails is.
void run(benchmark::State& state, const rc::Model& model, const rc::State& start, const rc::Scheme& scheme, double h,
         int steps) {
  try {
    for (auto _ : state) {
      const rc::Solution solution =
          rc::simulate(model, start, {0.0, steps * h}, scheme, {.h = h, .record_every = 0, .keep = false});
      benchmark::DoNotOptimize(solution.final.q.data());
      if (solution.status != rc::Status::completed) state.SkipWithError(solution.failure.message.c_str());
    }
  } catch (const rc::Error& refusal) {
    state.SkipWithError(refusal.what());
    return;
  }
  report(state, steps);
}

constexpr int elements = 1000;

// One tridiagonal solve with the factors of M + ¼h²K, and one product with K: the least an implicit step needs.
void bar_tridiagonal_solve(benchmark::State& state) {
  const int n = elements + 1, steps = 2000;
  const double length = 1.0 / elements, h = 0.5 / elements;
  std::vector<double> lower(n), inverse(n), x(n, 1.0), y(n);
  for (int i = 0; i < n; ++i) {
    const double end = i == 0 || i == n - 1 ? 0.5 : 1.0;
    const double diagonal = end * length + 0.25 * h * h * 2.0 * end / length, side = -0.25 * h * h / length;
    lower[i] = i > 0 ? side * inverse[i - 1] : 0.0;
    inverse[i] = 1.0 / (diagonal - lower[i] * side);
  }
  for (auto _ : state) {
    for (int k = 0; k < steps; ++k) {
      for (int i = 0; i < n; ++i) {
        const double left = i > 0 ? x[i - 1] : x[i], right = i + 1 < n ? x[i + 1] : x[i];
        y[i] = (left - 2.0 * x[i] + right) * h + x[i];
      }
      for (int i = 1; i < n; ++i) y[i] -= lower[i] * y[i - 1];
      x[n - 1] = y[n - 1] * inverse[n - 1];
      for (int i = n - 2; i >= 0; --i) x[i] = (y[i] + 0.25 * h * h / length * x[i + 1]) * inverse[i];
      for (int i = 0; i < n; ++i) x[i] *= length;
    }
    benchmark::DoNotOptimize(x.data());
  }
  report(state, steps);
}
BENCHMARK(bar_tridiagonal_solve);

const int registered = [] {
  for (const rc::SchemeEntry& entry : rc::catalogue()) {
    const std::string name(entry.name);
    const double e = rc::traits(entry).inelastic_only ? 0.0 : 0.9;
    benchmark::RegisterBenchmark(("scheme/ball/" + name).c_str(), [name, e](benchmark::State& state) {
      const auto ball = rc::lagrangian({.coordinates = {"x"},
                                        .kinetic = "m*x_dot^2/2",
                                        .potential = "m*g*x",
                                        .parameters = {{"m", 1.0}, {"g", 9.81}},
                                        .constraints = {{.name = "floor", .gap = "x", .restitution = e}}});
      run(state, *ball, {.q = {1.0}, .v = {0.0}}, {name}, 1e-4, 100'000);
    });
    benchmark::RegisterBenchmark(("scheme/bar/" + name).c_str(), [name](benchmark::State& state) {
      const Bar bar(elements);
      rc::State start{.q = std::vector<double>(elements + 1, 0.05), .v = std::vector<double>(elements + 1, -0.1)};
      // Tolerances that follow the motion ask for more where it is 0.05 long: those of a motion of length 1.
      const rc::Scheme scheme =
          name == "moreau-jean-adaptive" ? rc::MoreauJeanAdaptive{.atol = 1e-10} : rc::Scheme{name};
      run(state, bar, start, scheme, 0.5 / elements, 2000);
    });
  }
  return 0;
}();

}  // namespace
