// Free motion of several trajectories side by side, one a lane, each with its own steps and events: a FreeStepper that
// has joined puts its next step here and waits; when all do, fly() makes them together. The bits are those of steps
// made alone.
#pragma once

#include <memory>

#include "ricochet/model/model.hpp"
#include "ricochet/scheme/scheme.hpp"
#include "runge_kutta/lane_steps.hpp"
#include "scheme/kernel/free_flight.hpp"

namespace ricochet {

class LaneFlights {
 public:
  static constexpr int most_coordinates = 16;  // more have sparse matrices

  LaneFlights(const Mechanics<Lanes>& model, const Tableau& tableau, const StepSettings& settings);

  // The model's values of a lane were set from outside.
  void reload() { mass_.forget(); }
  // The steps of all who wait; other lanes repeat what was last in them.
  void fly() { wide_ ? fly_wide() : fly_baseline(); }
  LaneSteps& steps() { return steps_; }

 private:
  struct Motion {
    const Mechanics<Lanes>& model;
    MassFactors<Lanes>& mass;
    bool operator()(const Lanes& t, const Lanes* y, Lanes* dy) { return ricochet::fly(model, mass, t, y, dy); }
  };
  void make_steps() {
    Motion motion{model_, mass_};
    steps_.make(motion);
  }
  void fly_wide();
  void fly_baseline();

  const Mechanics<Lanes>& model_;
  MassFactors<Lanes> mass_{model_};
  LaneSteps steps_;
  const bool wide_;
};

// Of schemes that have them.
bool has_lane_flights(const Scheme& scheme);
std::unique_ptr<LaneFlights> make_lane_flights(const Mechanics<Lanes>& model, const Scheme& scheme);

}  // namespace ricochet
