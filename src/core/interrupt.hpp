// Whether whoever began the work of this thread wants its end.
//
// One step of a large model can take minutes: its iterations, eliminations and pivots ask here now and then, and give
// up as if they had not converged. Nothing else needs to know: simulate(), where the flag is set, tells an end that was
// asked for from a failure.
#pragma once

#include "ricochet/core/status.hpp"

namespace ricochet {

class InterruptScope {
 public:
  // Until it is destroyed. Without a flag that of the work around it goes on to count.
  explicit InterruptScope(const std::atomic<bool>* flag) : before_(current_) {
    if (flag != nullptr) current_ = flag;
  }
  ~InterruptScope() { current_ = before_; }
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  static const std::atomic<bool>* flag() { return current_; }

 private:
  static inline thread_local const std::atomic<bool>* current_ = nullptr;
  const std::atomic<bool>* before_;
};

inline bool is_interrupted() { return is_set(InterruptScope::flag()); }

// For loops that are short where the problem is small.
inline bool may_go_on(int iteration, int limit) { return iteration < limit && !is_interrupted(); }

}  // namespace ricochet
