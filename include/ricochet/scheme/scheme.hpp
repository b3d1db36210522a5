// A scheme as a value: its name in the catalogue and its parameters. What the command line lists, the
// scenario reader accepts, the docs show and the contract tests run comes from the catalogue alone.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

using ParameterValue = std::variant<double, std::string>;

struct Scheme {
  std::string name;
  std::vector<std::pair<std::string, ParameterValue>> values = {};  // those not given have their defaults
  bool operator==(const Scheme&) const = default;
};

class LaneStepper;

// One parameter of a scheme: a number in a range, or one word of a list.
struct ParameterSpec {
  std::string_view name;
  std::string_view symbol;   // θ
  std::string_view meaning;  // one line
  ParameterValue fallback;   // the default
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  std::vector<std::string> words = {};  // allowed words, if it is not a number
};

// What happens to a body that rests on a fixed obstacle under a constant force.
enum class RestBehaviour { stays, sinks };

struct SchemeEntry {
  std::string_view name;
  std::string_view summary;      // one line
  std::string_view explanation;  // a paragraph: good at, bad at, energy
  std::string_view order;        // "2 in free flight (θ = ½, otherwise 1), 1 across impacts"
  std::string_view reference;    // with DOI
  double flight_order = 1.0;     // of positions with default parameters
  double impact_order = 1.0;     // the same across impacts; at least this, where it is more than 1
  RestBehaviour rest = RestBehaviour::stays;
  bool inelastic_only = false;   // refuses constraints with e > 0
  bool position_law = false;     // contacts at position level: the rate after an impact is −e U⁻ up to O(h)
  bool chooses_steps = false;    // `step` is then the recording interval
  bool locates_impacts = false;  // finds their times, and does not only meet them in a step
  bool energy_identity = true;   // on linear systems the account closes by an identity of the scheme
  bool compliant = false;        // contacts have a stiffness: impacts last, obstacles are entered
  std::vector<ParameterSpec> parameters;
  std::unique_ptr<Stepper> (*make)(const Model&, const Scheme&, const ComplementaritySettings&);
  // The same equations over lanes, for schemes that have them.
  std::unique_ptr<LaneStepper> (*make_lanes)(const Mechanics<Lanes>&, const Scheme&,
                                             const ComplementaritySettings&) = nullptr;
};

std::span<const SchemeEntry> catalogue();

// Throws InputError ("scheme.name") that names the nearest scheme.
const SchemeEntry& find_scheme(std::string_view name);

// Throws InputError ("scheme.theta") for an unknown parameter, a wrong type or a value outside its range.
void check(const Scheme& scheme);

// The value of a parameter: given, or its default.
ParameterValue parameter(const Scheme& scheme, std::string_view name);

// A stepper for the model; throws InputError if the scheme refuses the model or a parameter.
std::unique_ptr<Stepper> make_stepper(const Model& model, const Scheme& scheme,
                                      const ComplementaritySettings& solver = {});

}  // namespace ricochet
