// A function of one variable given by its values at points: measured loads, ground motion, stiffness curves.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

// cubic: twice continuously differentiable, with not-a-knot ends: the first two pieces are one cubic, and so are the
// last two. Its error is O(h⁴) up to the ends, where natural ends (y'' = 0) would leave O(h²).
// Three points give the parabola, two the line.
enum class Interpolation { linear, cubic };

// The value before the first and after the last point.
enum class Outside { zero, hold };

namespace formula {

class alignas(16) Curve {
 public:
  // y + s (b + s (c + s d)), s = x − x_i
  struct Piece {
    double y = 0.0, b = 0.0, c = 0.0, d = 0.0;
  };

  // Throws InputError with `field`: points that do not increase, numbers that are not finite, fewer than two points,
  // sizes that differ. `variable` is what messages call x.
  Curve(std::vector<double> x, std::vector<double> y, Interpolation interpolation, Outside outside,
        const std::string& field = {}, const char* variable = "point");

  // The given value at each given point. Constant time on a grid that is even or nearly so, otherwise a binary search.
  double operator()(double x) const;
  // dy/dx, 0 outside. At a kink it is that of the piece behind.
  Curve derivative() const;
  bool is_zero() const;    // everywhere
  bool is_smooth() const;  // its slope has no jumps between its first and its last point
  // The least and the largest value from x = lower to upper.
  std::pair<double, double> bounds(double lower, double upper) const;

  const std::string& name() const { return name_; }  // its field
  double from() const { return x_.front(); }
  double until() const { return x_.back(); }
  const std::vector<double>& points() const { return x_; }
  const Piece& piece(std::size_t i) const { return pieces_[i]; }
  std::size_t piece_at(double x) const;  // from() ≤ x < until()
  double before() const { return first_; }
  double after() const { return last_; }

 private:
  Curve() = default;
  std::pair<double, double> bounds_of(std::size_t piece, double lower, double upper) const;

  std::string name_;
  std::vector<double> x_;
  std::vector<Piece> pieces_;
  double first_ = 0.0, last_ = 0.0;  // beyond the ends
  double y_until_ = 0.0;
  double pieces_per_unit_ = 0.0;  // of a nearly even grid, else 0
  std::pair<double, double> range_ = {0.0, 0.0};
};

// A curve as an operand of Operation::curve: a number that stands for its address. Whoever evaluates keeps the curve.
double curve_handle(const Curve& curve);
const Curve& curve_of(double handle);

}  // namespace formula
}  // namespace ricochet
