// What the formulas of a model can give over a range of time, at a position or, without one, anywhere: what check shows
// by intervals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ricochet/formula/interval.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

// The numbers of constraints and frictions that the theory bounds.
enum class BoundedKind : unsigned char { restitution, friction, limit, tangential_restitution };
inline constexpr int bounded_kinds = 4;

class CheckedFormulas {
 public:
  using Interval = formula::Interval;

  // Of a description that lagrangian() takes. For another kind of model one with what it has of them: gaps by their
  // value at q = 0 if they are linear, loads by add_value().
  explicit CheckedFormulas(const LagrangianDescription& description);
  ~CheckedFormulas();

  // A further formula that has to have values, called "load x". What cannot be read counts as not known.
  void add_value(const std::string& label, const std::string& text);
  // The coordinates of the model are not those of the formulas: nothing is known at a position.
  void forget_positions();

  Interval mass(int i, int j, const Interval& t, const std::vector<double>* q) const;
  Interval gap(int j, const Interval& t, const std::vector<double>* q) const;
  // Of a constraint or a friction by its name; no number if there is no formula of it.
  Interval bounded(BoundedKind kind, const std::string& name, const Interval& t, const std::vector<double>* q) const;
  // Numbers given by the same formula have the same mark; −1 without one.
  int mark(BoundedKind kind, const std::string& name) const;
  // Whether it is a formula of the time and of nothing else that changes.
  bool is_of_time(BoundedKind kind, const std::string& name) const;
  // What may have no value, whatever the velocities are: the first of "gap of floor", "force on x", …; empty if all
  // have some.
  std::string lost(const Interval& t, const std::vector<double>* q) const;

  // Tables of functions of the time alone: the times, or what is made of them, that they have and that are asked for.
  struct TableUse {
    std::string file;
    Interval has, asked;
    double before = 0.0, after = 0.0;  // what they are outside
  };
  std::vector<TableUse> tables(const Interval& t) const;

 private:
  struct Formulas;
  std::unique_ptr<Formulas> formulas_;
};

}  // namespace ricochet
