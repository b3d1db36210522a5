// One trajectory by itself: the time loop of every run, and an observer that keeps what the sweep asks for.
#include <algorithm>
#include <cmath>
#include <optional>

#include "contact/impact_law.hpp"
#include "core/interrupt.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/study/lyapunov.hpp"
#include "run/motion_run.hpp"
#include "scheme/kernel/free_stepper.hpp"
#include "study/sweep/moments.hpp"
#include "study/sweep/sweep_run.hpp"
#include "study/sweep/trajectory_recorder.hpp"

namespace ricochet {
namespace {

StateView view(const State& state) { return {state.t, state.q.data(), state.v.data(), state.z.data()}; }

// Of the rows; points have their own.
std::shared_ptr<const Outputs> outputs_of(const SweepSettings& settings, const SweepCase& a_case) {
  return settings.record == SweepRecord::statistics ? a_case.outputs : nullptr;
}

// The section's function of one trajectory.
class SectionFunction {
 public:
  SectionFunction(const formula::Tape& tape, const std::vector<double>& parameters)
      : tape_(tape), constants_(tape.constants(parameters.data())) {}
  double operator()(const StateView& state) const {
    double value = 0.0;
    tape_.evaluate(formula::Inputs<double>{.t = &state.t, .q = state.q, .v = state.v, .z = state.z}, constants_.data(),
                   &value);
    return value;
  }

 private:
  const formula::Tape& tape_;
  std::vector<double> constants_;
};

// The motion inside an interval that a scheme with its own steps has gone through: run again, up to a time.
class Replay {
 public:
  Replay(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver)
      : stepper_(make_stepper(model, scheme, solver)) {
    stepper_->skip_account();
  }

  // The state at t, from that at the begin of the interval. False if the scheme failed.
  bool state_at(const State& begin, double t, State& state) {
    state = begin;
    if (!(t > begin.t)) return true;
    stepper_->begin(state);
    report_.contacts.clear();
    return stepper_->advance(state, t - begin.t, t, report_) == FailureKind::none;
  }

 private:
  std::unique_ptr<Stepper> stepper_;
  StepReport report_;
};

class TrajectoryObserver final : public Observer, public MotionWatcher {
 public:
  TrajectoryObserver(const SweepSettings& settings, const SweepCase& a_case, const SweepGrid& grid, std::uint64_t index)
      : settings_(settings),
        model_(*a_case.model),
        chooses_steps_(traits(a_case.scheme).chooses_steps),
        locates_(traits(a_case.scheme).locates_impacts),
        compliant_(traits(a_case.scheme).compliant),
        grid_(grid),
        recorder_(settings, a_case, grid, index, !chooses_steps_),
        moments_(model_.nq()),
        outputs_(outputs_of(settings, a_case) ? a_case.outputs->names().size() : 0) {
    if (settings.record == SweepRecord::section) section_.emplace(settings.section, a_case.parameters);
    if (chooses_steps_ && (settings.record == SweepRecord::section || settings.record == SweepRecord::impacts))
      replay_.emplace(model_, a_case.scheme, a_case.solver);
    if (settings.lyapunov)
      exponent_.emplace(model_, chooses_steps_ ? 16 : 1, settings.spectrum ? 2 * model_.nq() + model_.nz() : 1);
    recorder_.look({a_case.from, a_case.start.q.data(), a_case.start.v.data(), a_case.start.z.data()});
    every_ = settings.record == SweepRecord::stroboscopic && !settings.lyapunov ? grid.per_period : 1;
  }

  std::uint64_t every() const { return every_; }
  const std::atomic<bool>* stop() const { return &stop_; }
  bool abandoned() const { return abandoned_; }

  void record(const Sample& sample) override {
    const StateView now{sample.t, sample.q, sample.v, sample.z};
    if (step_ == 0 && !began_) return begin(now, sample);
    if (watches_) {
      if (sample.event == 0) recorder_.look(now);
      return;
    }
    if (sample.event != 0) {
      if (settings_.record == SweepRecord::statistics) add_interval(now, sample, step_ >= transient(), false);
      return;
    }
    const std::uint64_t step = std::min(step_ + every_, grid_.steps);
    if (sample.t != time_of(step)) return;  // where a run that failed came to its end
    step_ = step;
    node(now, sample);
    watch_interrupt();
  }
  void impact(const Impact& impact) override {
    if (!watches_ || !began_) return pending_.push_back(impact);
    if (is_kept(impact.t)) recorder_.impact(impact, {});
  }
  void progress(std::uint64_t, std::uint64_t) override { watch_interrupt(); }

