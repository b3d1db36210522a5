// The formulas of a [draw] table, compiled.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/formula/tape.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

// One number of a drawing: a constant, or the place of a value that moves among those of evaluate().
struct DrawnValue {
  int column = -1;
  double constant = 0.0;
};

// Formulas of t, the coordinates, their velocities x_dot and the parameters; of a frame also of what its supports hold.
class DrawingFormulas {
 public:
  // The names of a result: of its coordinates, and of its constraints and dry frictions. Throws InputError
  // ("draw.circles[0].radius").
  DrawingFormulas(const Drawing& drawing, const ModelDescription& model, const std::vector<std::string>& coordinates,
                  std::span<const std::string> contacts);

  // A thing's numbers: x and y of its places, then the radius and the angle of a circle.
  struct Item {
    const char* kind;  // point, segment, circle, spring
    std::vector<DrawnValue> values = {};
    bool closed = false;
    std::string contact = {};
  };
  const std::vector<Item>& items() const { return items_; }

  int columns() const { return tape_.output_count(); }
  void evaluate(double t, const double* q, const double* v, double* values) const {
    tape_.evaluate(formula::Inputs<double>{.t = &t, .q = q, .v = v}, constants_.data(), values);
  }

 private:
  std::vector<Item> items_;
  formula::Tape tape_;
  std::vector<double> constants_;
};

}  // namespace ricochet
