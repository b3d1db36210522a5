// A scheme as a value: its name in the catalogue and its parameters. What the command line lists, the
// scenario reader accepts, the docs show and the contract tests run comes from the catalogue alone.
#pragma once

#include <limits>
#include <memory>
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

using ParameterValue = std::variant<double, bool, std::string>;

struct Scheme {
  std::string name;
  std::vector<std::pair<std::string, ParameterValue>> values = {};  // those not given have their defaults
  bool operator==(const Scheme&) const = default;
};

// One parameter of a scheme: a number in a range, one word of a list, or on and off.
struct ParameterSpec {
  std::string_view name;
  std::string_view symbol;        // θ
  std::string_view meaning;       // one line
  ParameterValue fallback = 0.0;  // the default
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  std::vector<std::string> words = {};  // allowed words, if it is not a number
  bool whole = false;                   // a whole number
  bool positive = false;                // `lower` is 0, and is itself not allowed
};

// What a scheme does, with the parameters that it has.
struct Traits {
  bool takes_states = false;     // auxiliary states
  bool takes_friction = false;   // Coulomb's and dry friction
  bool inelastic_only = false;   // refuses constraints with e > 0
  bool position_law = false;     // contacts at position level: the rate after an impact is −e U⁻ up to O(h)
  bool compliant = false;        // contacts have a stiffness: impacts last, obstacles are entered
  bool chooses_steps = false;    // `step` is then the recording interval
  bool locates_impacts = false;  // finds their times, and does not only meet them in a step
  bool energy_identity = true;   // on linear systems the account closes by an identity of the scheme
};

class LaneStepper;

struct SchemeEntry {
  std::string_view name;
  std::string_view summary;      // one line
  std::string_view explanation;  // a paragraph: good at, bad at, energy
  std::string_view order;        // "2 in free flight (θ = ½, otherwise 1), 1 across impacts"
  std::string_view literature;   // with DOI
  double flight_order = 1.0;     // of positions with default parameters
  double impact_order = 1.0;     // the same across impacts; at least this, where it is more than 1
  std::vector<ParameterSpec> parameters = {};
  Traits (*traits)(const Scheme&) = [](const Scheme&) { return Traits{}; };
  std::unique_ptr<Stepper> (*make)(const Model&, const Scheme&, const ComplementaritySettings&);
  // The same equations over lanes, for schemes that have them; null for models that lanes do not take.
  std::unique_ptr<LaneStepper> (*make_lanes)(const Mechanics<Lanes>&, const Scheme&,
                                             const ComplementaritySettings&) = nullptr;

  operator Scheme() const { return {std::string(name)}; }  // NOLINT: with its defaults
};

std::span<const SchemeEntry> catalogue();

// Throws InputError ("scheme.name") that names the nearest scheme.
const SchemeEntry& find_scheme(std::string_view name);

// Throws InputError ("scheme.theta") for an unknown parameter, a wrong type or a value outside its range.
void check(const Scheme& scheme);

// The scheme must pass check().
Traits traits(const Scheme& scheme);

// How a parameter is described; null if the scheme has none of this name.
const ParameterSpec* find_parameter(const SchemeEntry& entry, std::string_view name);

// The value of a parameter as it is shown: given, or its default; a bool by its word, on or off.
ParameterValue parameter(const Scheme& scheme, std::string_view name);

// A stepper for the model; throws InputError if the scheme refuses the model or a parameter.
std::unique_ptr<Stepper> make_stepper(const Model& model, const Scheme& scheme,
                                      const ComplementaritySettings& solver = {});

}  // namespace ricochet
