// Stacks of blocks with friction as problems of any size.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ricochet/complementarity/problem.hpp"

namespace ricochet::testing {

// Blocks of unit size and mass in the plane that rest on each other with friction 0.5, two points an edge: one step of
// gravity, with a sideways velocity of its own for each block. W = Hᵀ M⁻¹ H.
class Stack {
 public:
  enum class Kind { column, wall, pyramid };

  Stack(Kind kind, int contacts, double sideways) {
    const double root = std::sqrt(contacts);
    const int side = static_cast<int>(std::lround(kind == Kind::wall ? 0.5 * root : root / std::sqrt(2.0)));
    const int rows = kind == Kind::column ? contacts / 2 : side;
    std::vector<int> below, row;
    for (int r = 0; r < rows; ++r) {
      const int width = kind == Kind::column ? 1 : kind == Kind::wall ? side : side - r;
      const double begin = kind == Kind::column ? 0.0 : kind == Kind::wall ? 0.5 * (r % 2) : 0.5 * r;
      row.clear();
      for (int i = 0; i < width; ++i) {
        const int top = static_cast<int>(x_.size());
        row.push_back(top);
        x_.push_back(begin + i);
        y_.push_back(r + 0.5);
        if (r == 0) rest_on(top, -1, x_[top] - 0.5, x_[top] + 0.5);
        for (const int other : below)
          if (const double off = x_[other] - x_[top]; std::abs(off) < 0.9)
            rest_on(top, other, x_[top] + std::max(off, 0.0) - 0.5, x_[top] + std::min(off, 0.0) + 0.5);
      }
      below = row;
    }
    finish(sideways);
  }

  int contacts() const { return static_cast<int>(cones_.size()) / 2; }
  ComplementarityProblem problem() const {
    return {static_cast<int>(b_.size()), SchurForm{&mass_, M_.data(), &gradient_, H_.data()}, b_.data(), cones_.data(),
            bounds_.data()};
  }

 private:
  // At two points; below −1: on the floor.
  void rest_on(int top, int below, double from, double to) {
    for (const double x : {from, to}) {
      add_column(top, below, x, y_[top] - 0.5, 0.0, 1.0);
      add_column(top, below, x, y_[top] - 0.5, 1.0, 0.0);
      cones_.insert(cones_.end(), {Cone::coulomb, Cone::tangent});
      bounds_.insert(bounds_.end(), {0.5, 0.0});
    }
  }
  void add_column(int top, int below, double x, double y, double n_x, double n_y) {
    const auto add = [&](int block, double sign) {
      const double entries[] = {n_x, n_y, (x - x_[block]) * n_y - (y - y_[block]) * n_x};
      for (int i = 0; i < 3; ++i) gradient_.row.push_back(3 * block + i), H_.push_back(sign * entries[i]);
    };
    if (below >= 0) add(below, -1.0);
    add(top, 1.0);
    gradient_.start.push_back(static_cast<int>(gradient_.row.size()));
  }
  void finish(double sideways) {
    const int dofs = 3 * static_cast<int>(x_.size());
    gradient_.rows = mass_.rows = mass_.cols = dofs;
    gradient_.cols = static_cast<int>(cones_.size());
    std::vector<double> v(static_cast<std::size_t>(dofs));
    for (int i = 0; i < dofs; ++i) {
      mass_.row.push_back(i), mass_.start.push_back(i + 1);
      M_.push_back(i % 3 == 2 ? 1.0 / 6.0 : 1.0);
      v[i] = i % 3 == 1 ? -1.0 : i % 3 == 0 ? sideways * std::sin(1.7 * i) : 0.0;
    }
    for (int j = 0; j < gradient_.cols; ++j) b_.push_back(column_dot(gradient_, H_.data(), j, v.data()));
  }

  std::vector<double> x_, y_, M_, H_, b_, bounds_;
  std::vector<Cone> cones_;
  Pattern mass_, gradient_;
};

}  // namespace ricochet::testing
