// What the pages of runs and sweeps hold: their data as JSON (web/src/data.ts and web/src/sweep_data.ts say what is in
// it), the picture of a sweep, and the plain pages of builds without npm.
#pragma once

#include <string>
#include <vector>

#include "io/format/json.hpp"
#include "io/result/sweep_reader.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet::report {

// What the data of runs and of sweeps begin with. `parameters`: of the scheme, a JSON object as the file has it.
Json page_head(const char* kind, const std::string& title, const std::string& version, const std::string& scheme,
               const std::string& parameters);

std::string run_json(const StoredResult& result, const PageSettings& settings);
std::string sweep_json(const io::StoredSweep& sweep, const std::vector<std::string>& notes);

// What could be shown of points: all columns but the times of a stroboscopic record, which say nothing.
std::vector<std::size_t> shown_columns(const io::StoredSweep& sweep);

// A bifurcation diagram as dots; of a statistics record curves; of grids with several axes the map over the first two.
std::string sweep_picture(const io::StoredSweep& sweep);
// Units and labels, which stand in its scenario.
std::vector<Display> sweep_display(const io::StoredSweep& sweep);

std::string plain_run_page(const StoredResult& result, const std::vector<std::string>& notes);
std::string plain_sweep_page(const io::StoredSweep& sweep, const std::vector<std::string>& notes);
std::string plain_study_page(const StudyPage& page);

}  // namespace ricochet::report
