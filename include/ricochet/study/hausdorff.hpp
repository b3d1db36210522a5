// Hausdorff distance between the graphs of two functions of time, jumps filled in.
//
//     d(A, B) = max( sup_{a∈A} dist(a, B), sup_{b∈B} dist(b, A) ),   dist in the metric max(|Δt|, |Δx|)
//
// Velocities of two motions that hit at slightly different times are far apart at every norm that compares them at the
// same time, and close in this one.
#pragma once

#include <vector>

namespace ricochet {

// A path in the plane of time and value: straight between its vertices, upright where the function jumps. Times do not
// fall.
struct Graph {
  std::vector<double> t, x;
};

// The part of a graph up to a time.
Graph cut(const Graph& graph, double until);

// The distance lies in [value, bound], up to round-off.
struct GraphDistance {
  double value = 0.0, bound = 0.0;
};

// Refines until bound − value ≤ relative · value + absolute. Throws InputError for a graph without vertices, with
// falling times or with values that are not finite.
GraphDistance hausdorff(const Graph& a, const Graph& b, double relative = 1e-6, double absolute = 1e-14);

}  // namespace ricochet
