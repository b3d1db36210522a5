// The equations of an orbit as a chain of arcs (ricochet/study/orbit.hpp, (1) and (2)) and their derivatives.
//
// Unknowns: t_1 where there is a load and an event, then y_k, τ_k of every arc, then the shifts that are not known.
// Equations: the end of each arc is the begin of the next, what ends it is 0; then Σ τ = n T under a load, or,
// without load and events, f(y₀)·(y_1 − y₀) = 0, y₀ being where the chain was read off; and a coordinate whose shift
// is found starts where it was. All of them are scaled by the sizes of the motion.
//
// Derivatives of flows and ends are five-point differences, over s of the size of a component (exact for flights in
// closed form, which are linear in y) or 3e-4 of it, along the steps of the flow itself: their error is below 1e-11.
// Derivatives by a parameter are differences of the equations at p ± δ.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/decompositions.hpp"
#include "ricochet/study/orbit.hpp"
#include "study/orbit/arc_flow.hpp"
#include "study/orbit/impact_map.hpp"

namespace ricochet {

struct OrbitSizes {
  std::vector<double> y;  // of (q, v, z)
  double t = 0.0;
};

// A model with its flow and its impacts.
class OrbitMechanics {
 public:
  explicit OrbitMechanics(const OrbitSystem& system) : system_(system), flow_(system.model), map_(*system.model) {}
  const OrbitSystem& system() const { return system_; }
  const Model& model() const { return *system_.model; }
  ArcFlow& flow() { return flow_; }

  // What ends an arc and what comes after it, with what the next one holds: condition and R at (t, Y).
  bool end(const OrbitArc& arc, const OrbitHold& next, double t, const double* Y, double* y_plus, double& condition);
  double condition(const OrbitArc& arc, double t, const double* Y);
  ImpactMap& impacts() { return map_; }
  // U_j at (t, y)
  double gap_rate(int j, double t, const double* y) { return map_.gap_rate(j, t, y); }
  double gap(int j, double t, const double* y) { return map_.gap(j, t, y); }

 private:
  OrbitSystem system_;
  ArcFlow flow_;
  ImpactMap map_;
};

// One arc, to first order.
struct ArcJet {
  double t_end = 0.0;
  std::vector<double> Y, y_plus;        // Y; R(Y)
  std::vector<double> f_minus, f_plus;  // f at Y; after the end
  DenseMatrix X, A;                     // ∂φ/∂y; ∂R/∂Y
  std::vector<double> flow_t, end_t;    // ∂φ/∂t at fixed τ; ∂R/∂t
  std::vector<double> gradient;         // of the condition
  double condition = 0.0, condition_t = 0.0;
  double condition_rate() const;  // ∇c·f⁻ + ∂c/∂t, which is U⁻ of an impact
};

class ChainEquations {
 public:
  ChainEquations(OrbitMechanics& mechanics, const OrbitChain& around);

  int size() const { return size_; }
  const OrbitSizes& sizes() const { return sizes_; }
  std::vector<double> pack(const OrbitChain& chain) const;  // scaled
  void unpack(const std::vector<double>& x, OrbitChain& chain) const;
  // The scaled equations; false where an arc cannot be followed. `mechanics`: that of a parameter near by.
  bool residual(OrbitMechanics& mechanics, const OrbitChain& chain, std::vector<double>& F);
  // Their derivatives by the scaled unknowns, in the first columns of J; jets() are those of this chain.
  bool jacobian(const OrbitChain& chain, DenseMatrix& J);
  const std::vector<ArcJet>& jets() const { return jets_; }
  OrbitMechanics& mechanics() { return *mechanics_; }
  // From now on those of another parameter; sizes stay.
  void use(OrbitMechanics& mechanics);
  // What the scaled unknowns are divided by.
  std::vector<double> scales() const;

 private:
  bool jet(const OrbitArc& arc, const OrbitHold& next, double t, ArcFlow::Steps& steps, ArcJet& jet);
  bool differentiate_flow(const OrbitArc& arc, double t, ArcFlow::Steps& steps, ArcJet& jet);
  bool differentiate_end(const OrbitArc& arc, const OrbitHold& next, ArcJet& jet);
  void find_sizes(const OrbitChain& chain);

  OrbitMechanics* mechanics_;
  int n_;
  bool forced_;
  OrbitChain around_;
  bool has_time_ = false, has_phase_ = false;  // t_1 is unknown; a phase is fixed
  int size_ = 0;
  OrbitSizes sizes_;
  std::vector<double> condition_sizes_, phase_;  // one an arc; f(y₀), scaled
  std::vector<ArcJet> jets_;
  std::vector<ArcFlow::Steps> steps_;
};

// Newton's method on x ↦ equations(x), damped: the scaled residual it ends with, or nothing.
struct NewtonEnd {
  double residual = 0.0;
  int iterations = 0;
  double moved = 0.0;  // the largest change of a scaled unknown
};
std::optional<NewtonEnd> solve_chain(ChainEquations& equations, OrbitChain& chain);

}  // namespace ricochet
