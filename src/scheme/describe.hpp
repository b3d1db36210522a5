// A scheme's parameters, described once. Each scheme has a struct with its parameters and
//
//     void describe(ParameterTable& table, MoreauJean& scheme) {
//       table({.name = "theta", .symbol = "θ", .meaning = "…", .lower = 0.0, .upper = 1.0}, scheme.theta);
//     }
//
// Defaults are those of the struct. The catalogue's list, the struct from a Scheme and a Scheme from the struct come
// from that; checks, help, docs and the Python classes from the list.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// The parameters of one struct: what is said of each, and how its member is read and written.
class ParameterTable {
 public:
  void operator()(ParameterSpec spec, double& value);
  void operator()(ParameterSpec spec, int& value);
  void operator()(ParameterSpec spec, bool& value);
  void operator()(ParameterSpec spec, std::string& value);  // one of spec.words
  // Nothing is shown as spec.fallback; where that is 0, a 0 means nothing.
  void operator()(ParameterSpec spec, std::optional<double>& value);
  // The words in the order of the enumeration.
  template <class Word>
  requires std::is_enum_v<Word>
  void operator()(ParameterSpec spec, Word& value) {
    spec.fallback = spec.words[static_cast<std::size_t>(value)];
    add_word(
        std::move(spec), [&value](std::size_t i) { value = static_cast<Word>(i); },
        [&value] { return std::optional(static_cast<std::size_t>(value)); });
  }
  // Nothing is shown as the first word.
  template <class Word>
  requires std::is_enum_v<Word>
  void operator()(ParameterSpec spec, std::optional<Word>& value) {
    spec.fallback = spec.words[0];
    add_word(
        std::move(spec), [&value](std::size_t i) { value = static_cast<Word>(i); },
        [&value] { return value ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt; });
  }

  std::vector<ParameterSpec> specs() const;
  void read(const Scheme& scheme) const;  // into the members; what check() refuses is left out
  std::vector<std::pair<std::string, ParameterValue>> values() const;  // all but the members that are nothing

 private:
  struct Row {
    ParameterSpec spec;
    std::function<void(const ParameterValue&)> read;
    std::function<std::optional<ParameterValue>()> write;
  };
  void add_word(ParameterSpec spec, std::function<void(std::size_t)> read,
                std::function<std::optional<std::size_t>()> write);

  std::vector<Row> rows_;
};

template <class S>
ParameterTable table_of(S& scheme) {
  ParameterTable table;
  if constexpr (!std::is_empty_v<S>) describe(table, scheme);
  return table;
}

// For the catalogue.
template <class S>
std::vector<ParameterSpec> parameters_of() {
  S defaults;
  return table_of(defaults).specs();
}

// The struct as a Scheme, and back.
template <class S>
Scheme scheme_of(std::string_view name, S scheme) {
  return {std::string(name), table_of(scheme).values()};
}
template <class S>
S typed(const Scheme& scheme) {
  S result;
  table_of(result).read(scheme);
  return result;
}

// For the catalogue: functions of a Scheme from functions of the struct.
template <class S, Traits (*traits)(const S&)>
Traits traits_with(const Scheme& scheme) {
  return traits(typed<S>(scheme));
}
template <Traits traits>
Traits always(const Scheme&) {
  return traits;
}
template <class S, std::unique_ptr<Stepper> (*make)(const Model&, const S&, const ComplementaritySettings&)>
std::unique_ptr<Stepper> make_with(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  return make(model, typed<S>(scheme), solver);
}

// The word for a value of a bool, and what it says; nothing for any other word.
constexpr std::string_view word_of(bool value) { return value ? "on" : "off"; }
std::optional<bool> bool_of(std::string_view word);

// Parameters that several schemes have.
inline ParameterSpec forecast_parameter() {
  return {.name = "forecast",
          .symbol = "γ_f",
          .meaning = "a contact is active where g + γ_f h U ≤ 0 at the begin of the step",
          .lower = 0.0};
}
inline ParameterSpec theta_parameter() {
  return {.name = "theta",
          .symbol = "θ",
          .meaning = "weight of the end of the step in x_θ = (1−θ) x₀ + θ x₁",
          .lower = 0.0,
          .upper = 1.0};
}
// Tolerances of the schemes that may choose their steps.
inline ParameterSpec adaptive_rtol_parameter() {
  return {.name = "rtol",
          .symbol = "rtol",
          .meaning = "relative error allowed in an adaptive step, componentwise",
          .lower = 0.0};
}
inline ParameterSpec atol_parameter() {
  return {.name = "atol",
          .symbol = "atol",
          .meaning =
              "absolute error allowed in a step; 0: a hundredth of rtol times the largest size that each coordinate "
              "and speed has had",
          .lower = 0.0};
}

// The entry of each scheme, defined in its source.
template <class S>
SchemeEntry scheme_entry();

}  // namespace ricochet
