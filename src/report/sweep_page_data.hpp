// The data of a sweep's page as JSON. web/src/sweep_data.ts says what it holds.
#pragma once

#include <string>
#include <vector>

#include "io/result/sweep_reader.hpp"

namespace ricochet::report {

std::string sweep_json(const io::StoredSweep& sweep, const std::vector<std::string>& notes);

// What could be shown of points: all columns but the times of a stroboscopic record, which say nothing.
std::vector<std::size_t> shown_columns(const io::StoredSweep& sweep);

// A bifurcation diagram as dots; of a statistics record curves; of grids with several axes the map over the first two.
std::string sweep_picture(const io::StoredSweep& sweep);

}  // namespace ricochet::report
