// Slides that end where no acceleration obeys Coulomb's law, or two do (Painlevé): time stepping jumps there in a step,
// as an impact without collision does, and says nothing.
//
// A sliding contact has Γ_N = b + A λ_N with A = W_NN − μ s·W_NT: A < 0 and b < 0 leave no acceleration, A < 0 and b >
// 0 two. Looked at where a contact slides at the start, and where it stops or turns between two records that are a step
// apart: a slide that goes on has an acceleration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "run/start.hpp"

namespace ricochet {

class SlideWatch {
 public:
  // h: the step.
  SlideWatch(const Model& model, double h);

  // Of a record, with the impulses of contacts since the last one; what is to be told, or nothing.
  std::string see(const State& state, const GapRates& rates, const std::vector<double>& impulse);

 private:
  struct Slide {
    FrictionModes::Entry friction;
    double speed = 0.0;  // 0: it rests
  };
  void find_touching(const State& state, const GapRates& rates, const std::vector<double>& impulse);
  void find_slides(const State& state, const GapRates& rates);
  std::string look(const State& state, const std::vector<double>& v, const std::vector<Slide>& slides);

  static constexpr int most_touching = 4;  // contacts whose ways of moving on are tried together
  const Model& model_;
  const double h_;
  std::optional<ContactAcceleration<double>> forces_;  // only with contacts that have friction
  std::vector<char> touching_, touched_;               // now, and at the last record
  std::vector<Slide> slides_, slid_;                   // by friction: the same
  std::vector<double> v_;                              // at the last record
  double t_ = 0.0;
};

}  // namespace ricochet
