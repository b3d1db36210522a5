// Projections in the metric ‖x‖²_M = xᵀ M x, through complementarity problems.
#pragma once

#include <functional>
#include <vector>

#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

// M, symmetric positive definite with both triangles and the diagonal, and the gradients H, one column a constraint.
struct Metric {
  const Pattern* mass = nullptr;
  const double* M = nullptr;
  const LinearSolve* factors = nullptr;  // of M, if the caller has them
};
struct Gradients {
  const Pattern* pattern = nullptr;
  const double* H = nullptr;
};

struct Projection {
  std::vector<double> point;
  std::vector<double> multipliers;  // P ≥ 0: point = given + M⁻¹ H P
  ComplementarityResult result;
};

// The nearest velocity in T = {w : Hᵀw + rate ≥ 0}; rate is ∂g/∂t, null for fixed obstacles.
Projection project_on_tangent_cone(const Metric& metric, const Gradients& gradients, const double* rate,
                                   const double* v, const ComplementaritySettings& settings,
                                   ComplementarityWorkspace& workspace);

// The nearest velocity in the polar cone N of T (fixed obstacles): v minus its projection on T.
Projection project_on_normal_cone(const Metric& metric, const Gradients& gradients, const double* v,
                                  const ComplementaritySettings& settings, ComplementarityWorkspace& workspace);

// v⁺ = −e v⁻ + (1 + e) Proj_T(v⁻): Paoli 2001, (5.3), doi:10.1098/rsta.2001.0858. `rate` as above.
std::vector<double> impact_velocity(const Metric& metric, const Gradients& gradients, const double* rate, double e,
                                    const double* v, const ComplementaritySettings& settings,
                                    ComplementarityWorkspace& workspace);

// K = {z : g(z) ≥ 0}, by callbacks: g (nc long) and its gradients in a fixed pattern.
struct AdmissibleSet {
  const Pattern* gradient = nullptr;
  std::function<void(const double* z, double* g)> gap;
  std::function<void(const double* z, double* H)> gap_gradient;
};

struct PositionProjection {
  enum class Status { solved, contact_problem_failed, iteration_limit, not_finite };
  Status status = Status::solved;
  std::vector<double> point;
  std::vector<double> multipliers;  // M (point − given) = H(point) P, 0 ≤ g(point) ⊥ P ≥ 0
  double violation = 0.0;           // largest −g(point), 0 if none
  int iterations = 0;
};

struct ProjectionSettings {
  double tolerance = 1e-12;  // of the last step and of the violation, relative to the size of the point; > 0
  int max_iterations = 100;  // ≥ 1
  ComplementaritySettings solver = {};
};

// A nearest point of K, for the position schemes: sequential quadratic steps with a line search on
// ½‖z − y‖²_M + ρ Σ max(0, −g). Where K is not convex the point is a local one, near y. Second derivatives of g are
// taken by differences of its gradients (up to 64 coordinates; beyond that the error falls by the factor (distance of y
// from K)/(radius of curvature of its boundary) an iteration, which is fast for the small steps of a scheme).
PositionProjection project_on_set(const Metric& metric, const AdmissibleSet& set, const double* y,
                                  const ProjectionSettings& settings, ComplementarityWorkspace& workspace);

}  // namespace ricochet
