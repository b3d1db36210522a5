// Ctrl-C while the library computes.
#pragma once

#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

#include "bindings.hpp"

namespace ricochet::python {

// While it lives on the main thread, and if Python would answer Ctrl-C with a KeyboardInterrupt, the first Ctrl-C only
// sets a flag, so that the computation ends cleanly with what there is; a second one goes to Python as usual. A handler
// of the user's own stays in place. To be made and destroyed with the interpreter's lock held.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  // Set it to end the computation.
  std::atomic<bool>* flag() { return flag_; }
  // Whether signals must be looked for by Python itself, from time to time.
  bool polls() const { return polls_; }

 private:
  std::atomic<bool> own_{false};
  std::atomic<bool>* flag_ = &own_;
  bool installed_ = false, polls_ = false;
  struct sigaction before_ = {};
};

// Tells a Python function how far a computation is, every 100 ms at most, and lets Python look at signals. It ends the
// computation if the function returns False.
class ProgressCall {
 public:
  ProgressCall(py::object function, InterruptWatch& watch);
  void operator()(std::uint64_t done, std::uint64_t all);

  // For jobs that do not expect an exception: it ends the computation, and is thrown by rethrow() afterwards.
  void without_throw(std::uint64_t done, std::uint64_t all);
  void rethrow() const;

 private:
  using Clock = std::chrono::steady_clock;
  py::object function_;
  InterruptWatch& watch_;
  Clock::time_point last_ = Clock::now();
  std::exception_ptr error_;
};

}  // namespace ricochet::python
