// Text to expression.
//
//   comparison := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum        := product {("+" | "-") product}
//   product    := signed {("*" | "/") signed}
//   signed     := ("+" | "-") signed | power
//   power      := operand ["^" signed]                  right-associative; -x^2 = -(x^2)
//   operand    := number | name | function "(" comparison {"," comparison} ")" | "(" comparison ")" | table
//   table      := "table" "(" text "," comparison {"," text} ")"      text in quotes, '…' or "…"
//
// Functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign step min max
// floor, and if(condition, a, b). min and max take two or more arguments. The constant pi and the time t.
//
// table("record.csv", x) is the curve through the points of a file, at x. What may follow: the column, by name or by
// number from 0; linear or cubic; hold or zero, which is what it is outside of the file's points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/formula/curve.hpp"
#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

inline constexpr std::size_t longest_formula = 65536;  // bytes
inline constexpr int deepest_nesting = 200;            // of parentheses, calls, signs and powers together

// A formula that cannot be read. what() is the message, an excerpt and a caret under the place.
class FormulaError : public Error {
 public:
  FormulaError(const std::string& message, std::string_view text, std::size_t position);
  const std::string& message() const { return message_; }
  int column() const { return column_; }  // in characters, from 1

 private:
  struct Place;
  FormulaError(const std::string& message, const Place& place);
  std::string message_;
  int column_;
};

// The names a formula may use. t is there from the start.
class SymbolTable {
 public:
  SymbolTable();
  // Throws InputError if the name is not an identifier, is taken, or means something in formulas.
  void add(const std::string& name, Symbol symbol);
  std::optional<Symbol> find(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_; }  // in the order they were added

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  std::unordered_map<std::string, Symbol, Hash, std::equal_to<>> symbols_;
  std::vector<std::string> names_;
};

// A curve of a file, as table() names it.
struct TableName {
  std::string file, column = {};  // no column: the second one; x is always the first
  Interpolation interpolation = Interpolation::linear;
  Outside outside = Outside::hold;
  bool operator==(const TableName&) const = default;
  bool operator<(const TableName& other) const {
    return std::tie(file, column, interpolation, outside) <
           std::tie(other.file, other.column, other.interpolation, other.outside);
  }
};
class Tables {
 public:
  virtual ~Tables() = default;
  // Throws InputError, whose message the reader of the formula shows at its place.
  virtual std::shared_ptr<const Curve> curve(const TableName& name) const = 0;
};
// The tables that formulas may name while it lives, in this thread. Without any, table() is refused.
class TableScope {
 public:
  explicit TableScope(const Tables& tables);
  ~TableScope();
  TableScope(const TableScope&) = delete;
  TableScope& operator=(const TableScope&) = delete;

 private:
  const Tables* before_;
};

// True for [A-Za-z_][A-Za-z0-9_]*
bool is_identifier(std::string_view name);

// The names of the functions, with "if".
const std::vector<std::string>& function_names();

// Throws FormulaError; with a field InputError.
NodeId parse(Graph& graph, std::string_view text, const SymbolTable& table);
NodeId parse(Graph& graph, std::string_view text, const SymbolTable& table, const std::string& field);

}  // namespace ricochet::formula
