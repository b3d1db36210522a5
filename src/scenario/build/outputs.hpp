// The [[output]] tables of a scenario, compiled.
#pragma once

#include <memory>

#include "ricochet/run/outputs.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "scenario/build/formulas.hpp"

namespace ricochet {

// Units and labels that a scenario gives: of its outputs, then those of [[display]].
std::vector<Display> display_of(const Scenario& scenario);

// Formulas of t, the coordinates, their velocities, the states, the parameters, what the model observes (NAME and
// NAME_dot), and of contacts, frictions and joints what Sample has. Null if the scenario neither names outputs nor says
// how something is shown.
std::shared_ptr<const Outputs> compiled_outputs(const Scenario& scenario, const Layout& layout,
                                                const Parameters& parameters);
// The same with other values of the parameters, in their order.
std::shared_ptr<const Outputs> with_parameters(const std::shared_ptr<const Outputs>& outputs,
                                               const std::vector<double>& values);

}  // namespace ricochet
