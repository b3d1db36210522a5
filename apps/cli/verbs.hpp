// What the command line can ask for: options in, exit code out.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ricochet::cli {

// Exit codes.
inline constexpr int done = 0, bad_input = 2, failed = 3;

struct RunOptions {
  std::string scenario;
  std::vector<std::string> set;
  std::optional<std::string> scheme, step, until, output;
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

struct ListOptions {
  std::string name;  // all if empty
  bool json = false;
};
int gallery(const ListOptions& options);
int schemes(const ListOptions& options);
int solvers(const ListOptions& options);

}  // namespace ricochet::cli
