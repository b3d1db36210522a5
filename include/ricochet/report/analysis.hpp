// An analysis as one picture.
#pragma once

#include <string>

#include "ricochet/task/analyse.hpp"

namespace ricochet {

// SVG: the spectra of at most six quantities, spectrograms of the first two, and of at most four contacts how speeds
// and impulses of impacts are distributed.
std::string analysis_svg(const AnalyseOutcome& outcome);

}  // namespace ricochet
