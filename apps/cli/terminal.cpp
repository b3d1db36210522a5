#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace ricochet::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch only lock-free atomics");

extern "C" void on_interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

// The number of characters, not bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t size, bool right) {
  const std::string blanks(size - std::min(size, width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

std::string duration(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

[[noreturn]] void refuse_output() {
  throw OutputError("cannot write to the standard output: " + std::generic_category().message(errno));
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

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

void flush() {
  if (std::fflush(stdout) != 0) refuse_output();
}

void print_error(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

std::string wrapped(std::string_view text) {
  std::string result, line;
  std::size_t length = 0;
  const auto add = [&](std::string_view word) {
    const auto size =
        static_cast<std::size_t>(std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    if (length > 0 && length + 1 + size > 80) {
      result += line + "\n";
      line.clear();
      length = 0;
    }
    line += (length == 0 ? "" : " ") + std::string(word);
    length += size + (length == 0 ? 0 : 1);
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (end > 0) add(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line.empty() ? result : result + line + "\n";
}

void print_names(const std::vector<std::vector<std::string>>& rows, std::string_view hint) {
  print(aligned({{"", false}, {"", false}}, rows, ""));
  print(fmt::format("\n{}\n", hint));
}

std::string aligned(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
                    std::string_view indent) {
  std::vector<std::size_t> sizes;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::size_t size = width(columns[j].title);
    for (const std::vector<std::string>& row : rows) size = std::max(size, width(row[j]));
    sizes.push_back(size);
  }

  std::string result;
  const auto add = [&](const auto& entry) {
    std::string line(indent);
    for (std::size_t j = 0; j < columns.size(); ++j)
      line += (j == 0 ? "" : "  ") + padded(entry(j), sizes[j], columns[j].right);
    result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  if (std::any_of(columns.begin(), columns.end(), [](const Column& column) { return !column.title.empty(); }))
    add([&](std::size_t j) { return columns[j].title; });
  for (const std::vector<std::string>& row : rows) add([&](std::size_t j) { return row[j]; });
  return result;
}

std::string readable(double number) { return fmt::format("{:.6g}", number); }

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
  print_error("\r" + padded(line, std::max(size, width_), false));
  width_ = size;
}

void ProgressLine::clear() {
  if (width_ > 0) print_error("\r" + std::string(width_, ' ') + "\r");
  width_ = 0;
}

}  // namespace ricochet::cli
