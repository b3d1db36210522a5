// Values as TOML text.
#pragma once

#include <string>
#include <string_view>

namespace ricochet::io {

std::string toml_string(std::string_view text);
bool is_bare_key(std::string_view text);     // needs no quotes as a key
std::string toml_key(std::string_view key);  // in quotes only where it needs them
std::string toml_number(double number);      // always a float: "1.0"

}  // namespace ricochet::io
