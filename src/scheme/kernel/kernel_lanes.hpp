// A LaneStepper around a kernel over lanes.
#pragma once

#include "formula/execute.hpp"
#include "scheme/kernel/contact_reports.hpp"
#include "scheme/kernel/lane_stepper.hpp"

// g++ 12 takes sums that begin at 0 for uninitialised where it inlines all of a step.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace ricochet {

template <class Kernel>
class KernelLanes final : public LaneStepper {
 public:
  template <class Rule>
  KernelLanes(const Mechanics<Lanes>& model, const Rule& rule, const ComplementaritySettings& solver)
      : nc_(model.nc()), kernel_(model, rule, solver), wide_(formula::has_avx2()) {
    kernel_.skip_account();
  }

  bool begin(LaneMotion& motion, int lane) override {
    kernel_.reload(lane);
    started_ = false;
    if (!kernel_.has_start()) return true;
    LaneMask only = false;
    only.set(lane, true);
    const LaneMask good = kernel_.start(motion.t, motion.h, motion.q.data(), motion.v.data(), motion.z.data(), only);
    started_ = kernel_.contacts().contact_touched();
    return good[lane];
  }

  std::uint64_t advance(LaneMotion& motion, std::uint64_t n) override {
    failed_ = false;
    const std::uint64_t made = wide_ ? advance_wide(motion, n) : advance_baseline(motion, n);
    // What is not finite stays so: it is enough to look at the end.
    Lanes sum = 0.0;
    for (const std::vector<Lanes>* x : {&motion.q, &motion.v, &motion.z})
      for (const Lanes& entry : *x) sum += entry;
    failed_ = failed_ | !finite(sum);
    return made;
  }

  bool touched() const override { return kernel_.contacts().contact_touched(); }
  const LaneMask& failed() const override { return failed_; }
  void append_contacts(const LaneMotion& motion, int lane, ContactReports& reports) const override {
    ricochet::append_contacts(kernel_, nc_, t0_[lane], motion.h[lane], reports, lane);
  }
  void append_start_contacts(const LaneMotion& motion, int lane, ContactReports& reports) const override {
    if (started_) ricochet::append_contacts(kernel_, nc_, motion.t[lane], 0.0, reports, lane);
  }

 private:
  // With everything inlined for machines with registers of four doubles; as it comes for all others.
#if defined(__x86_64__) && !defined(RICOCHET_NO_CLONES)
  [[gnu::target("avx2"), gnu::flatten]] std::uint64_t advance_wide(LaneMotion& motion, std::uint64_t n) {
    return take_steps(motion, n);
  }
#else
  std::uint64_t advance_wide(LaneMotion& motion, std::uint64_t n) { return advance_baseline(motion, n); }
#endif
  std::uint64_t advance_baseline(LaneMotion& motion, std::uint64_t n) { return take_steps(motion, n); }

  std::uint64_t take_steps(LaneMotion& motion, std::uint64_t n) {
    kernel_.set_out(motion.h, motion.q.data(), motion.v.data(), motion.z.data());
    const std::uint64_t made = move(motion, n);
    kernel_.arrive(motion.q.data(), motion.v.data());
    return made;
  }
  std::uint64_t move(LaneMotion& motion, std::uint64_t n) {
    for (std::uint64_t k = 0; k < n;) {
      if constexpr (Kernel::can_fly)
        if (!kernel_.contacts().touched())
          if ((k += fly(motion, n - k)) == n) break;
      const Lanes t1 = time(motion, 1);
      const LaneMask good = kernel_.go_on(motion.t, motion.h, t1);
      count(motion, 1);
      ++k;
      if (!all(good)) [[unlikely]] {
        failed_ = !good;
        return k;
      }
      if (kernel_.contacts().contact_touched()) return k;
    }
    return n;
  }
  std::uint64_t fly(LaneMotion& motion, std::uint64_t n) requires Kernel::can_fly {
    const std::uint64_t flown = kernel_.fly(
        n, [&](std::uint64_t k) { return k == 0 ? motion.t : time(motion, k); }, [](const LedgerTerms<Lanes>&) {});
    if (flown > 0) count(motion, flown);
    return flown;
  }
  // After k steps from here on.
  static Lanes time(const LaneMotion& motion, std::uint64_t k) {
    const Lanes made = motion.made + Lanes(static_cast<double>(k));
    return select(made == motion.steps, motion.until, motion.from + made * motion.h);
  }
  void count(LaneMotion& motion, std::uint64_t k) {
    t0_ = k == 1 ? motion.t : time(motion, k - 1);
    motion.t = time(motion, k);
    motion.made = motion.made + Lanes(static_cast<double>(k));
  }

  const int nc_;
  Kernel kernel_;
  const bool wide_;
  bool started_ = false;
  Lanes t0_ = 0.0;
  LaneMask failed_ = false;
};

}  // namespace ricochet
