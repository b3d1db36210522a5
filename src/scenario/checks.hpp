// Checks that validate() and build() share. All throw InputError.
#pragma once

#include <string>

#include "ricochet/scenario/describe.hpp"

namespace ricochet {

// Finite, and in the range.
void check_number(double value, const Range& range, const std::string& field);

// Every number of a scenario is finite and in the range of its key.
void check_numbers(const Scenario& scenario);

}  // namespace ricochet
