// ricochet playground
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ricochet/io/result/request_files.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/report/page.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

// It lies beside the program in a build and in a wheel, in share/ where it is installed.
std::string playground_engine(const char* option) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"playground/engine.json", "engine.json", "../share/ricochet/engine.json"}) {
    std::ifstream file(folder / place, std::ios::binary);
    if (file) return {std::istreambuf_iterator<char>(file), {}};
  }
  throw InputError(option,
                   "this ricochet has no engine for pages; it is built where emscripten and npm are found: make "
                   "playground installs both");
}

int playground(const PlaygroundOptions& options) {
  if (options.output && options.output->empty()) throw InputError("-o", "the name of the page is empty");
  const std::filesystem::path page = options.output.value_or("playground.html");
  RequestFiles files;
  files.writes("-o", page);
  std::string scenario;
  if (!options.scenario.empty()) {
    const ScenarioFile file = open_scenario(options.scenario);
    scenario = file.text();
    files.reads(file.inputs());
  }
  files.check();
  write_text_file(page, playground_page(playground_engine(""), scenario));
  print(report_line(page));
  return done;
}

}  // namespace ricochet::cli
