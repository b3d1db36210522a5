// Functions of the time as finite sums, for motions in closed form.
#pragma once

#include <limits>
#include <vector>

namespace ricochet {

// s^power exp(rate s) (cosine cos(frequency s) + sine sin(frequency s)), s = t − origin
struct TimeTerm {
  int power = 0;
  double rate = 0.0, frequency = 0.0, cosine = 0.0, sine = 0.0, origin = 0.0;
};
using TimeSum = std::vector<TimeTerm>;

// What depends on time in a linear model, from some time up to `until`.
struct LinearTerms {
  double until = std::numeric_limits<double>::infinity();
  std::vector<TimeSum> force;  // f − l, one a coordinate
  // One a row: g and g_B at q = 0; o of slips and of joints without a position.
  std::vector<TimeSum> rows;
};

}  // namespace ricochet
