#include "ricochet/study/sweep.hpp"

#include <mutex>

#include "ricochet/core/error.hpp"
#include "study/parallel.hpp"
#include "study/sweep/sweep_run.hpp"

namespace ricochet {
namespace {

constexpr std::size_t most_threads = 1024;

// Work that ends for all threads when it throws in one of them; the first exception is kept.
class GuardedWork final : public SweepWork {
 public:
  explicit GuardedWork(SweepWork& work) : work_(work) {}

  std::optional<SweepChain> next() override {
    std::optional<SweepChain> chain;
    if (!failed_) guard([&] { chain = work_.next(); });
    return chain;
  }
  void finished(SweepTrajectory&& trajectory) override {
    if (!failed_) guard([&] { work_.finished(std::move(trajectory)); });
  }
  template <class Function>
  void guard(const Function& function) {
    try {
      function();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  SweepWork& work_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void check_measures(const Scheme& scheme, const SweepSettings& settings) {
  if (!settings.lyapunov) return;
  if (const Traits does = traits(scheme); does.position_law || does.compliant)
    throw InputError("sweep.measure", "a Lyapunov exponent needs impacts that happen at one instant, and those of " +
                                          scheme.name +
                                          " take several steps; moreau-jean and event-driven have them at once");
}

void sweep(const SweepCases& cases, const SweepSettings& settings, SweepWork& work) {
  GuardedWork guarded(work);
  const auto run = [&] { guarded.guard([&] { sweep_chains(cases, settings, guarded); }); };
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < thread_count(settings.threads, most_threads); ++k) others.emplace_back(run);
  run();
  for (std::thread& thread : others) thread.join();
  guarded.rethrow();
}

}  // namespace ricochet
