// The reader of formulas: recursive descent, depth limited.
#include "ricochet/formula/parse.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numbers>
#include <utility>

#include "formula/function_table.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet::formula {

namespace {

constexpr std::string_view table_name = "table";

enum class Kind { number, name, sign, text, end };

struct Token {
  Kind kind = Kind::end;
  std::size_t begin = 0;
  std::string_view text;
  double value = 0.0;  // of a number
};

// What other languages call functions and what a formula writes in their place.
struct OtherName {
  std::string_view name, instead;
};
constexpr OtherName other_functions[] = {
    {"sgn", "sign(x)"},         {"signum", "sign(x)"}, {"ln", "log(x)"},         {"pow", "a^b"},
    {"power", "a^b"},           {"fabs", "abs(x)"},    {"arcsin", "asin(x)"},    {"arccos", "acos(x)"},
    {"arctan", "atan(x)"},      {"sqr", "x^2"},        {"heaviside", "step(x)"}, {"exp10", "10^x"},
    {"arctan2", "atan2(y, x)"}, {"cbrt", "x^(1/3)"}};

// Units that people write behind numbers, with their factor.
struct Unit {
  std::string_view name, factor;
};
constexpr Unit units[] = {{"s", ""},     {"ms", "e-3"}, {"us", "e-6"}, {"µs", "e-6"}, {"ns", "e-9"},
                          {"m", ""},     {"mm", "e-3"}, {"cm", "e-2"}, {"um", "e-6"}, {"km", "e3"},
                          {"kg", ""},    {"N", ""},     {"kN", "e3"},  {"MN", "e6"},  {"Hz", ""},
                          {"kHz", "e3"}, {"Pa", ""},    {"kPa", "e3"}, {"MPa", "e6"}, {"GPa", "e9"},
                          {"J", ""},     {"W", ""},     {"kW", "e3"},  {"rad", ""},   {"deg", "*pi/180"}};

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

thread_local const Tables* tables = nullptr;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const SymbolTable& table) : graph_(graph), text_(text), table_(table) {}
  NodeId run() {
    if (text_.size() > longest_formula) {
      fail(fmt::format("the formula has {} bytes; at most {} are allowed", text_.size(), longest_formula),
           longest_formula);
    }
    advance();
    if (token_.kind == Kind::end) fail("the formula is empty; write a number or an expression", 0);
    const NodeId result = comparison();
    if (token_.kind != Kind::end) fail_after_expression();
    return result;
  }

 private:
  // what is wrong, and where
  [[noreturn]] void fail(const std::string& message, std::size_t position) const {
    throw FormulaError(message, text_, position);
  }
  static std::string quoted(std::string_view text) { return fmt::format("'{}'", printable(text, 40)); }

  char peek(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  bool at_sign(std::string_view sign) const { return token_.kind == Kind::sign && token_.text == sign; }

  // one more level while it lives
  struct Level {
    explicit Level(Parser& parser) : depth(parser.depth_) {
      if (++depth > deepest_nesting) {
        parser.fail(
            fmt::format("the formula is nested more than {} deep; define parts of it as parameters or rewrite it",
                        deepest_nesting),
            parser.token_.begin);
      }
    }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth;
  };

  std::size_t after_name(std::size_t position) const {
    while (position < text_.size() && (is_letter(text_[position]) || is_digit(text_[position]))) ++position;
    return position;
  }

  void advance() {
    previous_ = token_;
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    token_ = Token{Kind::end, position_, {}, 0.0};
    if (position_ == text_.size()) return;
    const char c = text_[position_];
    if (is_digit(c) || (c == '.' && is_digit(peek(position_ + 1)))) return read_number();
    if (c == '"' || c == '\'') return read_text(c);
    if (!is_letter(c)) return read_sign();
    token_.kind = Kind::name;
    position_ = after_name(position_);
    token_.text = text_.substr(token_.begin, position_ - token_.begin);
  }

  // Between quotes of one kind; the token is what is between.
  void read_text(char quote) {
    // x' is how others write a velocity.
    if (quote == '\'' && position_ > 0 && (is_letter(text_[position_ - 1]) || is_digit(text_[position_ - 1]))) {
      std::size_t begin = position_;
      while (begin > 0 && (is_letter(text_[begin - 1]) || is_digit(text_[begin - 1]))) --begin;
      const std::string_view name = text_.substr(begin, position_ - begin);
      fail(fmt::format("' is not part of a formula; write {}_dot for the velocity {}'", name, name), position_);
    }
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) fail(fmt::format("this {} is not closed", quote), position_);
    token_.kind = Kind::text;
    token_.text = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
  }

  void read_number() {
    const auto skip_digits = [this] {
      while (is_digit(peek(position_))) ++position_;
    };
    const std::size_t begin = position_;
    if (peek(begin) == '0' && (peek(begin + 1) == 'x' || peek(begin + 1) == 'X') && after_name(begin) > begin + 2) {
      fail("hexadecimal numbers are not accepted; write the number with decimal digits", begin);
    }

    // digits with a point
    skip_digits();
    if (peek(position_) == '.') ++position_;
    skip_digits();
    if (peek(position_) == '.') fail("a number has one decimal point at most", position_);

    // exponent
    if (peek(position_) == 'e' || peek(position_) == 'E') {
      const char next = peek(position_ + 1);
      const std::size_t digits = position_ + (next == '+' || next == '-' ? 2 : 1);
      if (is_digit(peek(digits))) {
        position_ = digits;
        skip_digits();
      } else if (after_name(position_) == position_ + 1) {
        const std::string mantissa = printable(text_.substr(begin, position_ - begin), 20);
        const char e = text_[position_];
        fail(
            fmt::format("the exponent has no digits: write {0}{1}3 for a power of ten, or {0}*{1} to multiply by '{1}'",
                        mantissa, e),
            position_);
      }
    }

    token_.kind = Kind::number;
    token_.text = text_.substr(begin, position_ - begin);
    const auto [end, error] =
        std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), token_.value);
    if (error == std::errc::result_out_of_range) {
      fail(fmt::format("the number {} is outside the range of double precision (5e-324 to 1.8e308)",
                       printable(token_.text, 40)),
           begin);
    }
    if (error != std::errc() || end != token_.text.data() + token_.text.size()) {
      fail(fmt::format("{} is not a number", quoted(token_.text)), begin);
    }
  }

  void read_sign() {
    const char c = text_[position_], next = peek(position_ + 1);
    std::size_t length = 1;
    switch (c) {
      case '+':
      case '-':
      case '/':
      case '^':
      case '(':
      case ')':
      case ',': break;
      case '*':
        if (next == '*') fail("write ^ for a power, not **", position_);
        break;
      case '<':
      case '>':
        if (next == '=') length = 2;
        break;
      case '=':
        if (next != '=') fail("write == to compare; a formula has no assignment", position_);
        length = 2;
        break;
      case '!':
        if (next != '=') fail("'!' is not an operator; != means 'not equal', and if(c, 0, 1) means 'not'", position_);
        length = 2;
        break;
      case '&': fail("'&' is not an operator; write (a)*(b) where both conditions must hold", position_);
      case '|':
        fail("'|' is not an operator; write abs(x) for |x|, and max(a, b) where one of the conditions must hold",
             position_);
      default: {
        const Character character = character_at(text_, position_);
        const auto byte = static_cast<unsigned char>(c);
        const bool showable = byte >= 0x20 && byte != 0x7f && character.shown != "?";
        const std::string shown = showable || c == '?' ? fmt::format("the character '{}'", character.shown)
                                                       : fmt::format("the byte 0x{:02x}", byte);
        fail(fmt::format("{} is not part of a formula", shown), position_);
      }
    }
    token_.kind = Kind::sign;
    token_.text = text_.substr(position_, length);
    position_ += length;
  }

  NodeId comparison() {
    const NodeId a = sum();
    const auto is_comparison = [this] {
      return token_.kind == Kind::sign && (token_.text[0] == '<' || token_.text[0] == '>' || token_.text.back() == '=');
    };
    if (!is_comparison()) return a;
    const std::string_view sign = token_.text;
    advance();
    const NodeId b = sum();
    if (is_comparison()) fail("comparisons cannot be chained: write (a<b)*(b<c) in place of a<b<c", token_.begin);
    if (sign == "<") return graph_.apply(Operation::less, a, b);
    if (sign == "<=") return graph_.apply(Operation::less_equal, a, b);
    if (sign == ">") return graph_.apply(Operation::less, b, a);
    if (sign == ">=") return graph_.apply(Operation::less_equal, b, a);
    return graph_.apply(sign == "==" ? Operation::equal : Operation::not_equal, a, b);
  }

  NodeId sum() {
    NodeId a = product();
    while (at_sign("+") || at_sign("-")) {
      const bool plus = at_sign("+");
      advance();
      const NodeId b = product();
      a = plus ? graph_.add(a, b) : graph_.subtract(a, b);
    }
    return a;
  }

  NodeId product() {
    NodeId a = with_sign();
    while (at_sign("*") || at_sign("/")) {
      const bool times = at_sign("*");
      advance();
      const NodeId b = with_sign();
      a = times ? graph_.multiply(a, b) : graph_.divide(a, b);
    }
    return a;
  }

  NodeId with_sign() {
    if (!at_sign("+") && !at_sign("-")) return power();
    const Level level(*this);
    const bool minus = at_sign("-");
    advance();
    const NodeId a = with_sign();
    return minus ? graph_.negate(a) : a;
  }

  NodeId power() {
    const NodeId a = operand();
    if (!at_sign("^")) return a;
    const Level level(*this);
    advance();
    return graph_.power(a, with_sign());
  }

  NodeId operand() {
    NodeId result = -1;
    if (token_.kind == Kind::number) {
      result = graph_.number(token_.value);
      advance();
    } else if (token_.kind == Kind::name) {
      result = name();
    } else if (at_sign("(")) {
      result = parenthesis();
    } else {
      fail_operand();
    }
    check_missing_operator();
    return result;
  }

  NodeId parenthesis() {
    const Level level(*this);
    const std::size_t open = token_.begin;
    advance();
    const NodeId result = comparison();
    if (token_.kind == Kind::end) fail("this '(' is not closed: a ')' is missing", open);
    if (!at_sign(")")) fail_after_expression();
    advance();
    return result;
  }

  NodeId name() {
    const Token token = token_;
    advance();
    const bool called = at_sign("(");
    if (const Function* function = find_function(token.text)) {
      if (!called) {
        fail(fmt::format("{0} is a function and needs its {1} in parentheses: {2}(…)", quoted(token.text),
                         function->arguments > 1 ? "arguments" : "argument", token.text),
             token.begin);
      }
      return call(*function, token);
    }
    if (called && token.text == table_name && !table_.find(token.text)) return table(token);
    const bool is_pi = token.text == "pi";
    const std::optional<Symbol> symbol = table_.find(token.text);
    if (!is_pi && !symbol) fail_unknown(token, called);
    if (called) fail(fmt::format("{} is not a function; write * to multiply", quoted(token.text)), token.begin);
    return is_pi ? graph_.number(std::numbers::pi) : graph_.symbol(*symbol);
  }

  NodeId call(const Function& function, const Token& token) {
    const Level level(*this);
    const std::size_t open = token_.begin;
    std::vector<NodeId> arguments;
    advance();
    while (!at_sign(")")) {
      arguments.push_back(comparison());
      if (token_.kind == Kind::end) fail("this '(' is not closed: a ')' is missing", open);
      if (at_sign(",")) {
        advance();
        if (at_sign(")")) fail("an argument is missing between ',' and ')'", token_.begin);
      } else if (!at_sign(")")) {
        fail_after_expression();
      }
    }
    advance();

    const int count = static_cast<int>(arguments.size());
    if (count < function.arguments || (count > function.arguments && !function.more)) {
      fail(fmt::format("{} takes {}{} argument{}, not {}", quoted(function.name), function.arguments,
                       function.more ? " or more" : "", function.arguments == 1 ? "" : "s", count),
           token.begin);
    }
    if (function.arguments == 1) return graph_.apply(function.operation, arguments[0]);
    if (function.arguments == 3) return graph_.apply(function.operation, arguments[0], arguments[1], arguments[2]);
    NodeId result = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) result = graph_.apply(function.operation, result, arguments[i]);
    return result;
  }

  // table("record.csv", x, "column", "cubic", "zero")
  NodeId table(const Token& token) {
    constexpr std::string_view example = "write table(\"record.csv\", t), with the file in quotes";
    const Level level(*this);
    const std::size_t open = token_.begin;
    advance();
    if (token_.kind != Kind::text) fail(fmt::format("table needs the name of a file first: {}", example), token_.begin);
    TableName name{.file = std::string(token_.text)};
    advance();
    if (!at_sign(",")) fail(fmt::format("table needs the point behind its file: {}", example), token_.begin);
    advance();
    if (token_.kind == Kind::text)
      fail(fmt::format("table needs the point behind its file: {}", example), token_.begin);
    const NodeId x = comparison();
    while (at_sign(",")) {
      advance();
      if (token_.kind != Kind::text)
        fail("the column and the words behind it stand in quotes: table(\"record.csv\", t, \"north\", \"cubic\")",
             token_.begin);
      read_table_word(name);
      advance();
    }
    if (token_.kind == Kind::end) fail("this '(' is not closed: a ')' is missing", open);
    if (!at_sign(")")) fail_after_expression();
    advance();
    if (tables == nullptr) fail("there is no folder here that a table could be read from", token.begin);
    try {
      return graph_.apply(tables->curve(name), x);
    } catch (const InputError& error) {
      fail(error.message(), token.begin);
    }
  }
  void read_table_word(TableName& name) const {
    if (token_.text == "linear" || token_.text == "cubic") {
      name.interpolation = token_.text == "cubic" ? Interpolation::cubic : Interpolation::linear;
    } else if (token_.text == "zero" || token_.text == "hold") {
      name.outside = token_.text == "zero" ? Outside::zero : Outside::hold;
    } else if (name.column.empty() && !token_.text.empty()) {
      name.column = token_.text;
    } else {
      fail(fmt::format("{} is one column too many: behind the column may stand linear or cubic, hold or zero",
                       quoted(token_.text)),
           token_.begin);
    }
  }

  // "1*ms": a name behind a number and a star.
  bool is_factor_of_number(const Token& token) const {
    std::string_view before = text_.substr(0, token.begin);
    const auto skip = [&](std::string_view characters) {
      before = before.substr(0, before.find_last_not_of(characters) + 1);
    };
    skip(" ");
    if (!before.ends_with('*')) return false;
    skip("* ");
    return !before.empty() && (before.back() == '.' || (before.back() >= '0' && before.back() <= '9'));
  }

  [[noreturn]] void fail_unknown(const Token& token, bool called) const {
    for (const OtherName& other : other_functions)
      if (called && other.name == token.text)
        fail(fmt::format("unknown function {}; write {}", quoted(token.text), other.instead), token.begin);
    if (const Unit* unit = !called && is_factor_of_number(token) ? find_unit(token.text) : nullptr)
      fail(fmt::format("unknown name '{0}'; units are not read: write 1{1} for 1 {0}, and everything in the same units",
                       token.text, unit->factor),
           token.begin);
    // what may stand there, and the nearest of it
    std::vector<std::string> candidates = called ? function_names() : table_.names();
    if (called) candidates.emplace_back(table_name);
    if (!called) candidates.emplace_back("pi");
    std::string_view near = nearest(token.text, candidates);
    if (near.empty()) {
      candidates.insert(candidates.end(), table_.names().begin(), table_.names().end());
      candidates.insert(candidates.end(), function_names().begin(), function_names().end());
      near = nearest(token.text, candidates);
    }
    std::string hint = near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
    if (near.empty() && !called) {
      const std::vector<std::string>& names = table_.names();
      const std::size_t shown = std::min<std::size_t>(names.size(), 8);
      hint = fmt::format("; known are {}", fmt::join(names.begin(), names.begin() + shown, ", "));
      if (names.size() > shown) hint += fmt::format(" and {} more", names.size() - shown);
    }
    fail(fmt::format("unknown {} {}{}", called ? "function" : "name", quoted(token.text), hint), token.begin);
  }

  // Something else stands where a number, a name or a parenthesis should.
  [[noreturn]] void fail_operand() const {
    constexpr std::string_view expected = "a number, a name or '(' is expected";
    if (token_.kind == Kind::end) fail(fmt::format("the formula ends where {}", expected), token_.begin);
    if (at_sign(")") && previous_.kind == Kind::sign && previous_.text == "(") {
      fail("there is nothing between '(' and ')'", token_.begin);
    }
    if (token_.kind == Kind::text)
      fail(fmt::format("{} is a text: only table(\"FILE\", x) takes some", quoted(token_.text)), token_.begin);
    fail(fmt::format("{} stands where {}", quoted(token_.text), expected), token_.begin);
  }

  // 2x, x y, (a)(b): multiplication is always written.
  void check_missing_operator() const {
    if (token_.kind != Kind::number && token_.kind != Kind::name && !at_sign("(")) return;
    const Unit* unit = token_.kind == Kind::name && previous_.kind == Kind::number ? find_unit(token_.text) : nullptr;
    if (unit != nullptr)
      fail(fmt::format("units are not read: write {0}{1} for {0} {2}, and everything in the same units{3}",
                       printable(previous_.text, 20), unit->factor, token_.text,
                       table_.find(token_.text) ? fmt::format(" ({0}*{1} would multiply by '{1}')",
                                                              printable(previous_.text, 20), token_.text)
                                                : ""),
           token_.begin);
    fail(fmt::format("an operator is missing: write {}*{} to multiply", printable(previous_.text, 20),
                     printable(token_.text, 20)),
         token_.begin);
  }

  // Something that continues no expression.
  [[noreturn]] void fail_after_expression() const {
    if (at_sign(")")) fail("this ')' has no '(' before it", token_.begin);
    if (at_sign(",")) fail("a ',' separates the arguments of a function; a decimal point is '.'", token_.begin);
    if (token_.kind == Kind::sign && token_.text.size() == 2) {
      fail("comparisons cannot be chained: write (a<b)*(b<c) in place of a<b<c", token_.begin);
    }
    fail(fmt::format("{} is not expected here", quoted(token_.text)), token_.begin);
  }

  Graph& graph_;
  std::string_view text_;
  const SymbolTable& table_;
  std::size_t position_ = 0;
  Token token_, previous_;
  int depth_ = 0;
};

}  // namespace

TableScope::TableScope(const Tables& given) : before_(std::exchange(tables, &given)) {}
TableScope::~TableScope() { tables = before_; }

NodeId parse(Graph& graph, std::string_view text, const SymbolTable& table) { return Parser(graph, text, table).run(); }

NodeId parse(Graph& graph, std::string_view text, const SymbolTable& table, const std::string& field) {
  try {
    return parse(graph, text, table);
  } catch (const FormulaError& error) {
    throw InputError(field, error.what());
  }
}

}  // namespace ricochet::formula