  // A section is looked for on the motion itself, where the scheme tells it.
  bool wants_motion() override { return watches_ = section_ && !exponent_ && !grid_.settles; }
  void pass(MotionPiece& piece) override {
    if (piece.begin != looked_at_ || !std::equal(y_end_.begin(), y_end_.end(), piece.y_begin))
      look(piece, piece.begin, piece.y_begin);  // an impact lies before it
    const int parts = static_cast<int>(std::min(std::ceil((piece.end - piece.begin) / grid_.h), 1e6));
    for (int k = 1; k < parts; ++k) {
      const double t = piece.begin + (piece.end - piece.begin) * k / parts;
      if (piece.state_at(t, y_look_.data())) look(piece, t, y_look_.data());
    }
    look(piece, piece.end, piece.y_end);
    std::copy_n(piece.y_end, y_end_.size(), y_end_.begin());
    watch_interrupt();
  }

  SweepTrajectory finish(const Solution& solution) {
    const Statistics& statistics = solution.statistics;
    std::vector<double> moments;
    if (settings_.record == SweepRecord::statistics) {
      const double duration = static_cast<double>(step_ > transient() ? step_ - transient() : 0) * grid_.h;
      moments_.append(0, duration, moments);
      outputs_.append(duration, moments);
    }
    SweepTrajectory slot = recorder_.finish(
        ricochet::view(solution.final), chooses_steps_ ? statistics.accepted : statistics.steps, std::move(moments));
    if (solution.status == Status::failed) slot.failure = solution.failure.message;
    if (exponent_ && slot.failure.empty()) slot.lyapunov = exponent_->exponent();
    if (settings_.spectrum && slot.failure.empty()) slot.spectrum = exponent_->spectrum();
    return slot;
  }

 private:
  StateView view(double t, const double* y) const { return {t, y, y + model_.nq(), y + 2 * model_.nq()}; }
  std::uint64_t transient() const { return recorder_.grid().transient; }
  // Of the motion that is watched: behind the transient.
  bool is_kept(double t) const { return grid_.transient == 0 || t > time_of(grid_.transient); }

  // The section function at the next place of the motion.
  void look(MotionPiece& piece, double t, const double* y) {
    const double s = (*section_)(view(t, y));
    if (is_kept(t) && crosses(s_, s, settings_.direction) && !recorder_.pass_over()) {
      const auto at = [&](double time) -> std::optional<StateView> {
        if (!(time >= piece.begin) || !piece.state_at(time, y_inside_.data())) return std::nullopt;
        return view(time, y_inside_.data());
      };
      locate(at, looked_at_, {t, y, y + model_.nq(), y + 2 * model_.nq()}, s);
    }
    s_ = s, looked_at_ = t;
  }

  double time_of(std::uint64_t step) const {
    return step == grid_.steps ? grid_.span.until
                               : grid_.span.from + static_cast<double>(static_cast<std::int64_t>(step)) * grid_.h;
  }
  void watch_interrupt() {
    if (is_set(settings_.interrupt)) abandoned_ = true;
    const bool settled_and_kept = step_ == recorder_.grid().steps && step_ < grid_.steps;
    if (abandoned_ || recorder_.is_full() || settled_and_kept) stop_.store(true, std::memory_order_relaxed);
  }
  void begin(const StateView& now, const Sample& sample) {
    if (section_) s_ = (*section_)(now), looked_at_ = now.t;
    if (grid_.transient == 0) keep_impacts(now);
    pending_.clear();
    if (looks_back_) remember(now, last_), remember(now, last_row_);
    outputs_.begin(sample.output);
    began_ = true;
  }
  void remember(const StateView& now, State& state) const {
    state.t = now.t;
    state.q.assign(now.q, now.q + model_.nq());
    state.v.assign(now.v, now.v + model_.nq());
    state.z.assign(now.z, now.z + model_.nz());
  }

  void node(const StateView& now, const Sample& sample) {
    if (step_ % grid_.look == 0) recorder_.look(now, step_);
    const bool kept = step_ > transient();
    bool touched = false;
    pressing_.clear();
    for (int j = 0; j < model_.nc(); ++j) {
      touched = touched || sample.impulse[j] > 0.0;
      if (exponent_ && sample.impulse[j] > 0.0) pressing_.push_back(j);
    }
    if (exponent_) follow(now.t);
    if (kept) keep_impacts(now);
    if (settings_.record == SweepRecord::stroboscopic && kept && step_ % grid_.per_period == 0) recorder_.point(now);
    if (settings_.record == SweepRecord::statistics) {
      if (kept && !chooses_steps_ && !locates_)
        for (const Impact& impact : pending_) pass_impact(impact);
      add_interval(now, sample, kept, touched);
    }
    pending_.clear();
    if (section_) pass_section(now, kept, touched);
    if (looks_back_) remember(now, last_);
  }

