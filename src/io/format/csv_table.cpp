#include "io/format/csv_table.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/utf8.hpp"

namespace ricochet {

namespace {

// The longest number is -2.2250738585072014e-308, the longest row in the buffer must fit.
constexpr std::size_t longest_number = 32;
constexpr std::size_t buffer_size = std::size_t{1} << 18;

}  // namespace

std::string csv_quoted(const std::string& text) {
  constexpr char32_t replacement = 0xFFFD;
  std::string inner;
  for (std::string_view rest = text; !rest.empty();) {
    const char32_t c = next_character(rest);
    if (c == '"') inner += '"';
    append_character(inner, is_control(c) ? replacement : c);
  }
  return inner.find_first_of(",;\"") == std::string::npos ? inner : '"' + inner + '"';
}

CsvTable::CsvTable(const std::filesystem::path& path, const std::vector<std::string>& names, std::size_t longest_text,
                   bool keeps)
    : file_(path), longest_row_(names.size() * (longest_number + 1) + longest_text), keeps_(keeps) {
  std::string header;
  for (const std::string& name : names) header += (header.empty() ? "" : ",") + csv_quoted(name);
  header += '\n';
  buffer_.resize(std::max(buffer_size, 2 * longest_row_));
  file_.append(header);
}

void CsvTable::number(double value) {
  char* out = buffer_.data() + used_;
  // Many columns are mostly zero.
  if (value == 0.0 && !std::signbit(value))
    *out++ = '0';
  else
    out = fmt::format_to(out, FMT_COMPILE("{}"), value);
  *out++ = ',';
  used_ = static_cast<std::size_t>(out - buffer_.data());
}

void CsvTable::number(std::uint64_t value) {
  char* out = fmt::format_to(buffer_.data() + used_, FMT_COMPILE("{}"), value);
  *out++ = ',';
  used_ = static_cast<std::size_t>(out - buffer_.data());
}

void CsvTable::text(std::string_view text) {
  text.copy(buffer_.data() + used_, text.size());
  used_ += text.size();
  buffer_[used_++] = ',';
}

void CsvTable::write_out() {
  if (used_ == 0) return;
  file_.append({buffer_.data(), used_});
  if (keeps_) file_.keep();
  used_ = 0;
}

}  // namespace ricochet
