#include "ricochet/io/scenario/option_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/format/text_lines.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

namespace {

std::string_view trimmed(std::string_view text) { return io::trimmed(text, " "); }

bool read_number(std::string_view text, double& number) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

// theta=1 -> {"theta", 1.0}: a word where the scheme wants one.
std::pair<std::string, ParameterValue> parse_parameter(std::string_view text, const SchemeEntry& entry,
                                                       std::string_view whole) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw InputError("--schemes", "\"" + std::string(whole) +
                                      "\": parameters are written NAME:KEY=VALUE:KEY=VALUE, such as " +
                                      "moreau-jean:theta=1");
  const std::string key(trimmed(text.substr(0, equals)));
  const std::string value(trimmed(text.substr(equals + 1)));
  const ParameterSpec* spec = find_parameter(entry, key);
  const bool word = spec != nullptr && !spec->words.empty();
  double number = 0.0;
  if (!word && read_number(value, number)) return {key, number};
  return {key, value};
}

SchemeChoice parse_scheme(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  SchemeChoice choice{std::string(text), {std::string(trimmed(parts[0]))}};
  if (choice.scheme.name.empty()) throw InputError("--schemes", "a name is missing between two commas");
  try {
    const SchemeEntry& entry = find_scheme(choice.scheme.name);
    for (std::size_t i = 1; i < parts.size(); ++i)
      choice.scheme.values.push_back(parse_parameter(parts[i], entry, text));
    check(choice.scheme);
  } catch (const InputError& error) {
    if (error.field() == "--schemes") throw;
    throw InputError("--schemes", "\"" + std::string(text) +
                                      "\": " + (error.field() == "scheme.name" ? "" : error.field().substr(7) + " ") +
                                      error.message());
  }
  return choice;
}

}  // namespace

double parse_number(std::string_view text, std::string_view option) {
  double number = 0.0;
  if (!read_number(text, number))
    throw InputError(std::string(option), "\"" + std::string(text) + "\" is not a number");
  return number;
}

int parse_whole_number(std::string_view text, std::string_view option, int least, int most) {
  const double number = parse_number(text, option);
  if (number != std::floor(number) || number < least || number > most)
    throw InputError(std::string(option), "must be a whole number from " + std::to_string(least) + " to " +
                                              std::to_string(most) + ", got " + std::string(text));
  return static_cast<int>(number);
}

std::vector<SchemeChoice> parse_schemes(std::string_view text) {
  std::vector<SchemeChoice> choices;
  for (const std::string_view part : split(text, ',')) {
    SchemeChoice choice = parse_scheme(trimmed(part));
    for (const SchemeChoice& other : choices)
      if (other.label == choice.label) throw InputError("--schemes", choice.label + " is given twice");
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<double> parse_steps(std::string_view text, std::string_view option) {
  const std::string name(option);
  std::vector<double> steps;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const double first = parse_number(text.substr(0, colon), option),
                 count = parse_number(text.substr(colon + 1), option);
    if (!(count >= 1.0 && count <= 40.0) || count != std::floor(count))
      throw InputError(name, "the number after the colon must be 1 to 40, got " + to_text(count));
    for (int i = 0; i < static_cast<int>(count); ++i) steps.push_back(std::ldexp(first, -i));
  } else {
    for (const std::string_view part : split(text, ',')) steps.push_back(parse_number(part, option));
  }
  for (const double h : steps)
    if (!(h > 0.0)) throw InputError(name, "must be positive, got " + to_text(h));
  std::sort(steps.rbegin(), steps.rend());
  if (std::adjacent_find(steps.begin(), steps.end()) != steps.end()) throw InputError(name, "one is given twice");
  return steps;
}

TimeSpan parse_window(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    throw InputError("--window", "is written FROM:UNTIL, such as 0:1.6, got \"" + std::string(text) + "\"");
  const TimeSpan window{parse_number(text.substr(0, colon), "--window"),
                        parse_number(text.substr(colon + 1), "--window")};
  if (!(window.until > window.from)) throw InputError("--window", "must end after it begins, got " + std::string(text));
  return window;
}

}  // namespace ricochet
