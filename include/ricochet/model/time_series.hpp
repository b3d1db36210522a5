// A measured or computed signal y(t): loads and ground motion given as numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ricochet/model/time_piece.hpp"

namespace ricochet {

// cubic: twice continuously differentiable, with not-a-knot ends: the first two pieces are one cubic, and so are the
// last two. Its error is O(h⁴) up to the ends, where natural ends (y'' = 0) would leave O(h²).
// Three points give the parabola, two the line.
enum class Interpolation { linear, cubic };

// The value before the first and after the last time.
enum class Outside { zero, hold };

class TimeSeries {
 public:
  // Throws InputError with `field`: times that do not increase, numbers that are not finite, fewer than two points,
  // sizes that differ.
  TimeSeries(std::vector<double> t, std::vector<double> y, Interpolation interpolation, Outside outside,
             const std::string& field = {});

  // The given value at each given time. Constant time on a grid that is even or nearly so, otherwise a binary search.
  double operator()(double t) const;
  // The polynomial that it is from t on.
  TimePiece piece(double t) const;

 private:
  // y + s (b + s (c + s d)), s = t − t_i
  struct Piece {
    double y = 0.0, b = 0.0, c = 0.0, d = 0.0;
  };
  std::size_t piece_at(double t) const;

  std::vector<double> t_;
  std::vector<Piece> pieces_;
  double first_ = 0.0, last_ = 0.0;  // beyond the ends
  double y_until_ = 0.0;
  double pieces_per_time_ = 0.0;  // of a nearly even grid, else 0
};

}  // namespace ricochet
