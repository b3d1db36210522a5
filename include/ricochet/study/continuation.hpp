// Orbits followed along a parameter, through folds, flips and grazing. See docs/orbits.md.
//
// Pseudo-arclength: the equations of the chain (ricochet/study/orbit.hpp) and (x − x₀)·x' + (p − p₀) p' = Δs, x scaled
// by its own sizes, p by its range. On the way test functions change their signs between two points; each place is
// found by regula falsi in Δs:
//
//     fold      p', the parameter's part of the tangent
//     flip      Π (1 + μ_i) Π U⁻_k, which stays finite where an impact grazes
//     torus     Π_{i<j} (μ_i μ_j − 1), where a complex pair passes the unit circle
//     branch    the determinant of the equations with the tangent's row
//     grazing   the lowest of all gaps between impacts
//     lost      U⁻ of an impact reaches 0
//     meeting   the time between two impacts, or another gap at an impact, reaches 0
//
// A branch ends where it is no motion any more (grazing, lost, meeting), at the ends of the range, or where Newton's
// method does. With `branches`, orbits that begin at flips and at grazing are followed too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/study/orbit.hpp"

namespace ricochet {

using OrbitFamily = std::function<OrbitSystem(double parameter)>;

enum class SpecialKind { fold, flip, torus, branch, grazing, lost, meeting, sticking, end };
std::string_view name(SpecialKind kind);

struct SpecialPoint {
  SpecialKind kind = SpecialKind::end;
  double parameter = 0.0;
  std::size_t branch = 0, index = 0;  // on which branch, at which of its points
  std::string sentence = {};
};

struct BranchPoint {
  double parameter = 0.0;
  Orbit orbit = {};
};

struct OrbitBranch {
  std::vector<BranchPoint> points = {};
  int parent = -1;          // the branch from which it comes off; −1: none
  std::string origin = {};  // "flip at 2.54"
};

// What the steps of a walk found, in their order: one that is run again takes them from here in place of Newton's
// method.
class StepMemory {
 public:
  virtual ~StepMemory() = default;
  virtual std::optional<std::vector<double>> recall() = 0;  // of the next step, if it was kept
  virtual void keep(std::vector<double> numbers) = 0;
};

struct ContinuationSettings {
  double from = 0.0, until = 1.0;  // the range
  double largest_step = 0.02;      // Δs
  std::size_t most_points = 2000;  // of a branch
  bool branches = false;
  std::size_t most_branches = 16;
  std::size_t most_arcs = 16;    // longer chains are not begun
  StepMemory* memory = nullptr;  // none: every step is taken anew
  const std::atomic<bool>* interrupt = nullptr;
};

struct Continuation {
  std::vector<OrbitBranch> branches = {};
  std::vector<SpecialPoint> points = {};
  bool interrupted = false;
};

// From an orbit at a parameter inside the range, both ways.
Continuation continue_orbit(const OrbitFamily& family, const Orbit& start, double parameter,
                            const ContinuationSettings& settings);

// The same of the orbit that a walk begins with.
OrbitSearch find_orbit(const OrbitSystem& system, const State& start, const OrbitSettings& settings,
                       StepMemory* memory);

}  // namespace ricochet
