// The page's script and style as the build made them from web/; empty if it had no npm.
#pragma once

#include <string_view>

namespace ricochet::report {

std::string_view page_script();
std::string_view page_style();

}  // namespace ricochet::report
