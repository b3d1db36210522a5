#include "ricochet/scenario/known.hpp"

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "scenario/build/formulas.hpp"
#include "scenario/checks.hpp"

namespace ricochet {
namespace {

std::optional<double> evaluate(const std::optional<Quantity>& quantity, const Parameters& parameters,
                               const std::string& field) {
  if (!quantity) return std::nullopt;
  return evaluate_quantity(*quantity, parameters, field);
}

std::vector<double> evaluate(const std::vector<Quantity>& quantities, const Parameters& parameters,
                             const std::string& field) {
  std::vector<double> values;
  for (const Quantity& quantity : quantities) values.push_back(evaluate_quantity(quantity, parameters, field));
  return values;
}

int position(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

// One formula of t a coordinate, in the order of the coordinates.
std::unique_ptr<Formulas> formulas(const NamedQuantities& texts, const std::vector<std::string>& coordinates,
                                   const Parameters& parameters, const std::string& field) {
  if (texts.empty()) return nullptr;
  std::vector<Formulas::Item> items(coordinates.size());
  for (const auto& [name, formula] : texts)
    items[static_cast<std::size_t>(position(coordinates, name))] = {field + "." + name, formula.text()};
  return std::make_unique<Formulas>(items, parameters);
}

}  // namespace

KnownMotion::KnownMotion(const Scenario& scenario, const Problem& problem) {
  if (!scenario.known) throw InputError("known", "is missing: the scenario carries no known answer");
  const KnownAnswer& known = *scenario.known;
  const Layout& layout = problem.model->layout();
  const Parameters& parameters = problem.parameters;
  check_known(known, layout.coordinates, layout.constraints, layout.observations);
  q_ = formulas(known.q, layout.coordinates, parameters, "known.q");
  v_ = formulas(known.v, layout.coordinates, parameters, "known.v");

  for (std::size_t i = 0; i < known.samples.size(); ++i) {
    const KnownSample& sample = known.samples[i];
    const std::string field = "known.samples[" + std::to_string(i) + "]";
    std::vector<std::pair<int, double>> observed;
    for (const auto& [name, value] : sample.observed)
      observed.emplace_back(position(layout.observations, name), evaluate_quantity(value, parameters, field));
    samples_.push_back({evaluate_quantity(sample.t, parameters, field), evaluate(sample.q, parameters, field),
                        evaluate(sample.v, parameters, field), std::move(observed),
                        evaluate(sample.energy, parameters, field)});
  }
  for (std::size_t i = 0; i < known.impacts.size(); ++i) {
    const KnownImpact& impact = known.impacts[i];
    const std::string field = "known.impacts[" + std::to_string(i) + "]";
    impacts_.push_back({evaluate_quantity(impact.t, parameters, field), position(layout.constraints, impact.constraint),
                        evaluate(impact.rate_minus, parameters, field), evaluate(impact.rate_plus, parameters, field),
                        evaluate(impact.impulse, parameters, field)});
  }

  // Without a window the answer holds over the whole run.
  window_ = problem.span;
  if (known.window.size() == 2)
    window_ = {evaluate_quantity(known.window[0], parameters, "known.window"),
               evaluate_quantity(known.window[1], parameters, "known.window")};
  error_ = evaluate(known.error, parameters, "known.error");
  time_error_ = evaluate(known.time_error, parameters, "known.time_error");
}

KnownMotion::~KnownMotion() = default;
KnownMotion::KnownMotion(KnownMotion&&) noexcept = default;
KnownMotion& KnownMotion::operator=(KnownMotion&&) noexcept = default;

bool KnownMotion::has_q() const { return q_ != nullptr; }
bool KnownMotion::has_v() const { return v_ != nullptr; }
std::vector<double> KnownMotion::q(double t) const { return (*q_)(t); }
std::vector<double> KnownMotion::v(double t) const { return (*v_)(t); }

}  // namespace ricochet
