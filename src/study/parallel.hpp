// Independent jobs on several threads: job i writes slot i, so results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/interrupt.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet {

// 0 threads: one a core, at most `most`.
inline std::size_t thread_count(int asked, std::size_t most = 8) {
  if (asked > 0) return static_cast<std::size_t>(asked);
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
}

// Calls job(i) for i < count, and tells the progress under a lock, from any thread. The exception of the first job in
// order that threw is thrown again.
template <class Job>
void for_each_job(std::size_t count, const StudyWork& study, const Job& job) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t finished = 0;
  const auto work = [&] {
    const InterruptScope scope(study.interrupt);
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (const InterruptedError&) {
        // Its slot stays as it was: it was not run.
      } catch (...) {
        errors[i] = std::current_exception();
        next = count;
      }
      const std::lock_guard lock(mutex);
      ++finished;
      if (study.progress) study.progress(finished, count);
    }
  };
  std::vector<std::thread> others;
  const std::size_t wanted = std::min(thread_count(study.threads), count);
  for (std::size_t k = 1; k < wanted; ++k) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace ricochet
