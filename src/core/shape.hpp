// What the compiler may know of a model: how many coordinates and contacts it has, and that all but its loads is
// constant. Kernels are written once, over a shape; what is known costs nothing then, what is not is looked up.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "core/mask_array.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

inline constexpr int any_number = -1;

// Coordinates: their number, if there are no auxiliary states, or 0 for any. Of a shape that is constant the matrices
// are, the gaps are linear and do not move, and there is nothing but contacts, of which the first have constant
// friction along one slip each. Parts: of how many numbers a coordinate the answer to an impulse is.
template <int Coordinates, int Contacts = any_number, int Slips = 0, int Parts = 1>
struct Shape {
  static constexpr int coordinates = Coordinates, contacts = Contacts, slips = Slips;
  static constexpr bool is_constant = Contacts != any_number;
  static constexpr int rows = is_constant ? Contacts + Slips : any_number;
  static constexpr int answers = is_constant ? Parts * Coordinates : any_number;
  using of_contacts = std::conditional_t<is_constant, Shape, Shape<0>>;  // what contacts and forces can use of it
};
using AnyShape = Shape<0>;

// A number that is known, or kept.
template <int known>
struct Number {
  constexpr Number(int) {}                          // NOLINT: stands for it
  constexpr operator int() const { return known; }  // NOLINT
};
template <>
struct Number<any_number> {
  constexpr Number(int number) : kept(number) {}   // NOLINT
  constexpr operator int() const { return kept; }  // NOLINT
  int kept;
};

// An answer that is known for shapes that are constant, and otherwise kept.
template <class Shape, bool known, bool is_known = Shape::is_constant>
struct Answer {
  constexpr Answer(bool) {}                          // NOLINT
  constexpr operator bool() const { return known; }  // NOLINT
};
template <class Shape, bool known>
struct Answer<Shape, known, false> {
  constexpr Answer(bool answer) : kept(answer) {}   // NOLINT
  constexpr operator bool() const { return kept; }  // NOLINT
  bool kept;
};

// A full matrix as a pattern.
template <int Rows, int Columns>
struct FullPattern {
  struct Start {
    constexpr int operator[](int j) const { return j * Rows; }
  };
  struct Row {
    constexpr int operator[](int k) const { return k % Rows; }
  };
  FullPattern() = default;
  explicit FullPattern(const Pattern&) {}  // that of a matrix of as many rows and columns
  static constexpr int size() { return Rows * Columns; }
  static constexpr int rows = Rows, cols = Columns;
  static constexpr Start start = {};
  static constexpr Row row = {};
};

// As those of Pattern.
template <int rows, int columns, class Value>
[[gnu::always_inline]] inline Value column_dot(const FullPattern<rows, columns>&, const Value* A, int j,
                                               const Value* x) {
  return dot(rows, A + j * rows, x);
}
template <int rows, int columns, class Value>
[[gnu::always_inline]] inline void multiply_add(const FullPattern<rows, columns>&, const Value* A, const Value* x,
                                                const Value& factor, Value* y) {
  for (int j = 0; j < columns; ++j) {
    const Value xj = factor * x[j];
    for (int i = 0; i < rows; ++i) y[i] += A[j * rows + i] * xj;
  }
}
template <int rows, int columns, class Value>
[[gnu::always_inline]] inline Value bilinear(const FullPattern<rows, columns>& p, const Value* A, const Value* x,
                                             const Value* y) {
  Value sum = 0.0;
  for (int j = 0; j < columns; ++j) sum += column_dot(p, A, j, x) * y[j];
  return sum;
}

// An array as a vector is one, of a size that is known and never changes.
template <class Entry, int Size>
struct FixedVector : std::array<Entry, static_cast<std::size_t>(Size)> {
  FixedVector() : std::array<Entry, static_cast<std::size_t>(Size)>{} {}
  void assign(std::size_t, const Entry& value = {}) { this->fill(value); }
};

// The entries of a matrix in the order of another pattern of it.
template <class Value>
void arrange(const Pattern&, const Value*, const Pattern&, Value*) = delete;  // there is nothing to do
template <class Value, int rows, int columns>
void arrange(const Pattern& pattern, const Value* A, const FullPattern<rows, columns>& full, Value* to) {
  for (int k = 0; k < full.size(); ++k) to[k] = 0.0;
  for (int j = 0; j < columns; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) to[full.start[j] + pattern.row[k]] = A[k];
}

template <class Vector>
Vector zero_vector(int n) {
  Vector x;
  x.assign(static_cast<std::size_t>(n), 0.0);
  return x;
}

// Of a shape: vectors of so many entries, masks of one a row, the full or sparse matrix of so many columns of one entry
// a coordinate.
template <class Shape, class Value, int entries>
using ShapedVector = std::conditional_t<Shape::is_constant, FixedVector<Value, entries>, std::vector<Value>>;
template <class Shape, class Value>
using ShapedMasks = std::conditional_t<Shape::is_constant, FixedVector<Mask<Value>, Shape::rows>, MaskArray<Value>>;
template <class Shape, int columns>
using ShapedPattern = std::conditional_t<Shape::is_constant, FullPattern<Shape::coordinates, columns>, const Pattern&>;

}  // namespace ricochet
