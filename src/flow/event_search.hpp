// The first root of watched functions along an ExponentialArc, by steps that cannot miss one.
//
// With f, f', f'' at s and |f'''| ≤ B on [s, s + h] no root lies before that of
//
//     L(τ) = f − ε + f' τ + ½ f'' τ² − B τ³/6,   τ ≤ h,                                                          (1)
//
// ε being the round-off of f. A function that starts from a root with f' > 0 is divided by τ first, one that touches it
// with f' = 0, f'' > 0 by τ². Where f + ε + f' T + ½ f'' T² + B T³/6 < 0 and f' + f'' T + ½ B T² < 0, f falls all the
// way to its one root in [0, T], and Halley's method finds it. Where f is round-off and flat, the sign of its minimum
// tells a hit from a miss; a minimum that is round-off itself is reported as grazing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/exponential_arc.hpp"

namespace ricochet {

class EventSearch {
 public:
  enum class Watch {
    no,
    open,     // f > 0
    leaving,  // f = 0, f' > 0
    touching  // f = 0, f' = 0, f'' > 0
  };
  struct Event {
    int channel = -1;
    double s = 0.0;
    bool grazing = false;
  };

  static constexpr double round_off = 16.0 * 0x1p-52;  // of a sum of exponentials, in units of its terms

  explicit EventSearch(int watched) : watch_(static_cast<std::size_t>(watched)), lift_(watch_.size()) {}

  // A new arc: how each function is watched, f + lift in its place.
  void set(int j, Watch watch, double lift = 0.0) {
    watch_[static_cast<std::size_t>(j)] = watch;
    lift_[static_cast<std::size_t>(j)] = lift;
  }
  double lift(int j) const { return lift_[static_cast<std::size_t>(j)]; }
  bool watches(int j) const { return watch_[static_cast<std::size_t>(j)] != Watch::no; }
  void begin() { s_ = 0.0; }
  // The next arc continues this one.
  void go_on() {
    for (Watch& watch : watch_)
      if (watch != Watch::no) watch = Watch::open;
  }

  // One safe step, at most to `end`; the event if one was found. No step where a function has left the numbers.
  std::optional<Event> step(ExponentialArc& arc, double end);
  // No event lies before.
  double s() const { return s_; }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  double safe_step(const ExponentialArc& arc, int j, const ExponentialArc::Jet& jet, double noise,
                   double furthest) const;
  double falls_to_root(const ExponentialArc& arc, int j, const ExponentialArc::Jet& jet, double noise) const;
  double polish(ExponentialArc& arc, int j, double lower, double upper, double s);
  std::optional<Event> look_at_minimum(ExponentialArc& arc, int j, ExponentialArc::Jet jet, double end);
  ExponentialArc::Jet jet_at(ExponentialArc& arc, int j, double s) {
    ++evaluations_;
    arc.place(s);
    ExponentialArc::Jet jet = arc.jet(j);
    jet.f += lift_[static_cast<std::size_t>(j)];
    return jet;
  }

  std::vector<Watch> watch_;
  std::vector<double> lift_;
  double s_ = 0.0;
  std::uint64_t evaluations_ = 0;
};

}  // namespace ricochet
