// CPU time of the calling thread, in seconds.
#pragma once

#include <ctime>

namespace ricochet {

inline double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace ricochet
