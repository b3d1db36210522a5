// A function of time that is a sum of terms piece by piece.
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

}  // namespace ricochet
