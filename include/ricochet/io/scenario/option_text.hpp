// What studies take as text: numbers, lists of schemes and steps, windows.
#pragma once

#include <string_view>
#include <vector>

#include "ricochet/study/convergence.hpp"

namespace ricochet {

// "stop,floor" in parts, as many as there are separators and one more; parts may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

// All throw InputError with the name of the option ("--schemes").

double parse_number(std::string_view text, std::string_view option);
int parse_whole_number(std::string_view text, std::string_view option, int least, int most);
// "moreau-jean:theta=1,mannshardt:tableau=gauss-3": names with parameters, each as it was written.
std::vector<SchemeChoice> parse_schemes(std::string_view text);
// "1e-2,5e-3", or "0.04:5" for five steps, each half of the one before. Falling, without doubles.
std::vector<double> parse_steps(std::string_view text, std::string_view option = "--steps");
// "0:1.6".
TimeSpan parse_window(std::string_view text);

}  // namespace ricochet
