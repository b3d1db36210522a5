#include "ricochet/io/result/slip_columns.hpp"

#include <algorithm>

namespace ricochet {

namespace {

constexpr std::string_view mark = ".slip";

std::string_view owner(std::string_view slip) { return slip.substr(0, std::min(slip.rfind(mark), slip.size())); }

}  // namespace

std::vector<SlipGroup> slip_groups(const std::vector<std::string>& slips) {
  std::vector<SlipGroup> groups;
  for (std::size_t k = 0; k < slips.size(); ++k) {
    const std::string_view name = owner(slips[k]);
    if (!groups.empty() && groups.back().name == name)
      ++groups.back().count;
    else
      groups.push_back({std::string(name), k});
  }
  return groups;
}

std::vector<std::size_t> contact_slips(const std::vector<std::string>& constraints,
                                       const std::vector<std::string>& slips) {
  std::vector<std::size_t> counts(constraints.size(), 0);
  for (const SlipGroup& group : slip_groups(slips)) {
    const auto found = std::find(constraints.begin(), constraints.end(), group.name);
    if (found != constraints.end()) counts[static_cast<std::size_t>(found - constraints.begin())] = group.count;
  }
  return counts;
}

std::size_t contact_slips_max(const std::vector<std::string>& constraints, const std::vector<std::string>& slips) {
  std::size_t most = 0;
  for (const std::size_t count : contact_slips(constraints, slips)) most = std::max(most, count);
  return most;
}

std::string friction_name(std::string_view slip) {
  const std::string_view name = owner(slip);
  return std::string(name) + ".friction" + std::string(slip.substr(std::min(name.size() + mark.size(), slip.size())));
}

}  // namespace ricochet
