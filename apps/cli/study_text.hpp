// Studies on a terminal: what their verbs share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/study/study_page.hpp"

namespace ricochet::cli {

// Throws InputError with the option's name.
int whole_number(const std::string& text, const char* option, int least = 1, int most = 1000);
void check_study_output(const std::string& path);

// Sentences and tables; notes are said elsewhere.
std::string text_of(const StudyPage& page);

// Refuses now what could not be written later.
void check_study_report(const std::optional<std::string>& path);
// Writes the page, if one is asked for, and gives the line that says so.
std::string write_study_report(const std::optional<std::string>& path, const StudyPage& page);

}  // namespace ricochet::cli
