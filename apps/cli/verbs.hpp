// What the command line can ask for: options in, exit code out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet::cli {

// Exit codes.
inline constexpr int done = 0, bad_input = 2, failed = 3;

// What every verb takes that reads a scenario.
struct ScenarioOptions {
  std::string scenario;
  std::vector<std::string> set, files;
  bool json = false;
};

// What run and check take.
struct SchemeOptions : ScenarioOptions {
  std::optional<std::string> scheme, step;
};

struct RunOptions : SchemeOptions {
  std::optional<std::string> until, output, report, dump_problems;
  bool no_output = false;
};
int run(const RunOptions& options);

int check(const SchemeOptions& options);

struct ModesOptions : ScenarioOptions {
  std::optional<std::string> about, closed, number, output, svg;
};
int modes(const ModesOptions& options);

// What both studies take.
struct StudyOptions : ScenarioOptions {
  std::optional<std::string> schemes, steps, window, reference, phases, threads, output, report;
};

struct ConvergeOptions : StudyOptions {
  bool local = false;
};
int converge(const ConvergeOptions& options);

struct CompareOptions : StudyOptions {
  std::optional<std::string> tolerances, accuracy, period;
  bool suite = false, markdown = false;
};
int compare(const CompareOptions& options);

struct SweepOptions : ScenarioOptions {
  std::optional<std::string> threads, lanes, output, csv, report;
  bool restart = false;
};
int sweep(const SweepOptions& options);

struct OrbitOptions : ScenarioOptions {
  std::optional<std::string> along, second, output, csv, report, sweep;
  bool branches = false, restart = false;
};
int orbit(const OrbitOptions& options);
int continue_orbits(const OrbitOptions& options);

struct ReportOptions {
  std::string result;
  std::optional<std::string> output, svg;
  bool live = false;
};
int report(const ReportOptions& options);
// The page of a result file, and the line that names it.
void write_report(const std::filesystem::path& result, const std::filesystem::path& page,
                  const std::vector<std::string>& notes);
std::string report_line(const std::filesystem::path& page);

struct PlaygroundOptions {
  std::string scenario;  // to begin with, if any
  std::optional<std::string> output;
};
int playground(const PlaygroundOptions& options);
// The program as a page takes it. Throws InputError where there is none.
std::string playground_engine(const char* option);

struct AnalyseOptions {
  std::string result;
  std::optional<std::string> quantity, window, force_window, segment, overlap, bins, csv, svg, report;
  bool json = false;
};
int analyse(const AnalyseOptions& options);

struct SolveOptions {
  std::string problem;
  std::optional<std::string> solver, tolerance, max_iterations, output;
  bool json = false;
};
int solve(const SolveOptions& options);

// Of gallery, schemes and solvers.
struct ListOptions {
  std::string name;  // all if empty
  bool json = false;
};

}  // namespace ricochet::cli
