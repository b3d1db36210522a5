// Standard output that notices when it cannot be written, interrupts, and the progress line.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet::cli {

class OutputError : public Error {
 public:
  using Error::Error;
};

// A closed standard stream would otherwise lend its number to the first file opened.
void guard_standard_streams();

// Text, in which control characters are made harmless. Throws OutputError.
void print(std::string_view text);
void flush();

void print_error(std::string_view text);

// From now on Ctrl-C, SIGTERM and SIGHUP set the flag, and the second one ends the program at once. Until then each
// does, as there is nothing to lose.
const std::atomic<bool>& watch_interrupts();
const std::atomic<bool>& interrupt_flag();

// Percentage, steps (or other units) per second and time left on a terminal, from the first second on.
class ProgressLine : public Observer {
 public:
  explicit ProgressLine(std::string unit = "steps");
  ~ProgressLine() override { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void note(const std::string& text) override;
  void progress(std::uint64_t step, std::uint64_t steps) override;
  void clear();
  const std::vector<std::string>& told() const { return told_; }  // notes, at once

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now(), shown_ = begin_;
  std::size_t width_ = 0;  // of the line on the screen
  bool terminal_;
  std::string unit_;
  std::vector<std::string> told_;
};

}  // namespace ricochet::cli
