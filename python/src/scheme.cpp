// The catalogues of schemes and of solvers, as data from which the Python classes are made.

#include "bindings.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/io/scenario/option_text.hpp"

namespace ricochet::python {

namespace {

py::dict described(const ParameterSpec& spec) {
  py::dict result;
  result["name"] = std::string(spec.name);
  result["symbol"] = std::string(spec.symbol);
  result["meaning"] = std::string(spec.meaning);
  result["default"] = py::cast(spec.fallback);
  if (spec.whole) result["default"] = static_cast<int>(std::get<double>(spec.fallback));
  result["whole"] = spec.whole;
  result["lower"] = spec.lower;
  result["upper"] = spec.upper;
  result["words"] = spec.words;
  return result;
}

py::dict described(const Traits& traits) {
  py::dict result;
  result["takes_states"] = traits.takes_states;
  result["inelastic_only"] = traits.inelastic_only;
  result["chooses_steps"] = traits.chooses_steps;
  result["locates_impacts"] = traits.locates_impacts;
  return result;
}

py::dict described(const SchemeEntry& entry) {
  py::dict result;
  result["name"] = std::string(entry.name);
  result["summary"] = std::string(entry.summary);
  result["explanation"] = std::string(entry.explanation);
  result["order"] = std::string(entry.order);
  result["reference"] = std::string(entry.literature);
  result["flight_order"] = entry.flight_order;
  result["impact_order"] = entry.impact_order;
  result["traits"] = described(traits(entry));
  py::list parameters;
  for (const ParameterSpec& spec : entry.parameters) parameters.append(described(spec));
  result["parameters"] = parameters;
  return result;
}

py::dict described(const SolverEntry& entry) {
  py::dict result;
  result["name"] = std::string(entry.name);
  result["summary"] = std::string(entry.summary);
  result["explanation"] = std::string(entry.explanation);
  result["reference"] = std::string(entry.reference);
  result["tolerance"] = entry.tolerance;
  return result;
}

template <class Entries>
py::list listed(const Entries& entries) {
  py::list result;
  for (const auto& entry : entries) result.append(described(entry));
  return result;
}

}  // namespace

void bind_scheme(py::module_& module) {
  module.def("catalogue", [] { return listed(catalogue()); });
  module.def("solvers", [] { return listed(solvers()); });
  module.def(
      "check_scheme",
      [](const std::string& name, const SchemeValues& values) {
        check(Scheme{name, values});
        return described(traits({name, values}));
      },
      py::arg("name"), py::arg("values"));
  // "moreau-jean:theta=1" -> ("moreau-jean", [("theta", 1.0)])
  module.def(
      "parse_schemes",
      [](const std::string& text) {
        py::list result;
        for (const SchemeChoice& choice : parse_schemes(text))
          result.append(py::make_tuple(choice.label, choice.scheme.name, choice.scheme.values));
        return result;
      },
      py::arg("text"));
  module.def(
      "check_solver",
      [](const std::string& name, double tolerance, int max_iterations, double relaxation) {
        find_solver(name);
        check(ComplementaritySettings{
            .solver = name, .tolerance = tolerance, .max_iterations = max_iterations, .relaxation = relaxation});
      },
      py::arg("name"), py::arg("tolerance"), py::arg("max_iterations"), py::arg("relaxation"));
  module.def(
      "no_such",
      [](const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
        return no_such(kind, name, known);
      },
      py::arg("kind"), py::arg("name"), py::arg("known"));
}

}  // namespace ricochet::python
