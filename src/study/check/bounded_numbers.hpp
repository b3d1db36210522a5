// The numbers of a model that the theory bounds: restitutions e and e_T in [0, 1], coefficients of friction and limits
// from 0 on. Whoever looks at one of them looks at all.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ricochet/study/checked_formulas.hpp"

namespace ricochet {

// What is asked of a kind.
struct NumberBounds {
  const char* subject;  // of findings
  const char* what;     // "restitution of"
  double least, most;
  const char* words;  // "in [0, 1]"
  bool allow(double x) const { return x >= least && x <= most; }
};
const NumberBounds& bounds_of(BoundedKind kind);
constexpr std::array<BoundedKind, bounded_kinds> all_bounded_kinds = {
    BoundedKind::restitution, BoundedKind::friction, BoundedKind::limit, BoundedKind::tangential_restitution};

struct BoundedNumber {
  BoundedKind kind = BoundedKind::restitution;
  int index = 0;  // of the constraint, or of the friction
  std::string name = {};
};

class BoundedNumbers {
 public:
  explicit BoundedNumbers(const Model& model);

  const std::vector<BoundedNumber>& of(BoundedKind kind) const { return numbers_[static_cast<std::size_t>(kind)]; }
  // Whether those of a kind, if there are any, depend on nothing.
  bool are_constant(BoundedKind kind) const;
  void place(double t, const std::vector<double>& q);
  double value(const BoundedNumber& number) const;
  // The first that is not within its bounds, of one kind, where they were placed.
  const BoundedNumber* violated(BoundedKind kind) const;

 private:
  const Model& model_;
  std::array<std::vector<BoundedNumber>, bounded_kinds> numbers_;
  std::vector<double> e_, bound_, e_T_;
};

// "The restitution of floor is 1.1 at t = 2; it must be in [0, 1].", with as many digits as show that it is not.
std::string violation(const BoundedNumber& number, double value, const std::string& where);
// A number that is not within its bounds, with as many digits.
std::string figure_beyond(double value, const NumberBounds& bounds);

}  // namespace ricochet
