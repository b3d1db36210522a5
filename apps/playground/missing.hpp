// What the standard library of emscripten 3.1.6 lacks of C++20, included before all else: std::bit_cast, and the texts
// of doubles. It leaves once Debian's emscripten has them.
#pragma once

#include <charconv>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

from_chars_result from_chars(const char* first, const char* last, double& value);
to_chars_result to_chars(char* first, char* last, double value);

}  // namespace std
