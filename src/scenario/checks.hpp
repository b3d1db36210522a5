// Checks that validate() and build() share. All throw InputError.
#pragma once

#include <string>
#include <vector>

#include "ricochet/scenario/scenario.hpp"
#include "scenario/keys/key.hpp"

namespace ricochet {

// Finite, and in the range.
void check_number(double value, const Range& range, const std::string& field);

// Every number of a scenario is finite and in the range of its key.
void check_numbers(const Scenario& scenario);

// The names of formulas: a letter or _, then letters, digits and _; with `hyphens` also -.
void check_name(const std::string& name, const std::string& field, bool hyphens);

// The position of a word among those that are allowed.
std::size_t position_of(const std::string& word, const std::vector<std::string>& allowed, const std::string& field);

// A number of elements or beads, from 1 to 10⁷.
int checked_count(std::uint64_t count, const std::string& field);

// The position of the first name that an earlier one equals; their number if all differ.
std::size_t first_repeated(const std::vector<std::string>& names);

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
