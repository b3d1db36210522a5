// Pages without a script, for builds without npm.
#pragma once

#include <string>
#include <vector>

#include "io/result/sweep_reader.hpp"
#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/present/study_page.hpp"

namespace ricochet::report {

std::string plain_run_page(const StoredResult& result, const std::vector<std::string>& notes);
std::string plain_sweep_page(const io::StoredSweep& sweep, const std::vector<std::string>& notes);
std::string plain_study_page(const StudyPage& page);

}  // namespace ricochet::report
