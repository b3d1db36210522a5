// What friction does from row to row of a result: phases, forces, what it wears; and where impacts lie.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"

namespace ricochet::report {

// Rows between which and the next an impact lies. Of a located one the states before and after it are rows of one time;
// another at a recorded time may belong to the piece before or after it: where the velocity changes more.
std::vector<bool> jumps_after(const StoredResult& result);

enum class FrictionPhase { open, slides, sticks };
inline const char* phase_color(FrictionPhase phase) { return phase == FrictionPhase::sticks ? "#b0673a" : "#e3a32e"; }

// Of a contact or dry friction with its slips: one, in space two. What is said of a row holds since the row before.
class FrictionRows {
 public:
  FrictionRows(const StoredResult& result, std::string name, std::vector<std::size_t> places);

  const std::string& name() const { return name_; }
  const std::vector<std::size_t>& places() const { return places_; }
  FrictionPhase phase(std::size_t row) const;
  std::vector<double> phases() const;  // of all rows, by number
  // |mean slip| · |impulse|
  double work(std::size_t row) const;
  std::vector<double> power() const;  // no number where an impact lies
  double mean_power() const;          // with what impacts wear

 private:
  const StoredResult* result_;
  std::string name_;
  std::vector<std::size_t> places_;
  int contact_ = -1;
  double rest_ = 0.0;  // slips up to here are round-off
};

std::vector<FrictionRows> frictions_of(const StoredResult& result);
const FrictionRows& owner_of(const std::vector<FrictionRows>& frictions, std::size_t slip);
// What the most held of them does.
FrictionPhase joint_phase(const std::vector<FrictionRows>& frictions, std::size_t row);

// The mean force along a slip since the row before; no number where an impact lies.
std::vector<double> friction_force(const StoredResult& result, std::size_t slip);

}  // namespace ricochet::report