  // From the last row to this one. Where impacts are located they are rows, and nothing jumps in between.
  void add_interval(const StateView& now, const Sample& sample, bool kept, bool touched) {
    const double h = locates_ ? now.t - last_row_.t : grid_.h;
    const bool smooth = locates_ ? h > 0.0 : compliant_ || !touched;
    moments_.add(kept, smooth, h, last_row_.q.data(), last_row_.v.data(), now.q, now.v);
    outputs_.add(kept, h, sample.output);
    remember(now, last_row_);
  }
  // Where the motion met the obstacle, followed there at its velocity.
  void pass_impact(const Impact& impact) {
    const double delay = std::max(0.0, impact.t - last_.t);
    for (int i = 0; i < model_.nq(); ++i) moments_.pass(0, i, last_.q[i] + delay * last_.v[i]);
  }

  // A contact that pushed without an impact lasts: at once where events are located, on a grid if it did so in the step
  // before too; otherwise it was an impact too slow to be told.
  void follow(double end) {
    for (const Impact& impact : pending_) std::erase(pressing_, impact.constraint);
    hits_ = pending_;
    lasting_.clear();
    for (const int j : pressing_) {
      if (chooses_steps_ || std::find(pressed_.begin(), pressed_.end(), j) != pressed_.end()) {
        lasting_.push_back(j);
      } else {
        hits_.push_back({.t = end, .constraint = j});
      }
    }
    pressed_ = pressing_;
    exponent_->follow(last_, end, hits_, lasting_);
    if (step_ == transient()) exponent_->begin_count();
  }

  // Schemes that choose their steps meet impacts inside: the state after one is run again, to just behind it.
  void keep_impacts(const StateView& now) {
    for (const Impact& impact : pending_) {
      if (!replay_ || settings_.record != SweepRecord::impacts || !began_) {
        recorder_.impact(impact, now);
        continue;
      }
      const double behind = std::max(impact.t, last_.t) + 1e-9 * grid_.h;
      recorder_.impact(impact, replay_->state_at(last_, behind, inside_) ? ricochet::view(inside_) : now);
    }
  }

  void pass_section(const StateView& now, bool kept, bool touched) {
    const double s = (*section_)(now);
    if (kept && crosses(s_, s, settings_.direction) && !recorder_.pass_over()) {
      if (replay_) {
        const auto at = [&](double t) -> std::optional<StateView> {
          if (!replay_->state_at(last_, t, inside_)) return std::nullopt;
          return ricochet::view(inside_);
        };
        locate(at, last_.t, now, s);
      } else {
        recorder_.crossing(ricochet::view(last_), s_, now, s, touched);
      }
    }
    s_ = s;
  }

  // The zero between t0, where the function was s_, and now: regula falsi with halved weights (Illinois), bisection
  // where the function jumps. state_at(t): the state there, if there is one.
  template <class StateAt>
  void locate(const StateAt& state_at, double t0, const StateView& now, double s1) {
    double t1 = now.t, s0 = s_;
    const double tolerance = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1));
    int side = 0;
    for (int k = 0; k < 80 && t1 - t0 > tolerance; ++k) {
      const bool bisect = k > 12 || !(std::abs(s0) > 0.0);
      const double t = bisect ? 0.5 * (t0 + t1) : t0 + (t1 - t0) * (s0 / (s0 - s1));
      if (!(t > t0 && t < t1)) break;
      const std::optional<StateView> inside = state_at(t);
      if (!inside) break;
      const double s = (*section_)(*inside);
      if (s == 0.0) return recorder_.point(*inside);
      if ((s > 0.0) == (s1 > 0.0)) {
        // The other end keeps its place: its weight is halved.
        if (side == 1) s0 *= 0.5;
        t1 = t, s1 = s, side = 1;
      } else {
        if (side == -1) s1 *= 0.5;
        t0 = t, s0 = s, side = -1;
      }
    }
    recorder_.point(t1 < now.t ? state_at(t1).value_or(now) : now);
  }

