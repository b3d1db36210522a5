// The names that formulas may use.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formula/function_table.hpp"
#include "ricochet/formula/parse.hpp"

namespace ricochet::formula {

namespace {

#define RICOCHET_FUNCTION(name)                            \
  Function{#name, Operation::name, arity(Operation::name), \
           Operation::name == Operation::min || Operation::name == Operation::max},
constexpr std::array functions = {RICOCHET_FORMULA_FUNCTIONS(RICOCHET_FUNCTION) Function{"if", Operation::select, 3}};
#undef RICOCHET_FUNCTION

bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : found;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Function& f : functions) result.emplace_back(f.name);
    return result;
  }();
  return names;
}

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_letter_or_digit);
}

SymbolTable::SymbolTable() {
  symbols_.emplace("t", Symbol{Bank::time, 0});
  names_.emplace_back("t");
}

void SymbolTable::add(const std::string& name, Symbol symbol) {
  const auto shown = [&] { return printable(name, 40); };
  if (name.empty()) throw InputError("", "a name is empty; it must be a letter or _, then letters, digits or _");
  if (!is_identifier(name)) {
    throw InputError("", fmt::format("'{}' is not a name: a letter or _, then letters, digits or _", shown()));
  }
  if (find_function(name) != nullptr) {
    throw InputError("", fmt::format("'{}' is a function in formulas; choose another name", shown()));
  }
  if (name == "pi") throw InputError("", "'pi' is the number π in formulas; choose another name");
  if (name == "t") throw InputError("", "'t' is the time in formulas; choose another name");
  if (!symbols_.emplace(name, symbol).second) {
    throw InputError("", fmt::format("the name '{}' is used twice; choose another name", shown()));
  }
  names_.push_back(name);
}

std::optional<Symbol> SymbolTable::find(std::string_view name) const {
  const auto place = symbols_.find(name);
  if (place == symbols_.end()) return std::nullopt;
  return place->second;
}

}  // namespace ricochet::formula
