#include "scheme/event/lane_flights.hpp"

#include "formula/execute.hpp"

namespace ricochet {

LaneFlights::LaneFlights(const Mechanics<Lanes>& model, const Tableau& tableau, const StepSettings& settings)
    : model_(model), steps_(tableau, 2 * model.nq() + model.nz(), settings), wide_(formula::has_avx2()) {}

// With everything inlined for machines with registers of four doubles; as it comes for all others.
#if defined(__x86_64__) && !defined(RICOCHET_NO_CLONES)
[[gnu::target("avx2"), gnu::flatten]] void LaneFlights::fly_wide() { make_steps(); }
#else
void LaneFlights::fly_wide() { fly_baseline(); }
#endif
void LaneFlights::fly_baseline() { make_steps(); }

}  // namespace ricochet
