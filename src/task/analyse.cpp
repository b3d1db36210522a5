#include "ricochet/task/analyse.hpp"

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/io/result/slip_columns.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet {
namespace {

constexpr std::size_t most_coordinates = 6;

// visit(name, column) for every column but t and event.
template <class Visit>
void for_columns(const StoredResult& result, const Visit& visit) {
  const auto all = [&](const std::vector<std::string>& names, const StoredResult::Columns& columns,
                       const char* ending) {
    for (std::size_t k = 0; k < std::min(names.size(), columns.size()); ++k) visit(names[k] + ending, columns[k]);
  };
  all(result.coordinates, result.q, "");
  all(result.coordinates, result.v, "_dot");
  all(result.states, result.z, "");
  all(result.constraints, result.gap, ".gap");
  all(result.constraints, result.rate, ".rate");
  all(result.constraints, result.impulse, ".impulse");
  all(result.slips, result.slip, "");
  std::vector<std::string> frictions;
  std::transform(result.slips.begin(), result.slips.end(), std::back_inserter(frictions), friction_name);
  all(frictions, result.friction, "");
  all(result.joints, result.reaction, "");
  all(result.outputs, result.output, "");
  if (!result.kinetic.empty()) visit("energy.kinetic", result.kinetic);
  if (!result.potential.empty()) visit("energy.potential", result.potential);
  all(result.observations, result.observed, "");
  all(result.observations, result.observed_rate, "_dot");
}

// What was asked for by name, then the coordinates, unless they are many; or else where contacts are.
std::vector<std::string> usual_quantities(const StoredResult& result) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& some, const char* ending, std::size_t most) {
    for (std::size_t k = 0; k < std::min(most, some.size()); ++k) names.push_back(some[k] + ending);
  };
  add(result.observations, "", result.observations.size());
  add(result.outputs, "", result.outputs.size());
  if (result.coordinates.size() <= most_coordinates) add(result.coordinates, "", most_coordinates);
  if (names.empty()) add(result.constraints, ".gap", std::min(most_coordinates, result.gap.size()));
  if (names.empty()) add(result.coordinates, "", most_coordinates);
  return names;
}

bool is_compliant(const StoredResult& result) {
  for (const SchemeEntry& entry : catalogue())
    if (entry.name == result.scheme) return entry.traits(Scheme(entry)).compliant;
  return false;
}

RecordedColumns::Contact contact_of(const StoredResult& result, std::size_t j) {
  RecordedColumns::Contact contact{.name = result.constraints[j], .impulse = &result.impulse[j]};
  for (const SlipGroup& group : slip_groups(result.slips))
    if (group.name == contact.name)
      for (std::size_t k = group.first; k < group.first + group.count && k < result.friction.size(); ++k) {
        contact.slip.push_back(&result.slip[k]);
        contact.friction.push_back(&result.friction[k]);
      }
  return contact;
}

}  // namespace

std::vector<std::string> column_names(const StoredResult& result) {
  std::vector<std::string> names;
  for_columns(result, [&](const std::string& name, const std::vector<double>&) { names.push_back(name); });
  return names;
}

std::vector<double> column(const StoredResult& result, const std::string& name) {
  const std::vector<double>* found = nullptr;
  for_columns(result, [&](const std::string& other, const std::vector<double>& values) {
    if (other == name && found == nullptr) found = &values;
  });
  if (found == nullptr) throw InputError("quantity", no_such("column", name, column_names(result)));
  return *found;
}

AnalyseOutcome analyse_result(const StoredResult& result, const AnalyseRequest& request) {
  RecordedColumns motion{.t = &result.t, .event = &result.event, .impacts = &result.impacts};
  motion.compliant = is_compliant(result);
  for (std::size_t j = 0; j < std::min(result.constraints.size(), result.impulse.size()); ++j)
    motion.contacts.push_back(contact_of(result, j));
  const std::vector<std::string> names = request.quantities.empty() ? usual_quantities(result) : request.quantities;
  StoredResult::Columns columns;
  for (const std::string& name : names) columns.push_back(column(result, name));
  for (std::size_t k = 0; k < names.size(); ++k) motion.quantities.push_back({names[k], &columns[k]});
  return {result.title, result.scheme, result.status, result.display, analyse(motion, request.settings)};
}

}  // namespace ricochet
