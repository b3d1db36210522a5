// Columns as text: base64 of little-endian numbers, and shorter forms for columns that are even, equal or mostly zero.
// web/src/data.ts reads them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ricochet::report {

using Values = std::span<const double>;

// All append one JSON value.
void pack_times(std::string& json, Values values);  // {"even": [from, to]} or {"f8": "…"}
void pack_column(std::string& json, Values values);  // {"same": x}, {"rows": "…", "f4": "…"}, {"f4": "…", "base": x}

// Append ,"name":VALUE. A column without values is left out.
void add_column(std::string& json, const char* name, Values values);
// A list of `count` values, which `pack(k)` appends.
template <class Pack>
void add_list(std::string& json, const char* name, std::size_t count, const Pack& pack) {
  json += std::string(",\"") + name + "\":[";
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) json += ',';
    pack(k);
  }
  json += ']';
}

// True for columns that pack_column keeps short whatever their length.
bool is_short(Values values);

std::string base64(std::span<const std::byte> bytes);
std::string base64_floats(Values values);

// A JSON number; null for what is not finite.
std::string json_number(double value);

// Which rows go into the page: all, or for each bucket of rows two, the smallest and the largest value of each column
// in the order they come. The first and the last row always stay.
class Thinning {
 public:
  Thinning(std::size_t rows, std::size_t rows_max);

  std::size_t rows() const { return all() ? rows_ : 2 * buckets_ + 2; }
  std::size_t bucket() const { return bucket_; }  // rows that become two
  bool all() const { return bucket_ <= 2; }

  // What stays of a column: its extremes, the first and the middle of each bucket for times, sums for impulses.
  std::vector<double> extremes(Values values) const;
  std::vector<double> times(Values values) const;
  std::vector<double> sums(Values values) const;

 private:
  // `two` gives what stays of a bucket.
  template <class Two>
  std::vector<double> thinned(Values values, const Two& two) const;

  std::size_t rows_, bucket_ = 1, buckets_ = 0;
};

}  // namespace ricochet::report
