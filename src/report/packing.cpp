#include "report/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace ricochet::report {

namespace {

// Numbers as bytes, the lowest first on every machine.
template <class Number>
std::string encoded(std::vector<Number> numbers) {
  const auto bytes = std::as_writable_bytes(std::span(numbers));
  if constexpr (std::endian::native == std::endian::big)
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(Number))
      std::reverse(bytes.begin() + i, bytes.begin() + static_cast<std::ptrdiff_t>(i + sizeof(Number)));
  return base64(bytes);
}

float to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max(), beyond = std::numeric_limits<float>::infinity();
  if (std::abs(value) > most) return static_cast<float>(value > 0.0 ? beyond : -beyond);
  return static_cast<float>(value);
}

std::vector<float> floats(Values values, double base) {
  std::vector<float> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [base](double value) { return to_float(value - base); });
  return result;
}

bool is_constant(Values values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

bool is_sparse(Values values) {
  const auto zeros = static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0));
  return values.size() - zeros < values.size() / 4;
}

// Values that hardly differ from each other keep their digits if a base is taken off.
double base_of(Values values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double middle = *least + (*most - *least) / 2.0;
  return *most - *least < 1e-3 * std::abs(middle) ? middle : 0.0;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&bytes](std::size_t i) { return i < bytes.size() ? std::to_integer<unsigned>(bytes[i]) : 0U; };
  for (std::size_t i = 0, to = 0; i < bytes.size(); i += 3, to += 4) {
    const unsigned word = (byte(i) << 16) | (byte(i + 1) << 8) | byte(i + 2);
    text[to] = digits[word >> 18];
    text[to + 1] = digits[(word >> 12) & 63];
    if (i + 1 < bytes.size()) text[to + 2] = digits[(word >> 6) & 63];
    if (i + 2 < bytes.size()) text[to + 3] = digits[word & 63];
  }
  return text;
}

std::string base64_floats(Values values) { return encoded(floats(values, 0.0)); }

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

bool is_short(Values values) { return values.empty() || is_constant(values) || is_sparse(values); }

void pack_times(std::string& json, Values values) {
  const std::size_t n = values.size();
  bool even = n > 1;
  if (even) {
    const double from = values.front(), to = values.back(), step = (to - from) / static_cast<double>(n - 1);
    for (std::size_t i = 0; even && i < n; ++i)
      even = std::abs(values[i] - (from + step * static_cast<double>(i))) <= 1e-6 * step;
  }
  if (even)
    json += fmt::format(R"({{"even":[{},{}]}})", json_number(values.front()), json_number(values.back()));
  else
    json += R"({"f8":")" + encoded(std::vector<double>(values.begin(), values.end())) + "\"}";
}

void pack_column(std::string& json, Values values) {
  if (values.empty() || (is_constant(values) && std::isfinite(values.front()))) {
    json += fmt::format(R"({{"same":{}}})", values.empty() ? "0" : json_number(values.front()));
    return;
  }
  if (is_sparse(values)) {
    std::vector<std::uint32_t> rows;
    std::vector<double> there;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != 0.0) {
        rows.push_back(static_cast<std::uint32_t>(i));
        there.push_back(values[i]);
      }
    json += R"({"rows":")" + encoded(std::move(rows)) + R"(","f4":")" + base64_floats(there) + "\"}";
    return;
  }
  const double base = base_of(values);
  json += R"({"f4":")" + encoded(floats(values, std::isfinite(base) ? base : 0.0)) + '"';
  if (base != 0.0 && std::isfinite(base)) json += ",\"base\":" + json_number(base);
  json += '}';
}

void add_column(std::string& json, const char* name, Values values) {
  if (values.empty()) return;
  json += fmt::format(",\"{}\":", name);
  pack_column(json, values);
}

Thinning::Thinning(std::size_t rows, std::size_t rows_max) : rows_(rows) {
  rows_max = std::max<std::size_t>(rows_max, 1000);
  if (rows <= rows_max) return;
  // The first and the last row stand for themselves.
  const std::size_t pairs = (rows_max - 2) / 2;
  bucket_ = std::max<std::size_t>(3, (rows - 2 + pairs - 1) / pairs);
  buckets_ = (rows - 2 + bucket_ - 1) / bucket_;
}

template <class Two>
std::vector<double> Thinning::thinned(Values values, const Two& two) const {
  if (all()) return {values.begin(), values.end()};
  std::vector<double> result = {values.front()};
  for (std::size_t k = 0; k < buckets_; ++k) {
    const std::size_t begin = 1 + k * bucket_, end = std::min(begin + bucket_, rows_ - 1);
    const auto [one, other] = two(values.subspan(begin, end - begin));
    result.push_back(one);
    result.push_back(other);
  }
  result.push_back(values.back());
  return result;
}

std::vector<double> Thinning::extremes(Values values) const {
  return thinned(values, [](Values bucket) {
    const auto [least, most] = std::minmax_element(bucket.begin(), bucket.end());
    return least <= most ? std::pair(*least, *most) : std::pair(*most, *least);
  });
}

std::vector<double> Thinning::times(Values values) const {
  return thinned(values, [](Values bucket) { return std::pair(bucket.front(), bucket[bucket.size() / 2]); });
}

// Impulses are since the row before: those of rows that go are added to the next that stays.
std::vector<double> Thinning::sums(Values values) const {
  return thinned(values, [](Values bucket) {
    const auto middle = bucket.begin() + static_cast<std::ptrdiff_t>(bucket.size() / 2);
    return std::pair(std::accumulate(bucket.begin(), middle, 0.0), std::accumulate(middle, bucket.end(), 0.0));
  });
}

}  // namespace ricochet::report
