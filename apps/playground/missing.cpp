#include "missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace std {

namespace {

const char* digits_end(const char* at, const char* last) {
  while (at != last && *at >= '0' && *at <= '9') ++at;
  return at;
}

// The longest beginning that is a number: [-] digits [. digits] [e [+-] digits], infinity, inf or nan.
const char* number_end(const char* first, const char* last) {
  const char* at = first != last && *first == '-' ? first + 1 : first;
  for (const string_view word : {"infinity", "inf", "nan"}) {
    size_t k = 0;
    while (k < word.size() && at + k != last && (at[k] | 32) == word[k]) ++k;
    if (k == word.size()) return at + k;
  }
  const char* end = digits_end(at, last);
  ptrdiff_t count = end - at;
  if (end != last && *end == '.') {
    const char* fraction = digits_end(end + 1, last);
    count += fraction - (end + 1);
    end = fraction;
  }
  if (count == 0) return first;
  if (end == last || (*end | 32) != 'e') return end;
  const char* power = end + 1;
  if (power != last && (*power == '+' || *power == '-')) ++power;
  return digits_end(power, last) == power ? end : digits_end(power, last);
}

}  // namespace

from_chars_result from_chars(const char* first, const char* last, double& value) {
  const char* end = number_end(first, last);
  if (end == first) return {first, errc::invalid_argument};
  const string text(first, end);
  const double read = strtod(text.c_str(), nullptr);
  // Zeros alone are zero; other digits that give zero or infinity are outside of the range.
  const bool word = text.find_first_of("nN") != string::npos;
  const bool digits = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != string::npos;
  if (!word && (isinf(read) || (read == 0.0 && digits))) return {end, errc::result_out_of_range};
  value = read;
  return {end, errc()};
}

// The fewest digits that read back the same, fixed or with an exponent, whichever is shorter.
to_chars_result to_chars(char* first, char* last, double value) {
  string text;
  if (isfinite(value) && value != 0.0) {
    // fmt gives the fewest digits in its general form; they are put together anew.
    const string shortest = fmt::format("{}", value);
    const bool negative = shortest[0] == '-';
    string digits;
    int point = 0, power = 0;
    bool seen = false;
    for (size_t i = negative ? 1 : 0; i < shortest.size(); ++i) {
      if (shortest[i] == 'e') {
        power = atoi(shortest.c_str() + i + 1);
        break;
      }
      if (shortest[i] == '.') {
        seen = true;
        continue;
      }
      digits += shortest[i];
      if (!seen) ++point;
    }
    const size_t zeros = min(digits.find_first_not_of('0'), digits.size());
    digits.erase(0, zeros);
    int exponent = point + power - static_cast<int>(zeros) - 1;  // of the first digit
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
    const int count = static_cast<int>(digits.size());
    const string scientific = fmt::format("{}{}{}e{}{:02}", digits[0], count > 1 ? "." : "", digits.substr(1),
                                          exponent < 0 ? '-' : '+', abs(exponent));
    string fixed;
    if (exponent < 0)
      fixed = "0." + string(static_cast<size_t>(-exponent - 1), '0') + digits;
    else if (exponent >= count - 1)
      fixed = exponent < 22 ? fmt::format("{:.0f}", abs(value)) : string(400, '0');
    else
      fixed =
          digits.substr(0, static_cast<size_t>(exponent) + 1) + "." + digits.substr(static_cast<size_t>(exponent) + 1);
    text = (negative ? "-" : "") + (fixed.size() <= scientific.size() ? fixed : scientific);
  } else if (isfinite(value)) {
    text = signbit(value) ? "-0" : "0";
  } else {
    text = isnan(value) ? (signbit(value) ? "-nan" : "nan") : (value < 0 ? "-inf" : "inf");
  }
  if (static_cast<size_t>(last - first) < text.size()) return {last, errc::value_too_large};
  return {copy(text.begin(), text.end(), first), errc()};
}

}  // namespace std
