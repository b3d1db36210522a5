// Records of ground motion as the PEER database gives them (.AT2, .VT2, .DT2): four lines of text, the last of which
// has the number of values and their spacing, "NPTS= 4000, DT= .0050 SEC" or "4000 0.0050 NPTS, DT"; then the values,
// several a line. The unit is that of the file: multiples of g, cm/s or cm.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/format/text_lines.hpp"

namespace ricochet::io {

namespace {

// The first two numbers of a line, whatever words stand around them.
std::vector<double> numbers_in(std::string_view line) {
  std::string text(line);
  for (char& c : text)
    if (c == ',' || c == '=') c = ' ';
  std::vector<double> found;
  std::string_view rest = text;
  for (std::string_view word = next_word(rest); !word.empty() && found.size() < 2; word = next_word(rest)) {
    double value = 0.0;
    if (to_number(word, value) == Reading::good) found.push_back(value);
  }
  return found;
}

}  // namespace

NumberTable read_peer_record(const InputBytes& file, const std::string& quantity) {
  constexpr double most_values = 1e9;
  LineReader lines(file);
  std::string_view line;
  std::string header;
  for (int k = 0; k < 4; ++k) {
    if (!lines.next(line)) file.refuse("is no PEER record: it ends within its four lines of text");
    header = line;
  }
  const std::vector<double> numbers = numbers_in(header);
  const auto refuse_header = [&] {
    file.refuse(4, fmt::format("a PEER record has the number of values and their spacing here, such as NPTS= 4000, DT= "
                               ".0050 SEC; got {}",
                               shown(header)));
  };
  if (numbers.size() < 2) refuse_header();
  const double count = numbers[0], spacing = numbers[1];
  if (!(count >= 2.0 && count <= most_values) || count != static_cast<double>(static_cast<long long>(count)) ||
      !(spacing > 0.0))
    refuse_header();

  NumberTable table{.columns = {"t", quantity}, .values = {{}, {}}};
  while (lines.next(line)) {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line))
      table.values[1].push_back(number_or_refuse(word, lines, "a value"));
  }
  if (static_cast<double>(table.values[1].size()) != count)
    file.refuse(fmt::format("has {} values, but its fourth line announces {:.0f}", table.values[1].size(), count));
  for (std::size_t i = 0; i < table.values[1].size(); ++i) table.values[0].push_back(static_cast<double>(i) * spacing);
  return table;
}

}  // namespace ricochet::io
