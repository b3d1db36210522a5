#include "scheme/kernel/restitutions.hpp"

#include <algorithm>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

// Empty if one of them is a formula.
std::vector<double> constant_restitutions(const Model& model) {
  if (!model.layout().structure.constant_restitution) return {};
  std::vector<double> e(static_cast<std::size_t>(model.nc())), origin(static_cast<std::size_t>(model.nq()), 0.0);
  model.restitution(0.0, origin.data(), e.data());
  return e;
}

}  // namespace

std::optional<double> largest_restitution(const Model& model) {
  const std::vector<double> e = constant_restitutions(model);
  if (e.empty()) return std::nullopt;
  return *std::max_element(e.begin(), e.end());
}

void refuse_rebound(const Model& model, std::string_view scheme, std::string_view instead) {
  if (model.nc() == 0) return;
  const std::optional<double> e = largest_restitution(model);
  if (e && *e == 0.0) return;
  throw InputError("scheme.name", std::string(scheme) + " takes inelastic impacts only: every restitution must be 0" +
                                      (e ? ", one is " + to_text(*e) : std::string(", one is a formula")) + "; " +
                                      std::string(instead) + " takes any");
}

void refuse_different_restitutions(const Model& model, std::string_view scheme) {
  if (model.nc() == 0) return;
  const std::vector<double> e = constant_restitutions(model);
  const std::string wants = std::string(scheme) + " needs one restitution for all constraints";
  if (e.empty()) throw InputError("scheme.name", wants + ", one is a formula; moreau takes any");
  for (std::size_t j = 1; j < e.size(); ++j)
    if (e[j] != e[0])
      throw InputError("scheme.name", wants + ": that of " + model.layout().constraints[0] + " is " + to_text(e[0]) +
                                          ", that of " + model.layout().constraints[j] + " is " + to_text(e[j]) +
                                          "; moreau takes any");
}

}  // namespace ricochet
