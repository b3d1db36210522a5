#include "interrupt.hpp"

#include <utility>

namespace ricochet::python {

namespace {

// One at a time handles the signal: the outermost on the main thread.
std::atomic<bool> interrupted{false};
std::atomic<bool> watching{false};
struct sigaction python_action = {};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch only lock-free atomics");

extern "C" void on_interrupt(int signal) {
  if (!interrupted.exchange(true)) return;
  if (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN) python_action.sa_handler(signal);
}

bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

bool python_raises_keyboard_interrupt() {
  const py::module_ signals = py::module_::import("signal");
  return signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

}  // namespace

InterruptWatch::InterruptWatch() {
  if (!on_main_thread()) return;
  // A computation inside a callback of another one shares its flag.
  if (watching) {
    flag_ = &interrupted;
    return;
  }
  if (!python_raises_keyboard_interrupt()) {
    polls_ = true;
    return;
  }
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  interrupted = false;
  flag_ = &interrupted;
  sigaction(SIGINT, nullptr, &python_action);
  before_ = python_action;
  watching = true;
  sigaction(SIGINT, &action, nullptr);
  installed_ = true;
}

InterruptWatch::~InterruptWatch() {
  if (!installed_) return;
  sigaction(SIGINT, &before_, nullptr);
  watching = false;
}

ProgressCall::ProgressCall(py::object function, InterruptWatch& watch)
    : function_(std::move(function)), watch_(watch) {}

void ProgressCall::operator()(std::uint64_t done, std::uint64_t all) {
  if (function_.is_none() && !watch_.polls()) return;
  const Clock::time_point now = Clock::now();
  if (done < all && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const py::gil_scoped_acquire lock;
  if (watch_.polls() && PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (function_.is_none()) return;
  if (function_(done, all).is(py::bool_(false))) watch_.flag()->store(true);
}

void ProgressCall::without_throw(std::uint64_t done, std::uint64_t all) {
  try {
    if (!error_) (*this)(done, all);
  } catch (...) {
    error_ = std::current_exception();
    watch_.flag()->store(true);
  }
}

void ProgressCall::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace ricochet::python
