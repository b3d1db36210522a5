// What is known of a function of time: sums of terms that it is piece by piece, and where it may be infinite.
#pragma once

#include <functional>
#include <limits>

#include "ricochet/model/time_terms.hpp"

namespace ricochet {

struct TimePiece {
  TimeSum terms;
  double until = std::numeric_limits<double>::infinity();
};
using TimePieces = std::function<TimePiece(double)>;  // the piece from a time on

// Functions that change sign wherever the function of time has a pole.
struct TimePoles {
  int count = 0;
  std::function<void(double t, double* functions)> functions = {};  // may be called from several threads at once
};

}  // namespace ricochet
