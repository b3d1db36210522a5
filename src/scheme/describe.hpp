// A scheme's parameters, described once. Each scheme has a struct with its parameters and
//
//     void describe(ParameterTable& table, MoreauJean& scheme) {
//       table("theta", "θ", "weight of the end of the step", scheme.theta, {.lower = 0.0, .upper = 1.0});
//     }
//
// Defaults are those of the struct. The catalogue's list, the struct from a Scheme and a Scheme from the struct come
// from that; checks, help, docs and the Python classes from the list.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// What a parameter may be, where its type leaves that open; see ParameterSpec.
struct Allowed {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  std::vector<std::string> words = {};  // in the order of the enumeration
  bool positive = false;
  double fallback = 0.0;  // shown for a number that is nothing
};

// The parameters of one struct: what is said of each, and how its member is read and written.
class ParameterTable {
 public:
  // Member: double, int, bool, std::string (one of the words), an enumeration, or std::optional of a double or of an
  // enumeration. A number that is nothing is shown as the fallback, and where that is 0, a 0 means nothing; a word that
  // is nothing is shown as the first one.
  template <class Member>
  void operator()(std::string_view name, std::string_view symbol, std::string_view meaning, Member& value,
                  const Allowed& allowed = {}) {
    add({name, symbol, meaning, allowed.fallback, allowed.lower, allowed.upper, allowed.words, false, allowed.positive},
        value);
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
  void add(ParameterSpec spec, double& value);
  void add(ParameterSpec spec, int& value);
  void add(ParameterSpec spec, bool& value);
  void add(ParameterSpec spec, std::string& value);
  void add(ParameterSpec spec, std::optional<double>& value);
  template <class Word>
  requires std::is_enum_v<Word>
  void add(ParameterSpec spec, Word& value) {
    spec.fallback = spec.words[static_cast<std::size_t>(value)];
    add_word(
        std::move(spec), [&value](std::size_t i) { value = static_cast<Word>(i); },
        [&value] { return std::optional(static_cast<std::size_t>(value)); });
  }
  template <class Word>
  requires std::is_enum_v<Word>
  void add(ParameterSpec spec, std::optional<Word>& value) {
    spec.fallback = spec.words[0];
    add_word(
        std::move(spec), [&value](std::size_t i) { value = static_cast<Word>(i); },
        [&value] { return value ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt; });
  }
  template <class Plain>
  void add_plain(ParameterSpec spec, Plain& value);
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
// The stepper itself, of a scheme that takes every model.
template <class S, class Made>
std::unique_ptr<Stepper> make_as(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  return std::make_unique<Made>(model, typed<S>(scheme), solver);
}

// The word for a value of a bool, and what it says; nothing for any other word.
constexpr std::string_view word_of(bool value) { return value ? "on" : "off"; }
std::optional<bool> bool_of(std::string_view word);

// Parameters that several schemes have.
inline void describe_forecast(ParameterTable& table, double& forecast) {
  table("forecast", "γ_f", "a contact is active where g + γ_f h U ≤ 0 at the begin of the step", forecast,
        {.lower = 0.0});
}
inline void describe_theta(ParameterTable& table, double& theta) {
  table("theta", "θ", "weight of the end of the step in x_θ = (1−θ) x₀ + θ x₁", theta, {.lower = 0.0, .upper = 1.0});
}
// Tolerances of the schemes that may choose their steps.
inline void describe_adaptive_rtol(ParameterTable& table, double& rtol) {
  table("rtol", "rtol", "relative error allowed in an adaptive step, componentwise", rtol, {.lower = 0.0});
}
inline void describe_atol(ParameterTable& table, std::optional<double>& atol) {
  table("atol", "atol",
        "absolute error allowed in a step; 0: a hundredth of rtol times the largest size that each coordinate and "
        "speed has had",
        atol, {.lower = 0.0});
}

// The entry of each scheme, defined in its source.
template <class S>
SchemeEntry scheme_entry();

}  // namespace ricochet
