// Checks that validate() and build() share. All throw InputError.
#pragma once

#include <string>

#include "ricochet/scenario/describe.hpp"

namespace ricochet {

// Finite, and in the range.
void check_number(double value, const Range& range, const std::string& field);

// Every number of a scenario is finite and in the range of its key.
void check_numbers(const Scenario& scenario);

// The names of formulas: a letter or _, then letters, digits and _; with `hyphens` also -.
void check_name(const std::string& name, const std::string& field, bool hyphens);

// The keys of `values` are among the names, each at most once; with `all`, each exactly once. `what` they name:
// "coordinate".
void check_by_name(const NamedQuantities& values, const std::vector<std::string>& names, const std::string& field,
                   const char* what, bool all);
void check_initial(const Initial& initial, const std::vector<std::string>& coordinates, bool all);
void check_known(const KnownAnswer& known, const std::vector<std::string>& coordinates,
                 const std::vector<std::string>& constraints, const std::vector<std::string>& observations);
// Words and combinations of a [sweep] table.
void check_sweep(const SweepDescription& sweep);

}  // namespace ricochet
