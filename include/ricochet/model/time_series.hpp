// A measured or computed signal y(t): loads and ground motion given as numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ricochet/formula/curve.hpp"
#include "ricochet/model/time_piece.hpp"

namespace ricochet {

class TimeSeries {
 public:
  // Throws InputError with `field`, as a curve does.
  TimeSeries(std::vector<double> t, std::vector<double> y, Interpolation interpolation, Outside outside,
             const std::string& field = {})
      : curve_(std::move(t), std::move(y), interpolation, outside, field, "time") {}

  double operator()(double t) const { return curve_(t); }
  // The polynomial that it is from t on.
  TimePiece piece(double t) const;

 private:
  formula::Curve curve_;
};

}  // namespace ricochet
