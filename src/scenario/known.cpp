#include "ricochet/scenario/known.hpp"

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"

namespace ricochet {
namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

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

}  // namespace

// One formula of t a coordinate, on one tape.
class KnownMotion::Formulas {
 public:
  Formulas(const NamedQuantities& formulas, const std::vector<std::string>& coordinates, const Parameters& parameters,
           const std::string& field) {
    formula::SymbolTable table;
    std::vector<double> values;
    for (const auto& [name, value] : parameters) {
      table.add(name, {formula::Bank::parameter, static_cast<int>(values.size())});
      values.push_back(value);
    }
    formula::Graph graph;
    std::vector<formula::NodeId> nodes;
    for (const std::string& coordinate : coordinates) {
      const auto found =
          std::find_if(formulas.begin(), formulas.end(), [&](const auto& f) { return f.first == coordinate; });
      if (found == formulas.end())
        throw InputError(field, "needs a formula for every coordinate; " + coordinate + " has none");
      try {
        nodes.push_back(formula::parse(graph, found->second.text(), table));
      } catch (const formula::FormulaError& error) {
        throw InputError(field + "." + coordinate, error.what());
      }
    }
    tape_ = formula::Tape(graph, nodes);
    constants_ = tape_.constants(values.data());
    size_ = nodes.size();
  }

  std::vector<double> operator()(double t) const {
    std::vector<double> result(size_);
    tape_.evaluate(formula::Inputs<double>{&t}, constants_.data(), result.data());
    return result;
  }

 private:
  formula::Tape tape_;
  std::vector<double> constants_;
  std::size_t size_ = 0;
};

KnownMotion::KnownMotion(const Scenario& scenario) {
  if (!scenario.known) throw InputError("known", "is missing: the scenario carries no known answer");
  const KnownAnswer& known = *scenario.known;
  const auto& model = std::get<LagrangianDescription>(scenario.model);
  const Parameters parameters = evaluate_parameters(model.parameters);
  if (!known.q.empty()) q_ = std::make_unique<Formulas>(known.q, model.coordinates, parameters, "known.q");
  if (!known.v.empty()) v_ = std::make_unique<Formulas>(known.v, model.coordinates, parameters, "known.v");

  for (std::size_t i = 0; i < known.samples.size(); ++i) {
    const KnownSample& sample = known.samples[i];
    const std::string field = "known.samples[" + std::to_string(i) + "]";
    samples_.push_back({evaluate_quantity(sample.t, parameters, field), evaluate(sample.q, parameters, field),
                        evaluate(sample.v, parameters, field), evaluate(sample.energy, parameters, field)});
  }
  for (std::size_t i = 0; i < known.impacts.size(); ++i) {
    const KnownImpact& impact = known.impacts[i];
    const std::string field = "known.impacts[" + std::to_string(i) + "]";
    const auto found = std::find_if(model.constraints.begin(), model.constraints.end(),
                                    [&](const ConstraintDescription& c) { return c.name == impact.constraint; });
    if (found == model.constraints.end())
      throw InputError(field + ".constraint", "there is no constraint " + impact.constraint);
    impacts_.push_back({evaluate_quantity(impact.t, parameters, field),
                        static_cast<int>(found - model.constraints.begin()),
                        evaluate(impact.rate_minus, parameters, field), evaluate(impact.rate_plus, parameters, field),
                        evaluate(impact.impulse, parameters, field)});
  }

  // Without a window the answer holds over the whole run.
  window_ = {evaluate_quantity(scenario.time.from, parameters, "time.from"),
             evaluate_quantity(scenario.time.until, parameters, "time.until")};
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
