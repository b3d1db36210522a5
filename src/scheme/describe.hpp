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

// The word for a value of a bool, and what it says; nothing for any other word.
constexpr std::string_view word_of(bool value) { return value ? "on" : "off"; }
std::optional<bool> bool_of(std::string_view word);

// The parameters of one struct: what is said of each, and how its member is read and written.
class ParameterTable {
 public:
  // Member: double, int, bool, std::string (one of the words), an enumeration, or std::optional of a double or of an
  // enumeration. A number that is nothing is shown as the fallback, and where that is 0, a 0 means nothing; a word that
  // is nothing is shown as the first one.
  template <class Member>
  void operator()(std::string_view name, std::string_view symbol, std::string_view meaning, Member& member,
                  const Allowed& allowed = {}) {
    std::vector<std::string> words = allowed.words;
    if constexpr (std::is_same_v<Member, bool>) words = {std::string(word_of(true)), std::string(word_of(false))};
    const ParameterValue nothing = words.empty() ? ParameterValue(allowed.fallback) : words[0];
    const ParameterValue shown = value_of(member, words).value_or(nothing);
    const bool is_whole = std::is_same_v<Member, int>;
    const auto read = [&member, words, zero_is_nothing = allowed.fallback == 0.0](const ParameterValue& given) {
      set(given, words, zero_is_nothing, member);
    };
    rows_.push_back({{name, symbol, meaning, shown, allowed.lower, allowed.upper, words, is_whole, allowed.positive},
                     read,
                     [&member, words] { return value_of(member, words); }});
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
  template <class Member>
  static std::optional<ParameterValue> value_of(const Member& member, const std::vector<std::string>& words) {
    if constexpr (requires { member.has_value(); })
      return member ? value_of(*member, words) : std::nullopt;
    else if constexpr (std::is_enum_v<Member>)
      return words.at(static_cast<std::size_t>(member));
    else if constexpr (std::is_same_v<Member, int>)
      return static_cast<double>(member);
    else
      return member;
  }
  // What is not of the member's type is left alone: check() refuses it.
  template <class Member>
  static void set(const ParameterValue& given, const std::vector<std::string>& words, bool zero_is_nothing,
                  Member& member) {
    if constexpr (std::is_enum_v<typename Content<Member>::type>) {
      for (std::size_t i = 0; i < words.size(); ++i)
        if (given == ParameterValue(words[i])) member = static_cast<typename Content<Member>::type>(i);
    } else if constexpr (std::is_same_v<Member, int>) {
      if (const double* number = std::get_if<double>(&given)) member = static_cast<int>(*number);
    } else {
      if (const auto* value = std::get_if<typename Content<Member>::type>(&given)) member = *value;
      if constexpr (std::is_same_v<Member, bool>)
        if (const std::string* word = std::get_if<std::string>(&given)) member = bool_of(*word).value_or(member);
      if constexpr (std::is_same_v<Member, std::optional<double>>)
        if (zero_is_nothing && member == 0.0) member.reset();
    }
  }
  template <class Member>
  struct Content {
    using type = Member;
  };
  template <class Member>
  struct Content<std::optional<Member>> {
    using type = Member;
  };

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

// A scheme that is no more than the rule of a kernel, and notes on it for a model, which may refuse that.
template <class S>
std::vector<std::string> no_notes(const Model&, const S&) {
  return {};
}
template <class S, class Rule, Rule rule(const S&),
          std::vector<std::string> notes(const Model&, const S&) = no_notes<S>>
std::unique_ptr<Stepper> make_by_rule(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  const S parameters = typed<S>(scheme);
  return make_kernel_stepper(model, rule(parameters), solver, notes(model, parameters));
}
template <class S, class Rule, Rule rule(const S&)>
std::unique_ptr<LaneStepper> make_lanes_by_rule(const Mechanics<Lanes>& model, const Scheme& scheme,
                                                const ComplementaritySettings& solver) {
  return make_kernel_lanes(model, rule(typed<S>(scheme)), solver);
}

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
