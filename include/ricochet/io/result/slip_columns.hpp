// The slips of a result: how their columns are called and which belong together.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

// By SlipStatus.
constexpr std::array<std::string_view, 4> slip_statuses = {"none", "stick", "slide", "reverse"};

// The slips of one friction among all: "floor.slip" alone, or "floor.slip.1" and "floor.slip.2".
struct SlipGroup {
  std::string name;  // "floor"
  std::size_t first = 0, count = 1;
};
std::vector<SlipGroup> slip_groups(const std::vector<std::string>& slips);

// One for each constraint: how many slips it has.
std::vector<std::size_t> contact_slips(const std::vector<std::string>& constraints,
                                       const std::vector<std::string>& slips);
// The most that a contact has: 0 without friction of contacts, 1 in the plane, 2 in space.
std::size_t contact_slips_max(const std::vector<std::string>& constraints, const std::vector<std::string>& slips);

// "floor.friction.1" of "floor.slip.1".
std::string friction_name(std::string_view slip);

}  // namespace ricochet
