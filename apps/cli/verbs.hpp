// What the command line can ask for: options in, exit code out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet::cli {

// Exit codes.
inline constexpr int done = 0, bad_input = 2, failed = 3;

struct RunOptions {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::string> scheme, step, until, output, report;
  bool json = false, no_output = false;
};
int run(const RunOptions& options);

struct CheckOptions {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::string> scheme, step;
  bool json = false;
};
int check(const CheckOptions& options);

struct ConvergeOptions {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::string> schemes, steps, window, reference, phases, threads, output, report;
  bool local = false, json = false;
};
int converge(const ConvergeOptions& options);

struct CompareOptions {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::string> schemes, steps, tolerances, window, reference, phases, threads, accuracy, period, output,
      report;
  bool suite = false, markdown = false, json = false;
};
int compare(const CompareOptions& options);

struct SweepOptions {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::string> threads, lanes, output, csv, report;
  bool restart = false, json = false;
};
int sweep(const SweepOptions& options);

struct ReportOptions {
  std::string result;
  std::optional<std::string> output, svg;
};
int report(const ReportOptions& options);
// The page of a result file, and the line that names it.
void write_report(const std::filesystem::path& result, const std::filesystem::path& page,
                  const std::vector<std::string>& notes);
std::string report_line(const std::filesystem::path& page);

struct ListOptions {
  std::string name;  // all if empty
  bool json = false;
};
int gallery(const ListOptions& options);
int schemes(const ListOptions& options);
int solvers(const ListOptions& options);

}  // namespace ricochet::cli
