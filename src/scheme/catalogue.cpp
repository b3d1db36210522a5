// The list of schemes. A new scheme joins the command line, the docs, the scenario reader and the
// contract tests by its line here.
#include <algorithm>
#include <array>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/parameters.hpp"

namespace ricochet {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

const ParameterSpec* find_parameter(const SchemeEntry& entry, std::string_view name) {
  for (const ParameterSpec& spec : entry.parameters)
    if (spec.name == name) return &spec;
  return nullptr;
}

std::string range_text(const ParameterSpec& spec) {
  if (!spec.words.empty()) return "one of " + joined(spec.words);
  if (std::isinf(spec.upper)) return "at least " + to_text(spec.lower);
  return "in [" + to_text(spec.lower) + ", " + to_text(spec.upper) + "]";
}

void check_value(const ParameterSpec& spec, const ParameterValue& value, const std::string& field) {
  if (const double* number = std::get_if<double>(&value)) {
    if (!spec.words.empty())
      throw InputError(field, "must be " + range_text(spec) + ", got the number " + to_text(*number));
    if (!(*number >= spec.lower && *number <= spec.upper) || !std::isfinite(*number))
      throw InputError(field, "must be " + range_text(spec) + ", got " + to_text(*number));
    return;
  }
  const std::string& word = std::get<std::string>(value);
  if (spec.words.empty()) throw InputError(field, "must be a number " + range_text(spec) + ", got \"" + word + "\"");
  if (std::find(spec.words.begin(), spec.words.end(), word) == spec.words.end())
    throw InputError(field, "must be " + range_text(spec) + ", got \"" + word + "\"");
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

std::span<const SchemeEntry> catalogue() {
  static const std::array entries = {moreau_entry(),
                                     moreau_inelastic_entry(),
                                     mabrouk_entry(),
                                     feasible_position_entry(),
                                     paoli_schatzman_entry(),
                                     moreau_jean_entry(),
                                     moreau_jean_dissipative_entry(),
                                     newmark_entry(),
                                     hht_entry(),
                                     generalized_alpha_entry(),
                                     moreau_jean_adaptive_entry(),
                                     extrapolated_moreau_entry(),
                                     d1_minus_entry(),
                                     splitting_entry(),
                                     event_driven_entry(),
                                     mannshardt_entry(),
                                     penalty_entry()};
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

ParameterValue parameter(const Scheme& scheme, std::string_view name) {
  for (const auto& [given, value] : scheme.values)
    if (given == name) return value;
  const ParameterSpec* spec = find_parameter(find_scheme(scheme.name), name);
  if (spec == nullptr) refuse_unknown(find_scheme(scheme.name), std::string(name));
  return spec->fallback;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  check(scheme);
  check(solver);
  return find_scheme(scheme.name).make(model, scheme, solver);
}

}  // namespace ricochet
