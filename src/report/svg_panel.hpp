// Boxes with axes for pictures in SVG.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/packing.hpp"

namespace ricochet::report {

// Of curves, in their order.
inline constexpr const char* curve_colors[] = {"#2f6fb0", "#e0812a", "#2a9a6f", "#8a5ab8",
                                               "#b8405e", "#8a7a2e", "#4a7a8c", "#7a4a2e"};

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  void take(Values values);
  // With some room; something to draw on where there is nothing.
  Range roomy(double share) const;
};

// Both with some room, so that a box of w by h shows lengths along x and y alike.
void set_one_scale(Range& x, Range& y, double w, double h);

// Points in the box's own numbers become points of the picture.
class Panel {
 public:
  Panel(double left, double top, double w, double h, Range x, Range y, bool x_log = false, bool y_log = false)
      : left_(left), top_(top), w_(w), h_(h), x_(x), y_(y), x_log_(x_log), y_log_(y_log) {}

  double x(double value) const { return left_ + share(x_, x_log_, value) * w_; }
  double y(double value) const { return top_ + h_ - share(y_, y_log_, value) * h_; }
  double left() const { return left_; }
  double right() const { return left_ + w_; }
  double top() const { return top_; }
  double bottom() const { return top_ + h_; }

  std::string axes(const std::string& x_label, const std::string& title) const;
  // The name of the vertical axis beside it.
  std::string y_label(const std::string& name) const;
  std::string path(const std::string& points, const char* color, double stroke = 1.1, const char* more = "") const;
  // Names with their colours, from the right above the box.
  std::string legend(const std::vector<std::pair<std::string, std::string>>& names) const;

 private:
  static double share(const Range& range, bool log, double value);

  double left_, top_, w_, h_;
  Range x_, y_;
  bool x_log_, y_log_;
};

// The whole picture around what is drawn.
std::string svg_document(const std::string& title, double width, double height, const std::string& drawn);

}  // namespace ricochet::report
