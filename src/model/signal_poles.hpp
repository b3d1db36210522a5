// Poles of the functions of time in a model, one behind the other.
#pragma once

#include <vector>

#include "ricochet/model/time_piece.hpp"

namespace ricochet {

class SignalPoles {
 public:
  void add(const TimePoles& poles) {
    if (poles.count == 0) return;
    all_.push_back(poles);
    count_ += poles.count;
  }
  // Of loads, joints or slips.
  template <class Signal>
  void add_all(const std::vector<Signal>& signals) {
    for (const Signal& signal : signals) add(signal.poles);
  }
  int count() const { return count_; }
  void at(double t, double* functions) const {
    for (const TimePoles& poles : all_) {
      poles.functions(t, functions);
      functions += poles.count;
    }
  }

 private:
  std::vector<TimePoles> all_;
  int count_ = 0;
};

}  // namespace ricochet
