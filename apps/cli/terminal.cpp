#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "ricochet/present/text.hpp"

namespace ricochet::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch only lock-free atomics");

extern "C" void on_interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

std::string duration(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

[[noreturn]] void refuse_output() {
  throw OutputError("cannot write to the standard output: " + std::generic_category().message(errno));
}

void print_raw_error(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      // Reading only: what is written there still fails. The lowest free number is the stream's own.
      if (open("/dev/null", O_RDONLY) == -1) return;
    }
  // A broken pipe and a file over the size limit are failed writes, reported as such.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void print(std::string_view given) {
  const std::string text = without_controls(given);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

void flush() {
  if (std::fflush(stdout) != 0) refuse_output();
}

void print_error(std::string_view text) { print_raw_error(without_controls(text)); }

const std::atomic<bool>& interrupt_flag() { return interrupted; }

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action = {}, before = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Whoever started the program may have it ignore them, as nohup does.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
  return interrupted;
}

ProgressLine::ProgressLine(std::string unit) : terminal_(isatty(STDERR_FILENO) == 1), unit_(std::move(unit)) {}

void ProgressLine::progress(std::uint64_t step, std::uint64_t steps) {
  if (!terminal_ || step == 0) return;
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (seconds < 1.0 || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;

  const double rate = static_cast<double>(step) / seconds;
  const double left = static_cast<double>(steps - step) / rate;
  const std::string line =
      fmt::format("{:5.1f} %   {:.3g} {}/s   {} left", 100.0 * static_cast<double>(step) / static_cast<double>(steps),
                  rate, unit_, duration(left));
  const std::size_t size = line.size();
  print_raw_error("\r" + line + std::string(width_ - std::min(width_, size), ' '));
  width_ = size;
}

void ProgressLine::note(const std::string& text) {
  clear();
  print_error("note: " + text + "\n");
  told_.push_back(text);
}

void ProgressLine::clear() {
  if (width_ > 0) print_raw_error("\r" + std::string(width_, ' ') + "\r");
  width_ = 0;
}

}  // namespace ricochet::cli
