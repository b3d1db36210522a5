// The list of schemes. A new scheme joins the command line, the docs, the scenario reader and the
// contract tests by its line here.
#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"

namespace ricochet {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string range_text(const ParameterSpec& spec) {
  if (!spec.words.empty()) return "one of " + joined(spec.words);
  if (std::isinf(spec.upper)) return "at least " + to_text(spec.lower);
  return "in [" + to_text(spec.lower) + ", " + to_text(spec.upper) + "]";
}

std::string given_text(const ParameterValue& value) {
  if (const double* number = std::get_if<double>(&value)) return to_text(*number);
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return "\"" + std::get<std::string>(value) + "\"";
}

void check_number(const ParameterSpec& spec, double value, const std::string& field) {
  if (!(value >= spec.lower && value <= spec.upper) || !std::isfinite(value))
    throw InputError(field, "must be " + range_text(spec) + ", got " + to_text(value));
  if (spec.positive && value == 0.0) throw InputError(field, "must be positive, got " + to_text(value));
  if (spec.whole && value != std::floor(value))
    throw InputError(field, "must be a whole number, got " + to_text(value));
}

void check_value(const ParameterSpec& spec, const ParameterValue& value, const std::string& field) {
  const double* number = std::get_if<double>(&value);
  const std::string* word = std::get_if<std::string>(&value);
  if (number && spec.words.empty()) return check_number(spec, *number, field);
  if (spec.words.empty())
    throw InputError(field, "must be a number " + range_text(spec) + ", got " + given_text(value));
  if (std::holds_alternative<bool>(spec.fallback) && !number && (!word || bool_of(*word))) return;
  if (word && std::find(spec.words.begin(), spec.words.end(), *word) != spec.words.end()) return;
  throw InputError(field, "must be " + range_text(spec) + ", got " + (number ? "the number " : "") + given_text(value));
}

void refuse_states(const Model& model, const std::string& scheme) {
  if (model.nz() > 0)
    throw InputError("scheme.name",
                     scheme + " cannot take auxiliary states (" + model.layout().states[0] + "); moreau-jean can");
}

void refuse_friction_and_joints(const Model& model, const std::string& scheme) {
  const Layout& layout = model.layout();
  if (layout.joints.empty() && layout.frictions.empty()) return;
  const bool joints = !layout.joints.empty();
  throw InputError(
      "scheme.name",
      scheme + " works on positions and has no velocity at a contact; " +
          (joints ? "joints (" + layout.joints[0].name + ")" : "friction (of " + layout.frictions[0].name + ")") +
          (joints ? " need" : " needs") + " moreau-jean, newmark, event-driven or another scheme in velocities");
}

void refuse_friction(const Model& model, const std::string& scheme) {
  if (model.nf() > 0)
    throw InputError("scheme.name", scheme + " cannot take friction (of " + model.layout().frictions[0].name +
                                        ") yet; moreau-jean, newmark and nsga can");
}

[[noreturn]] void refuse_unknown(const SchemeEntry& entry, const std::string& name) {
  std::vector<std::string> known;
  for (const ParameterSpec& spec : entry.parameters) known.emplace_back(spec.name);
  const std::string_view near = nearest(name, known);
  std::string message = "is not a parameter of " + std::string(entry.name) + " (it has: " + joined(known) + ")";
  if (!near.empty()) message += "; did you mean " + std::string(near) + "?";
  throw InputError("scheme." + name, message);
}

}  // namespace

// clang-format off
constexpr SchemeEntry (*listed[])() = {
    scheme_entry<struct Moreau>,
    scheme_entry<struct MoreauInelastic>,
    scheme_entry<struct Mabrouk>,
    scheme_entry<struct FeasiblePosition>,
    scheme_entry<struct PaoliSchatzman>,
    scheme_entry<struct MoreauJean>,
    scheme_entry<struct MoreauJeanDissipative>,
    scheme_entry<struct Newmark>,
    scheme_entry<struct Hht>,
    scheme_entry<struct GeneralizedAlpha>,
    scheme_entry<struct Nsga>,
    scheme_entry<struct MoreauJeanAdaptive>,
    scheme_entry<struct ExtrapolatedMoreau>,
    scheme_entry<struct D1Minus>,
    scheme_entry<struct Splitting>,
    scheme_entry<struct EventDriven>,
    scheme_entry<struct Mannshardt>,
    scheme_entry<struct Penalty>,
};
// clang-format on

std::span<const SchemeEntry> catalogue() {
  static const std::vector<SchemeEntry> entries = [] {
    std::vector<SchemeEntry> all;
    for (const auto entry : listed) all.push_back(entry());
    return all;
  }();
  return entries;
}

const SchemeEntry& find_scheme(std::string_view name) {
  for (const SchemeEntry& entry : catalogue())
    if (entry.name == name) return entry;
  std::vector<std::string> known;
  for (const SchemeEntry& entry : catalogue()) known.emplace_back(entry.name);
  throw InputError("scheme.name", no_such("scheme", name, known));
}

void check(const Scheme& scheme) {
  const SchemeEntry& entry = find_scheme(scheme.name);
  for (std::size_t i = 0; i < scheme.values.size(); ++i) {
    const auto& [name, value] = scheme.values[i];
    const ParameterSpec* spec = find_parameter(entry, name);
    if (spec == nullptr) refuse_unknown(entry, name);
    for (std::size_t k = 0; k < i; ++k)
      if (scheme.values[k].first == name) throw InputError("scheme." + name, "is given twice");
    check_value(*spec, value, "scheme." + name);
  }
}

Traits traits(const Scheme& scheme) { return find_scheme(scheme.name).traits(scheme); }

const ParameterSpec* find_parameter(const SchemeEntry& entry, std::string_view name) {
  for (const ParameterSpec& spec : entry.parameters)
    if (spec.name == name) return &spec;
  return nullptr;
}

ParameterValue parameter(const Scheme& scheme, std::string_view name) {
  const SchemeEntry& entry = find_scheme(scheme.name);
  const ParameterSpec* spec = find_parameter(entry, name);
  if (spec == nullptr) refuse_unknown(entry, std::string(name));
  ParameterValue shown = spec->fallback;
  for (const auto& [given, value] : scheme.values)
    if (given == name) shown = value;
  if (!std::holds_alternative<bool>(spec->fallback)) return shown;
  if (const std::string* word = std::get_if<std::string>(&shown)) shown = bool_of(*word).value_or(false);
  const bool* flag = std::get_if<bool>(&shown);
  return flag ? std::string(word_of(*flag)) : shown;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  check(scheme);
  check(solver);
  if (!traits(scheme).takes_states) refuse_states(model, scheme.name);
  if (traits(scheme).position_law) refuse_friction_and_joints(model, scheme.name);
  if (!traits(scheme).takes_friction) refuse_friction(model, scheme.name);
  return find_scheme(scheme.name).make(model, scheme, solver);
}

}  // namespace ricochet
