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

// d.ddd… 10^exponent
struct Digits {
  char digit[40];
  int count = 0, exponent = 0;
};

// fmt gives the fewest digits in its general form; here they are by themselves, without zeros at either end.
Digits shortest_digits(double value) {
  char text[40];
  const char* const end = fmt::format_to(text, "{}", value);
  Digits digits;
  bool fraction = false;
  for (const char* at = text; at != end; ++at) {
    if (*at == 'e') {
      digits.exponent += atoi(string(at + 1, end).c_str());
      break;
    }
    if (*at == '.') {
      fraction = true;
      continue;
    }
    if (!fraction) ++digits.exponent;
    if (digits.count == 0 && *at == '0')
      --digits.exponent;
    else
      digits.digit[digits.count++] = *at;
  }
  --digits.exponent;
  while (digits.digit[digits.count - 1] == '0') --digits.count;
  return digits;
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
  const auto write = [&](string_view text) -> to_chars_result {
    if (last - first < static_cast<ptrdiff_t>(text.size())) return {last, errc::value_too_large};
    return {copy(text.begin(), text.end(), first), errc()};
  };
  char text[64];
  char* end = text;
  if (signbit(value)) *end++ = '-';
  const auto written = [&] { return write({text, static_cast<size_t>(end - text)}); };
  const auto append = [&](string_view more) { end = copy(more.begin(), more.end(), end); };
  if (!isfinite(value) || value == 0.0) {
    append(isnan(value) ? "nan" : value == 0.0 ? "0" : "inf");
    return written();
  }
  const Digits shortest = shortest_digits(abs(value));
  const int count = shortest.count, exponent = shortest.exponent;
  const string_view digits(shortest.digit, static_cast<size_t>(count));
  const int scientific = count + (count > 1) + 2 + (abs(exponent) < 100 ? 2 : 3);
  const int fixed = exponent < 0 ? 1 - exponent + count : max(exponent + 1, count + (exponent < count - 1));
  if (fixed > scientific) {
    end = fmt::format_to(end, "{}{}{}e{:+03}", digits[0], count > 1 ? "." : "", digits.substr(1), exponent);
  } else if (exponent < 0) {
    append("0.");
    end = fill_n(end, -exponent - 1, '0');
    append(digits);
  } else if (exponent >= count - 1) {
    end = fmt::format_to(end, "{:.0f}", abs(value));
  } else {
    append(digits.substr(0, static_cast<size_t>(exponent) + 1));
    append(".");
    append(digits.substr(static_cast<size_t>(exponent) + 1));
  }
  return written();
}

}  // namespace std
