// Trajectories of a sweep under a scheme that chooses its steps: each runs by itself, but for its steps in free flight,
// which are made in lanes. Whoever ends makes room for the next.
#include "ricochet/core/error.hpp"
#include "scheme/event/lane_flights.hpp"
#include "study/sweep/sweep_run.hpp"

namespace ricochet {
namespace {

class FlightCrew {
 public:
  FlightCrew(const SweepCases& cases, const SweepSettings& settings, SweepWork& work)
      : cases_(cases), settings_(settings), work_(work) {}

  void run() {
    for (int l = 0; l < lane_count; ++l) go_on(l);
    while (busy_ > 0 && !is_set(settings_.interrupt)) {
      flights_->fly();
      for (int l = 0; l < lane_count; ++l)
        if (seats_[l].run) go_on(l);
    }
  }

 private:
  struct Seat {
    std::optional<ChainWalk> walk;
    std::unique_ptr<TrajectoryRun> run;
  };

  // Until the seat waits for a step, or nobody is left to take it.
  void go_on(int l) {
    Seat& seat = seats_[l];
    const bool was_busy = seat.run != nullptr;
    while (seat.run || find_next(seat.walk, work_, settings_)) {
      try {
        if (!seat.run) begin(seat, l);
        if (seat.run->waits_after_going_on()) break;
        hand_over(seat, seat.run->end());
      } catch (const InputError& error) {
        hand_over(seat, failed_slot(seat.walk->trajectory(), error.what()));
      }
    }
    busy_ += (seat.run ? 1 : 0) - (was_busy ? 1 : 0);
  }

  void begin(Seat& seat, int l) {
    SweepCase a_case = started_case(cases_, seat.walk->trajectory(), seat.walk->start());
    const std::vector<double> parameters = a_case.parameters;
    seat.run = begin_one(std::move(a_case), settings_, seat.walk->trajectory());
    if (!seat.run->flies_in_lanes()) return;
    if (!model_) {
      model_ = cases_.family()->lanes(parameters);
      flights_ = make_lane_flights(*model_, *cases_.scheme());
    }
    model_->set(l, parameters.data());
    flights_->reload();
    seat.run->join(*flights_, l);
  }

  void hand_over(Seat& seat, SweptSlot&& slot) {
    seat.run.reset();
    if (!slot) return;
    seat.walk->hand_over(std::move(*slot), work_);
  }

  const SweepCases& cases_;
  const SweepSettings& settings_;
  SweepWork& work_;
  std::unique_ptr<LagrangianLanes> model_;
  std::unique_ptr<LaneFlights> flights_;
  Seat seats_[lane_count];
  int busy_ = 0;
};

}  // namespace

bool sweep_flights(const SweepCases& cases, const SweepSettings& settings, SweepWork& work) {
  if (settings.lanes == 1 || settings.lyapunov || cases.family() == nullptr || cases.scheme() == nullptr) return false;
  const Layout& layout = cases.family()->layout();
  if (layout.nb() > 0 || layout.nq() > LaneFlights::most_coordinates || !has_lane_flights(*cases.scheme()))
    return false;
  FlightCrew(cases, settings, work).run();
  return true;
}

}  // namespace ricochet
