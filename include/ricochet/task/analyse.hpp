// The verb analyse: what a result says about impacts, forces, wear and vibrations.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/study/analysis.hpp"

namespace ricochet {

struct AnalyseRequest {
  std::vector<std::string> quantities = {};  // columns by name; none: coordinates, observations, outputs; of more than
                                             // six coordinates none, but gaps where there is nothing else
  AnalysisSettings settings = {};
};

struct AnalyseOutcome {
  std::string title, scheme, status;
  std::vector<Display> display;  // units and labels
  Analysis analysis;
};

// The names of the columns of a result, as in a CSV file.
std::vector<std::string> column_names(const StoredResult& result);
// A column by its name. Throws InputError ("quantity") that names the nearest one.
std::vector<double> column(const StoredResult& result, const std::string& name);

// Throws InputError with the name of the option.
AnalyseOutcome analyse_result(const StoredResult& result, const AnalyseRequest& request);

}  // namespace ricochet
