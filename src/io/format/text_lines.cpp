#include "io/format/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ricochet::io {

namespace {

constexpr std::size_t piece_size = std::size_t{1} << 18;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

void LineReader::read_piece() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t old = buffer_.size();
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, file_.size() - offset_));
  buffer_.resize(old + count);
  file_.read(offset_, buffer_.data() + old, count);

  if (offset_ == 0) {
    const std::string_view start = buffer_;
    if (start.substr(0, 2) == "\xFF\xFE" || start.substr(0, 2) == "\xFE\xFF")
      file_.refuse("is UTF-16 text; save it as UTF-8");
    if (start.substr(0, 3) == byte_order_mark) begin_ = byte_order_mark.size();
  }
  offset_ += count;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;  // bytes of this line without an end
  std::size_t end = buffer_.find('\n', begin_);
  while (end == std::string::npos && offset_ < file_.size()) {
    searched = buffer_.size() - begin_;
    if (searched > line_size_max)
      file_.refuse(number_ + 1, fmt::format("is longer than {} MiB: not a text file of numbers", line_size_max >> 20));
    read_piece();
    end = buffer_.find('\n', begin_ + searched);
  }

  const bool last = end == std::string::npos;
  if (last && begin_ == buffer_.size()) return false;
  if (last) end = buffer_.size();
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = last ? end : end + 1;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view next_word(std::string_view& line) {
  line = trimmed(line);
  const auto end = static_cast<std::size_t>(std::find_if(line.begin(), line.end(), is_blank) - line.begin());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result(text.substr(0, most));
  for (char& c : result) {
    if (c < ' ' || c > '~') c = '?';
  }
  return fmt::format("'{}{}'", result, text.size() > most ? "..." : "");
}

Reading to_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);

  // Fortran marks the exponent of a double with D.
  std::array<char, 64> copy;
  const std::size_t mark = text.find_first_of("dD");
  if (mark != std::string_view::npos && text.size() <= copy.size()) {
    std::copy(text.begin(), text.end(), copy.begin());
    copy[mark] = 'e';
    text = {copy.data(), text.size()};
  }

  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (text.empty() || end != last || error == std::errc::invalid_argument) return Reading::no_number;
  if (error == std::errc::result_out_of_range) return Reading::out_of_range;
  return std::isfinite(value) ? Reading::good : Reading::not_finite;
}

double number_or_refuse(std::string_view text, const LineReader& lines, std::string_view what) {
  double value = 0.0;
  const char* demand = "";
  switch (to_number(text, value)) {
    case Reading::good: return value;
    case Reading::not_finite: demand = "must be finite"; break;
    case Reading::out_of_range: demand = "is beyond the range of double precision"; break;
    case Reading::no_number: demand = "must be a number"; break;
  }
  lines.file().refuse(lines.number(), fmt::format("{} {}, got {}", what, demand, shown(text)));
}

}  // namespace ricochet::io
