// JSON of studies: what several of them share.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ricochet/study/norms.hpp"

namespace ricochet::io {

using Json = nlohmann::ordered_json;

inline Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

inline Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(number_or_null(x));
  return list;
}

inline Json errors_json(const Errors& errors) {
  Json json = Json::object();
  for (std::size_t n = 0; n < norm_count; ++n) json[std::string(norm_names[n])] = number_or_null(errors.at(n));
  return json;
}

inline std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace ricochet::io
