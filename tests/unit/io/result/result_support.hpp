// Synthetic runs for the tests of result files.
#pragma once

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ricochet/io/result/result_writer.hpp"

namespace ricochet::io_test {

namespace fs = std::filesystem;

class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::temp_directory_path() / "ricochet-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }

  // Names of what is in the folder, temporary ones only if wanted.
  std::vector<std::string> names(bool temporary) const {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(path_)) {
      const std::string name = entry.path().filename().string();
      if ((name.front() == '.') == temporary) result.push_back(name);
    }
    return result;
  }

 private:
  fs::path path_;
};

// While it lives no file grows beyond `bytes`: writing fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline ResultHeader header(int nq, int nz, int nc) {
  ResultHeader result{.scenario_text = "title = \"Bäll\"\n",
                      .version = "1.2.3",
                      .title = "Bäll",
                      .scheme = "moreau-jean",
                      .scheme_parameters = {{"theta", "0.5"}, {"tableau", "gauss-2"}},
                      .coordinates = {},
                      .states = {},
                      .constraints = {}};
  for (int j = 0; j < nq; ++j) result.coordinates.push_back(fmt::format("x{}", j));
  for (int j = 0; j < nz; ++j) result.states.push_back(fmt::format("p{}", j));
  for (int j = 0; j < nc; ++j) result.constraints.push_back(fmt::format("wall{}", j));
  return result;
}

// Every value tells where it belongs: which = 0 for q, 1 for v, … at row i, column j.
inline double value(int which, long i, int j) {
  return static_cast<double>(which) + 0.1 * static_cast<double>(i) + 0.01 * j;
}

inline Impact impact(long i, int nc) {
  const double x = static_cast<double>(i);
  return {.t = 0.5 * x,
          .constraint = static_cast<int>(i % nc),
          .rate_minus = -1.0 - x,
          .rate_plus = 0.9 + x,
          .impulse = 1.9 + x,
          .energy_loss = 0.1 * x,
          .discontinuous = i % 7 == 3};
}

// Rows first … last−1 of a run of the header's sizes.
inline void feed(ResultWriter& writer, const ResultHeader& header, long first, long last) {
  const auto row = [](int which, long i, std::size_t width) {
    std::vector<double> result(width);
    for (std::size_t j = 0; j < width; ++j) result[j] = value(which, i, static_cast<int>(j));
    return result;
  };
  const std::size_t nq = header.coordinates.size(), nz = header.states.size(), nc = header.constraints.size();
  for (long i = first; i < last; ++i) {
    const auto q = row(0, i, nq), v = row(1, i, nq), z = row(2, i, nz);
    const auto gap = row(3, i, nc), rate = row(4, i, nc), impulse = row(5, i, nc);
    writer.record({.t = static_cast<double>(i),
                   .q = q.data(),
                   .v = v.data(),
                   .z = z.data(),
                   .gap = gap.data(),
                   .rate = rate.data(),
                   .impulse = impulse.data(),
                   .kinetic = value(6, i, 0),
                   .potential = value(7, i, 0)});
  }
}

inline Solution solution() {
  Solution result;
  result.statistics.steps = 42;
  result.energy = {.initial = 1.0, .final = 2.5, .input = 3.0, .damping = -0.5, .impact = -0.75, .numerical = -0.25};
  return result;
}

}  // namespace ricochet::io_test
