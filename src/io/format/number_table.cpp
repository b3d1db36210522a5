#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/utf8.hpp"
#include "io/format/text_lines.hpp"

namespace ricochet::io {

namespace {

struct Field {
  std::string text;
  bool quoted = false;
};

class NumberTableReader {
 public:
  explicit NumberTableReader(const InputBytes& file) : lines_(file) {}

  NumberTable read() {
    while (next_content()) {
      if (table_.values.empty() && table_.columns.empty())
        read_first();
      else
        read_row();
    }
    if (table_.values.empty() || table_.values.front().empty()) lines_.file().refuse("has no numbers");
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { lines_.file().refuse(lines_.number(), message); }

  // The fields of the next line that has some.
  bool next_content() {
    std::string_view line;
    while (lines_.next(line)) {
      line = trimmed(without_comment(line));
      if (line.empty()) continue;
      if (separator_ == '\0') choose_separator(line);
      split(line);
      return true;
    }
    return false;
  }

  // Calls visit(i) for each character outside quotes until it says stop.
  template <class Visit>
  static void outside_quotes(std::string_view line, Visit visit) {
    const auto begins_field = [line](std::size_t i) {
      return i == 0 || is_blank(line[i - 1]) || line[i - 1] == ',' || line[i - 1] == ';';
    };
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (quoted && line.substr(i, 2) == "\"\"")
        ++i;  // stands for one quote
      else if (line[i] == '"' && (quoted || begins_field(i)))
        quoted = !quoted;
      else if (!quoted && visit(i, begins_field(i)))
        return;
    }
  }

  static std::string_view without_comment(std::string_view line) {
    std::size_t end = line.size();
    outside_quotes(line, [&](std::size_t i, bool begins) {
      const bool comment = begins && line[i] == '#';
      if (comment) end = i;
      return comment;
    });
    return line.substr(0, end);
  }

  // ' ' stands for any number of blanks and tabs.
  void choose_separator(std::string_view line) {
    constexpr std::string_view candidates = " \t,;";
    std::size_t best = 0;
    outside_quotes(line, [&](std::size_t i, bool) {
      const std::size_t found = candidates.find(line[i]);
      if (found != std::string_view::npos) best = std::max(best, found);
      return false;
    });
    separator_ = candidates[best];
  }

  bool separates(char c) const { return separator_ == ' ' ? is_blank(c) : c == separator_; }

  void skip_blanks(std::string_view& line) const {
    while (!line.empty() && is_blank(line.front()) && (separator_ == ' ' || !separates(line.front())))
      line.remove_prefix(1);
  }

  // Fills the first count_ of fields_, whose memory serves every line.
  void split(std::string_view line) {
    count_ = 0;
    for (bool more = true; more;) {
      skip_blanks(line);
      if (count_ == table_columns_max) refuse(fmt::format("has more than {} columns", table_columns_max));
      if (count_ == fields_.size()) fields_.emplace_back();
      Field& field = fields_[count_++];
      field.text.clear();
      field.quoted = !line.empty() && line.front() == '"';
      if (field.quoted)
        take_quoted(line, field);
      else
        take_plain(line, field);
      // The line has no blanks at its end: behind a separator there is a field, perhaps an empty one.
      more = !line.empty();
      if (more) line.remove_prefix(1);
    }
  }

  void take_plain(std::string_view& line, Field& field) const {
    const auto end = std::find_if(line.begin(), line.end(), [this](char c) { return separates(c); });
    const auto size = static_cast<std::size_t>(end - line.begin());
    field.text = trimmed(line.substr(0, size));
    line.remove_prefix(size);
  }

  // Quoted text up to its closing quote; two quotes stand for one.
  void take_quoted(std::string_view& line, Field& field) const {
    line.remove_prefix(1);
    while (true) {
      const std::size_t quote = line.find('"');
      if (quote == std::string_view::npos) refuse("a quote is not closed");
      field.text += line.substr(0, quote);
      line.remove_prefix(quote + 1);
      if (line.empty() || line.front() != '"') break;
      field.text += '"';
      line.remove_prefix(1);
    }
    if (separator_ != ' ') skip_blanks(line);
    if (!line.empty() && !separates(line.front()))
      refuse(fmt::format("a separator must follow the closing quote of {}", shown(field.text)));
  }

  // Names, or the first row of numbers.
  void read_first() {
    const std::span<const Field> fields(fields_.data(), count_);
    const auto is_number = [](const Field& field) {
      double ignored = 0.0;
      return to_number(field.text, ignored) != Reading::no_number;
    };
    const bool names =
        std::none_of(fields.begin(), fields.end(), [&](const Field& f) { return !f.quoted && is_number(f); }) &&
        std::any_of(fields.begin(), fields.end(), [](const Field& f) { return !f.text.empty(); });
    if (names && std::all_of(fields.begin(), fields.end(), is_number))
      refuse("quoted numbers could be names or values; take the quotes away, or give the columns names");
    table_.values.resize(count_);
    if (names)
      read_names(fields);
    else
      read_row();
  }

  void read_names(std::span<const Field> fields) {
    header_line_ = lines_.number();
    for (const Field& field : fields) {
      const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == 0x7F; };
      if (!is_utf8(field.text)) refuse("the names of the columns must be UTF-8 text");
      if (std::any_of(field.text.begin(), field.text.end(), is_control))
        refuse(fmt::format("the name {} holds control characters", shown(field.text)));
      table_.columns.push_back(field.text);
    }
    std::vector<std::string> sorted = table_.columns;
    std::erase(sorted, "");
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
    if (twin != sorted.end()) refuse(fmt::format("two columns have the name '{}'", *twin));
  }

  void read_row() {
    if (count_ != table_.values.size())
      refuse(fmt::format("has {} column{} where line {} has {}", count_, count_ == 1 ? "" : "s",
                         header_line_ > 0 ? header_line_ : first_row_line_, table_.values.size()));
    if (first_row_line_ == 0) first_row_line_ = lines_.number();
    for (std::size_t i = 0; i < count_; ++i) {
      const std::string& text = fields_[i].text;
      double value = 0.0;
      if (to_number(text, value) != Reading::good) refuse_field(i, text);
      table_.values[i].push_back(value);
    }
  }

  [[noreturn]] void refuse_field(std::size_t i, const std::string& text) {
    const std::string what = fmt::format("column {}", i + 1);
    if (text.empty()) refuse(what + " is empty");
    const bool decimal_comma = std::count(text.begin(), text.end(), ',') == 1;
    if (decimal_comma) refuse(fmt::format("{} must be a number with a decimal point, got {}", what, shown(text)));
    number_or_refuse(text, lines_, what);
    refuse(what + " cannot be read");
  }

  LineReader lines_;
  char separator_ = '\0';
  std::vector<Field> fields_;
  std::size_t count_ = 0;  // of fields in this line
  std::uint64_t header_line_ = 0, first_row_line_ = 0;
  NumberTable table_;
};

}  // namespace

NumberTable read_number_table(const InputBytes& file) { return NumberTableReader(file).read(); }

}  // namespace ricochet::io
