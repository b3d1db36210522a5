#include "scheme/describe.hpp"

namespace ricochet {
namespace {

// What is not of the member's type is left alone: check() refuses it.
template <class Member>
void take(const ParameterValue& given, Member& value) {
  using T = std::conditional_t<std::is_same_v<Member, std::optional<double>>, double, Member>;
  if (const T* right = std::get_if<T>(&given)) value = *right;
}

}  // namespace

template <class Plain>
void ParameterTable::add_plain(ParameterSpec spec, Plain& value) {
  spec.fallback = value;
  rows_.push_back(
      {std::move(spec), [&value](const ParameterValue& given) { take(given, value); }, [&value] { return value; }});
}

void ParameterTable::add(ParameterSpec spec, double& value) { add_plain(std::move(spec), value); }
void ParameterTable::add(ParameterSpec spec, std::string& value) { add_plain(std::move(spec), value); }

void ParameterTable::add(ParameterSpec spec, int& value) {
  spec.fallback = static_cast<double>(value);
  spec.whole = true;
  rows_.push_back({std::move(spec),
                   [&value](const ParameterValue& given) {
                     if (const double* number = std::get_if<double>(&given)) value = static_cast<int>(*number);
                   },
                   [&value] { return static_cast<double>(value); }});
}

void ParameterTable::add(ParameterSpec spec, bool& value) {
  spec.fallback = value;
  spec.words = {std::string(word_of(true)), std::string(word_of(false))};
  const auto read = [&value](const ParameterValue& given) {
    const std::string* word = std::get_if<std::string>(&given);
    if (word) value = bool_of(*word).value_or(value);
    take(given, value);
  };
  rows_.push_back({std::move(spec), read, [&value] { return value; }});
}

void ParameterTable::add(ParameterSpec spec, std::optional<double>& value) {
  const bool zero_is_nothing = std::get<double>(spec.fallback) == 0.0;
  const auto read = [&value, zero_is_nothing](const ParameterValue& given) {
    take(given, value);
    if (zero_is_nothing && value == 0.0) value.reset();
  };
  rows_.push_back({std::move(spec), read, [&value] { return value; }});
}

void ParameterTable::add_word(ParameterSpec spec, std::function<void(std::size_t)> read,
                              std::function<std::optional<std::size_t>()> write) {
  const std::vector<std::string> words = spec.words;
  const auto read_word = [words, read](const ParameterValue& given) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (given == ParameterValue(words[i])) read(i);
  };
  const auto write_word = [words, write]() -> std::optional<ParameterValue> {
    const std::optional<std::size_t> i = write();
    return i ? std::optional<ParameterValue>(words.at(*i)) : std::nullopt;
  };
  rows_.push_back({std::move(spec), read_word, write_word});
}

std::vector<ParameterSpec> ParameterTable::specs() const {
  std::vector<ParameterSpec> specs;
  for (const Row& row : rows_) specs.push_back(row.spec);
  return specs;
}

void ParameterTable::read(const Scheme& scheme) const {
  for (const auto& [name, value] : scheme.values)
    for (const Row& row : rows_)
      if (row.spec.name == name) row.read(value);
}

std::vector<std::pair<std::string, ParameterValue>> ParameterTable::values() const {
  std::vector<std::pair<std::string, ParameterValue>> values;
  for (const Row& row : rows_)
    if (const std::optional<ParameterValue> value = row.write()) values.emplace_back(row.spec.name, *value);
  return values;
}

std::optional<bool> bool_of(std::string_view word) {
  if (word == "on" || word == "true") return true;
  if (word == "off" || word == "false") return false;
  return std::nullopt;
}

}  // namespace ricochet
