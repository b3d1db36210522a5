#include "ricochet/complementarity/projection.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/definiteness.hpp"
#include "core/dense_lu.hpp"
#include "core/sparse_ldlt.hpp"

namespace ricochet {
namespace {

// Factors of M: the caller's or own ones.
class Factors {
 public:
  explicit Factors(const Metric& metric) : given_(metric.factors) {
    if (given_ != nullptr) return;
    own_.analyse(*metric.mass);
    regular_ = own_.factorise(metric.M) && own_.negative_pivots() == 0;
  }
  bool regular() const { return regular_; }
  const LinearSolve* get() const { return given_ != nullptr ? given_ : &own_; }

 private:
  const LinearSolve* given_;
  SparseLdlt own_;
  bool regular_ = true;
};

// x += M⁻¹ H P
void add_response(const Factors& factors, const Gradients& gradients, const std::vector<double>& P,
                  std::vector<double>& x) {
  std::vector<double> push(x.size(), 0.0);
  multiply_add(*gradients.pattern, gradients.H, P.data(), 1.0, push.data());
  factors.get()->solve(push.data());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += push[i];
}

// P of 0 ≤ Hᵀ(x + M⁻¹ H P) + shift ⊥ P ≥ 0.
ComplementarityResult multipliers(const Metric& metric, const Factors& factors, const Gradients& gradients,
                                  const std::vector<double>& b, const ComplementaritySettings& settings,
                                  ComplementarityWorkspace& workspace, std::vector<double>& P) {
  const SchurForm W{metric.mass, metric.M, gradients.pattern, gradients.H, factors.get()};
  return solve({static_cast<int>(b.size()), W, b.data()}, settings, workspace, P.data());
}

}  // namespace

Projection project_on_tangent_cone(const Metric& metric, const Gradients& gradients, const double* rate,
                                   const double* v, const ComplementaritySettings& settings,
                                   ComplementarityWorkspace& workspace) {
  const int nq = metric.mass->cols, nc = gradients.pattern->cols;
  Projection projection{std::vector<double>(v, v + nq), std::vector<double>(static_cast<std::size_t>(nc), 0.0), {}};
  const Factors factors(metric);
  if (!factors.regular()) {
    projection.result.status = ComplementarityStatus::not_finite;
    return projection;
  }
  std::vector<double> b(static_cast<std::size_t>(nc));
  for (int j = 0; j < nc; ++j)
    b[static_cast<std::size_t>(j)] =
        column_dot(*gradients.pattern, gradients.H, j, v) + (rate != nullptr ? rate[j] : 0.0);
  projection.result = multipliers(metric, factors, gradients, b, settings, workspace, projection.multipliers);
  add_response(factors, gradients, projection.multipliers, projection.point);
  return projection;
}

Projection project_on_normal_cone(const Metric& metric, const Gradients& gradients, const double* v,
                                  const ComplementaritySettings& settings, ComplementarityWorkspace& workspace) {
  Projection projection = project_on_tangent_cone(metric, gradients, nullptr, v, settings, workspace);
  for (std::size_t i = 0; i < projection.point.size(); ++i) projection.point[i] = v[i] - projection.point[i];
  return projection;
}

std::vector<double> impact_velocity(const Metric& metric, const Gradients& gradients, const double* rate, double e,
                                    const double* v, const ComplementaritySettings& settings,
                                    ComplementarityWorkspace& workspace) {
  std::vector<double> after = project_on_tangent_cone(metric, gradients, rate, v, settings, workspace).point;
  for (std::size_t i = 0; i < after.size(); ++i) after[i] = -e * v[i] + (1.0 + e) * after[i];
  return after;
}

namespace {

// One projection on a set under way.
class Search {
 public:
  Search(const Metric& metric, const AdmissibleSet& set, const double* y, const ProjectionSettings& settings,
         ComplementarityWorkspace& workspace)
      : metric_(metric),
        set_(set),
        settings_(settings),
        workspace_(workspace),
        factors_(metric),
        nq_(metric.mass->cols),
        nc_(set.gradient->cols),
        y_(y, y + nq_),
        z_(y_),
        target_(y_),
        g_(static_cast<std::size_t>(nc_)),
        b_(g_),
        P_(g_),
        H_(static_cast<std::size_t>(set.gradient->size())) {}

  PositionProjection run() {
    PositionProjection result;
    if (!factors_.regular()) return end(result, PositionProjection::Status::not_finite);
    set_.gap(z_.data(), g_.data());
    for (result.iterations = 1; result.iterations <= settings_.max_iterations; ++result.iterations) {
      if (!quadratic_step(result.iterations > 2))
        return end(result, PositionProjection::Status::contact_problem_failed);
      const double change = distance(target_, z_);
      if (!std::isfinite(change)) return end(result, PositionProjection::Status::not_finite);
      search_line();
      if (change <= settings_.tolerance * size() && violation() <= settings_.tolerance * size())
        return end(result, result.status);
    }
    return end(result, PositionProjection::Status::iteration_limit);
  }

