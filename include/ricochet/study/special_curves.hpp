// Folds, flips and grazing of orbits, followed as curves in two parameters. See docs/orbits.md.
//
// The equations F(x; p₁, p₂) = 0 of the chain (ricochet/study/orbit.hpp), one function that is 0 at the special point,
// and the arclength, by Newton's method:
//
//     fold      g of  (F_x b; cᵀ 0)(v; g) = (0; 1),  which is 0 where F_x is singular; b, c ≈ its null vectors
//     flip      Π (1 + μ_i) Π U⁻_k
//     grazing   the lowest gap between impacts; from the other side U⁻ of the impact that is lost
//
// A curve ends at the ends of a range, where its orbit is no motion any more, or where Newton's method does.
#pragma once

#include <string>
#include <vector>

#include "ricochet/study/continuation.hpp"

namespace ricochet {

using OrbitPlane = std::function<OrbitSystem(double first, double second)>;

struct OrbitCurve {
  SpecialKind kind = SpecialKind::fold;         // fold, flip or grazing
  std::vector<double> first = {}, second = {};  // the parameters along it
  std::string begin = {}, end = {};             // why it ends there
};

struct CurveSettings {
  double from = 0.0, until = 1.0;                // the range of the first parameter
  double second_from = 0.0, second_until = 1.0;  // and of the second
  double largest_step = 0.02;                    // Δs
  std::size_t most_points = 2000;                // each way
  StepMemory* memory = nullptr;                  // of whole ways
  const std::atomic<bool>* interrupt = nullptr;
};

// From the special points of branches that were followed along the first parameter, with the second at this value.
// Those that lie on a curve that is there already are not followed again.
std::vector<OrbitCurve> follow_special_points(const OrbitPlane& plane, const Continuation& continuation, double second,
                                              const CurveSettings& settings);

}  // namespace ricochet
