// Seconds that a piece of work takes.
#pragma once

#include <ctime>

namespace ricochet {

// Of this thread: a busy machine does not count.
inline double seconds_of(const auto& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

}  // namespace ricochet