 private:
  // min ½ dᵀB d + (z − y)ᵀM d with g + Hᵀd ≥ 0: d = B⁻¹(M(y − z) + H P), 0 ≤ W P + g + HᵀB⁻¹M(y − z) ⊥ P ≥ 0 with
  // W = HᵀB⁻¹H. B is M at first, then the Hessian of the Lagrangian if it is positive definite.
  bool quadratic_step(bool second_order) {
    set_.gap_gradient(z_.data(), H_.data());
    const Gradients gradients{set_.gradient, H_.data()};
    const bool curved = second_order && hessian();
    const Metric metric = curved ? Metric{&dense_, B_.data(), nullptr} : metric_;
    std::optional<Factors> own;
    if (curved) own.emplace(metric);
    const Factors& factors = curved ? *own : factors_;
    std::vector<double> step(z_.size(), 0.0), pull(z_.size());
    for (std::size_t i = 0; i < z_.size(); ++i) pull[i] = y_[i] - z_[i];
    multiply_add(*metric_.mass, metric_.M, pull.data(), 1.0, step.data());
    factors.get()->solve(step.data());
    for (int j = 0; j < nc_; ++j)
      b_[static_cast<std::size_t>(j)] =
          g_[static_cast<std::size_t>(j)] + column_dot(*set_.gradient, H_.data(), j, step.data());
    const ComplementarityResult result = multipliers(metric, factors, gradients, b_, settings_.solver, workspace_, P_);
    add_response(factors, gradients, P_, step);
    for (std::size_t i = 0; i < z_.size(); ++i) target_[i] = z_[i] + step[i];
    return result.status == ComplementarityStatus::solved;
  }

  // B = M − ∂(H P)/∂z by central differences of the gradients; false where it would not be a metric, or is large.
  bool hessian() {
    constexpr int largest = 64;
    if (nq_ > largest) return false;
    const std::size_t n = z_.size();
    dense_ = Pattern::dense(nq_, nq_);
    B_.assign(n * n, 0.0);
    for (int j = 0; j < nq_; ++j)
      for (int k = metric_.mass->start[j]; k < metric_.mass->start[j + 1]; ++k)
        B_[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(metric_.mass->row[k])] = metric_.M[k];
    std::vector<double> moved = z_, above(n), below(n), H(H_.size());
    for (std::size_t j = 0; j < n; ++j) {
      const double d = 1e-5 * std::max(1.0, std::abs(z_[j]));
      const auto push_at = [&](double place, std::vector<double>& push) {
        moved[j] = place;
        set_.gap_gradient(moved.data(), H.data());
        std::fill(push.begin(), push.end(), 0.0);
        multiply_add(*set_.gradient, H.data(), P_.data(), 1.0, push.data());
      };
      push_at(z_[j] + d, above);
      push_at(z_[j] - d, below);
      moved[j] = z_[j];
      // Half to each triangle: the Hessian is symmetric.
      for (std::size_t i = 0; i < n; ++i) {
        const double slope = (above[i] - below[i]) / (4.0 * d);
        B_[j * n + i] -= slope;
        B_[i * n + j] -= slope;
      }
    }
    return DefinitenessTest<double>()(dense_, B_.data());
  }

  // Halves the step until the merit falls; ρ above the multipliers makes the merit exact.
  void search_line() {
    for (const double P : P_) rho_ = std::max(rho_, 2.0 * P);
    const double before = merit(z_, g_);
    const std::vector<double> start = z_;
    double length = 1.0;
    for (int k = 0; k < 30; ++k, length *= 0.5) {
      for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = start[i] + length * (target_[i] - start[i]);
      set_.gap(z_.data(), g_.data());
      if (merit(z_, g_) <= before * (1.0 + 1e-14)) return;
    }
  }

  double merit(const std::vector<double>& z, const std::vector<double>& g) const {
    const double d = distance(z, y_);
    double sum = 0.5 * d * d;
    for (const double gap : g) sum += rho_ * std::max(0.0, -gap);
    return sum;
  }

  double distance(const std::vector<double>& a, const std::vector<double>& b) const {
    std::vector<double> d(a.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = a[i] - b[i];
    return std::sqrt(std::max(0.0, bilinear(*metric_.mass, metric_.M, d.data(), d.data())));
  }

  double size() const { return std::max(1.0, std::sqrt(bilinear(*metric_.mass, metric_.M, z_.data(), z_.data()))); }

  double violation() const {
    double worst = 0.0;
    for (const double gap : g_) worst = std::max(worst, -gap);
    return worst;
  }

  PositionProjection end(PositionProjection& result, PositionProjection::Status status) {
    result.status = status;
    result.point = z_;
    result.multipliers = P_;
    result.violation = violation();
    return result;
  }

  const Metric& metric_;
  const AdmissibleSet& set_;
  const ProjectionSettings& settings_;
  ComplementarityWorkspace& workspace_;
  Factors factors_;
  int nq_, nc_;
  std::vector<double> y_, z_, target_, g_, b_, P_, H_, B_;
  Pattern dense_;
  double rho_ = 0.0;
};

}  // namespace

PositionProjection project_on_set(const Metric& metric, const AdmissibleSet& set, const double* y,
                                  const ProjectionSettings& settings, ComplementarityWorkspace& workspace) {
  return Search(metric, set, y, settings, workspace).run();
}

}  // namespace ricochet