  const SweepSettings& settings_;
  const Model& model_;
  const bool chooses_steps_, locates_, compliant_;
  const bool looks_back_ = settings_.record != SweepRecord::stroboscopic || settings_.lyapunov;  // at the last node
  const SweepGrid grid_;                                                                         // as planned
  TrajectoryRecorder recorder_;
  Moments<double> moments_;
  RowMoments outputs_;
  std::optional<SectionFunction> section_;
  std::optional<Replay> replay_;
  std::optional<LyapunovExponent> exponent_;
  std::uint64_t every_ = 1, step_ = 0;
  bool began_ = false, abandoned_ = false;
  std::atomic<bool> stop_{false};
  std::vector<Impact> pending_, hits_;
  std::vector<int> pressing_, pressed_, lasting_;
  State last_, last_row_, inside_;    // at the last node, in the last row
  double s_ = 0.0, looked_at_ = 0.0;  // the section function, and when
  bool watches_ = false;              // the motion itself
  std::vector<double> y_look_ = zeros(2 * model_.nq() + model_.nz()), y_inside_ = y_look_, y_end_ = y_look_;
};

RunSettings run_settings(const SweepSettings& settings, const SweepCase& a_case, const SweepGrid& grid,
                         const TrajectoryObserver& observer) {
  return {.h = grid.h,
          .record_every = observer.every(),
          .record_impacts = settings.record == SweepRecord::statistics,
          .keep = false,
          .account = false,
          .solver = a_case.solver,
          .interrupt = observer.stop(),
          .outputs = outputs_of(settings, a_case)};
}

class RunInParts final : public TrajectoryRun {
 public:
  RunInParts(SweepCase&& a_case, const SweepSettings& settings, std::uint64_t index)
      : case_(std::move(a_case)), grid_(sweep_grid(case_, settings)), observer_(settings, case_, grid_, index) {
    const InterruptScope scope(observer_.stop());
    run_ = begin_run(*case_.model, case_.start, grid_.span, case_.scheme,
                     run_settings(settings, case_, grid_, observer_), &observer_);
  }
  bool flies_in_lanes() const override { return run_->flies_in_lanes(); }
  void join(LaneFlights& flights, int lane) override { run_->join(flights, lane); }
  bool waits_after_going_on() override {
    const InterruptScope scope(observer_.stop());
    return run_->go_on();
  }
  SweptSlot end() override {
    const Solution solution = run_->end();
    if (observer_.abandoned()) return std::nullopt;
    return observer_.finish(solution);
  }

 private:
  const SweepCase case_;
  const SweepGrid grid_;
  TrajectoryObserver observer_;
  std::unique_ptr<MotionRun> run_;
};

// A continued motion may be a little inside an obstacle, or an obstacle may have moved: q goes to its surface.
void move_out(const Model& model, State& state) {
  ImpactLaw law(model);
  for (int round = 0; round < 10; ++round) {
    law.place(state.t, state.q.data());
    law.clear();
    for (int j = 0; j < model.nc(); ++j)
      if (law.contacts().gap(j) < 0.0) law.include(j);
    if (law.included_count() == 0) return;
    if (law.close_gaps(state.t, state.q.data()) != FailureKind::none) return;
  }
}

}  // namespace

SweepTrajectory failed_slot(std::uint64_t index, std::string failure) {
  SweepTrajectory slot;
  slot.index = index;
  slot.failure = std::move(failure);
  return slot;
}

SweepCase started_case(const SweepCases& cases, std::uint64_t index, const std::vector<double>& start) {
  SweepCase a_case = cases.at(index);
  if (start.empty()) return a_case;
  const auto nq = a_case.model->nq(), nz = a_case.model->nz();
  const double* x = start.data();
  a_case.start.q.assign(x, x + nq);
  a_case.start.v.assign(x + nq, x + 2 * nq);
  a_case.start.z.assign(x + 2 * nq, x + 2 * nq + nz);
  a_case.start.t = a_case.from;
  move_out(*a_case.model, a_case.start);
  return a_case;
}

SweptSlot sweep_one(const SweepCase& a_case, const SweepSettings& settings, std::uint64_t index) {
  try {
    const SweepGrid grid = sweep_grid(a_case, settings);
    TrajectoryObserver observer(settings, a_case, grid, index);
    const Solution solution = simulate(*a_case.model, a_case.start, grid.span, a_case.scheme,
                                       run_settings(settings, a_case, grid, observer), &observer);
    if (observer.abandoned()) return std::nullopt;
    return observer.finish(solution);
  } catch (const InputError& error) {
    return failed_slot(index, error.what());
  }
}

std::unique_ptr<TrajectoryRun> begin_one(SweepCase a_case, const SweepSettings& settings, std::uint64_t index) {
  return std::make_unique<RunInParts>(std::move(a_case), settings, index);
}

}  // namespace ricochet
