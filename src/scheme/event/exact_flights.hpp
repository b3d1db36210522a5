// Event-driven integration with flights in closed form: linear models whose loads are sums of TimeTerms.
//
// The motion between events is an arc of LinearFlow, lasting contacts included; the next event is the first root of the
// gaps of open contacts and the forces of closed ones along it (flow/event_search.hpp). There are no steps: rtol and
// atol have no effect, and the motion does not depend on when it is recorded. Works and impulses of lasting contact are
// integrals along the arc, by Gauss-Legendre quadrature with 8 points on at most 1.5/ρ, ρ being the fastest rate: the
// error of what goes like e^{2iρs} is below 1e-15.
#pragma once

#include <memory>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/event_driven.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/event/motion_phases.hpp"

namespace ricochet {

// Automatic flights are exact up to so many coordinates: the cost of an arc grows with their square.
inline constexpr int most_exact_coordinates = 32;

// A stepper whose motion is in closed form: it knows all rates of the forces, and says itself which numbers do not
// resolve.
class ClosedFormStepper : public Stepper {};

std::unique_ptr<Stepper> exact_flights(const Model& model, const EventDriven& settings,
                                       const ComplementaritySettings& solver,
                                       std::vector<MotionPhase>* phases = nullptr);

}  // namespace ricochet
