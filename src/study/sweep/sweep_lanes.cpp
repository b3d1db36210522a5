// Trajectories of a sweep in lanes: each lane has a seat, and whoever ends makes room for the next.
#include <algorithm>
#include <array>
#include <optional>

#include "contact/sparse_delassus.hpp"
#include "core/iteration_matrix.hpp"
#include "model/model_lanes.hpp"
#include "ricochet/core/error.hpp"
#include "run/impact_filter.hpp"
#include "run/start.hpp"
#include "run/start_joints.hpp"
#include "scheme/kernel/lane_stepper.hpp"
#include "study/sweep/moments.hpp"
#include "study/sweep/sweep_run.hpp"
#include "study/sweep/trajectory_recorder.hpp"

namespace ricochet {
namespace {

constexpr std::uint64_t most_steps_at_once = 20'000;  // between two looks at the interrupt
constexpr int most_coordinates = 64;                  // dense matrices over lanes

// The state of one lane, out of its lanes.
struct LaneState {
  std::vector<double> q = {}, v = {}, z = {};

  StateView take(const LaneMotion& motion, int l) {
    const auto copy = [l](const std::vector<Lanes>& from, std::vector<double>& to) {
      to.resize(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i][l];
    };
    copy(motion.q, q), copy(motion.v, v), copy(motion.z, z);
    return {motion.t[l], q.data(), v.data(), z.data()};
  }
};

// The models of all lanes: formulas with parameters of their own, or one model each.
class LaneModels {
 public:
  LaneModels(const LagrangianFamily* family, const SweepCase& first) : scheme_(first.scheme), solver_(first.solver) {
    if (family != nullptr)
      formulas_ = family->lanes(first.parameters);
    else
      models_ = std::make_unique<ModelLanes>(first.model);
    parameters_.fill(first.parameters);
  }
  const Mechanics<Lanes>& mechanics() const {
    return formulas_ ? static_cast<const Mechanics<Lanes>&>(*formulas_) : *models_;
  }
  bool fits(const SweepCase& a_case) const {
    return formulas_ || (a_case.scheme == scheme_ && a_case.solver == solver_ && models_->fits(*a_case.model));
  }
  void set(int l, const SweepCase& a_case) {
    parameters_[l] = a_case.parameters;
    formulas_ ? formulas_->set(l, a_case.parameters.data()) : models_->set(l, a_case.model);
  }
  void imitate(int l, int other) {
    formulas_ ? formulas_->set(l, parameters_[other].data()) : models_->imitate(l, other);
  }

 private:
  const Scheme scheme_;
  const ComplementaritySettings solver_;
  std::unique_ptr<LagrangianLanes> formulas_;
  std::unique_ptr<ModelLanes> models_;
  std::array<std::vector<double>, lane_count> parameters_;
};

class LaneCrew {
 public:
  LaneCrew(const SweepCases& cases, const SweepSettings& settings, SweepWork& work)
      : cases_(cases), settings_(settings), work_(work), seats_(lane_count) {}

  void run() {
    for (int l = 0; l < lane_count; ++l) fill(l);
    imitate();
    while (busy_ > 0 && !is_set(settings_.interrupt)) advance();
  }

 private:
  // What a lane is busy with.
  struct Seat {
    std::optional<ChainWalk> walk;
    bool busy = false, began_touching = false;
    SweepGrid grid;
    std::uint64_t made = 0, stop = 0;  // steps, and where something happens next
    std::optional<TrajectoryRecorder> recorder;
    std::optional<ImpactFilter> filter;
    std::vector<Impact> pending;
    std::vector<double> v_start;  // before what the scheme does to begin
    LaneState now, before;
    bool kept() const { return made > grid.transient; }
    void keep(const Impact& impact) { pending.push_back(impact); }
    void take(const ContactReports& contacts) {
      for (const ContactReport& contact : contacts)
        filter->take(contact, contacts, [this](const Impact& hit) { keep(hit); });
    }
  };

  bool looks_at_every_step() const {
    return settings_.record == SweepRecord::section || settings_.record == SweepRecord::statistics;
  }
  SweepCase next_case(const Seat& seat) const {
    return started_case(cases_, seat.walk->trajectory(), seat.walk->start());
  }
  StateView state(int l) { return seats_[l].now.take(motion_, l); }

  // The next trajectory that can begin takes the seat.
  void fill(int l) {
    Seat& seat = seats_[l];
    while (find_next(seat.walk, work_, settings_)) {
      try {
        const SweepCase a_case = next_case(seat);
        if (can_use(a_case) && sit_down(l, a_case)) {
          ++busy_;
          return;
        }
        // Alone it runs under any scheme, or says why it cannot begin.
        run_alone(l, a_case);
      } catch (const InputError& error) {
        hand_over(l, failed_slot(seat.walk->trajectory(), error.what()));
      }
    }
    seat.busy = false;
    seat.walk.reset();
  }

  bool can_use(const SweepCase& a_case) const {
    if (settings_.lanes == 1 || settings_.lyapunov || find_scheme(a_case.scheme.name).make_lanes == nullptr)
      return false;
    const Layout& layout = a_case.model->layout();
    if (SparseDelassus::is_wanted(layout.nq(), layout.nr(), a_case.solver)) return false;
    if (cases_.family() != nullptr) return is_dense(layout);
    const bool has_rows = settings_.record == SweepRecord::statistics && a_case.outputs;
    return !has_rows && ModelLanes::is_taken(*a_case.model) && (!models_ || models_->fits(a_case));
  }

  // Whether a single run has dense factors, as lanes do: others have other last digits.
  bool is_dense(const Layout& layout) const {
    if (layout.nq() > most_coordinates) return false;
    if (!is_dense_) {
      IterationMatrix<double> matrix, mass;
      matrix.resize(layout.nq(), {&layout.mass, &layout.stiffness, &layout.damping}, layout.nz() > 0);
      if (layout.nb() > 0) mass.resize(layout.nq(), {&layout.mass});
      is_dense_ = !matrix.is_sparse() && !mass.is_sparse();
    }
    return *is_dense_;
  }

  bool sit_down(int l, const SweepCase& a_case) {
    Seat& seat = seats_[l];
    const Model& model = *a_case.model;
    make_stepper(model, a_case.scheme, a_case.solver);  // refuses what the scheme cannot take
    if (!models_) {
      models_.emplace(cases_.family(), a_case);
      stepper_ = find_scheme(a_case.scheme.name).make_lanes(models_->mechanics(), a_case.scheme, a_case.solver);
    }
    if (!stepper_) return false;
    seat.grid = sweep_grid(a_case, settings_);
    State start = a_case.start;
    if (model.nb() > 0) {
      complete_start(model, start, a_case.from);
      if (hold_joints(model, start).model) return false;  // only alone by another model
    }
    GapRates rates(model);
    const std::vector<double> responses = check_start(model, start, a_case.from, rates);
    seat.recorder.emplace(settings_, a_case, seat.grid, seat.walk->trajectory(), true);
    seat.recorder->look({a_case.from, a_case.start.q.data(), a_case.start.v.data(), a_case.start.z.data()});
    seat.filter.emplace(model.nc());
    for (int j = 0; j < model.nc(); ++j) seat.filter->set_response(j, responses[j]);
    seat.pending.clear();
    if (const std::optional<ImpactOutcome> hit = hit_at_start(model, start, rates)) seat.take(hit->contacts);
    place(l, a_case, start);
    seat.v_start = start.v;
    if (seat.grid.transient == 0)
      for (const Impact& impact : seat.pending) seat.recorder->impact(impact, state(l));
    seat.pending.clear();
    seat.made = 0;
    set_next_stop(seat);
    if (!stepper_->begin(motion_, l)) return false;
    // What the scheme does before its first step belongs to that step.
    contacts_.clear();
    stepper_->append_start_contacts(motion_, l, contacts_);
    seat.take(contacts_);
    seat.began_touching = !contacts_.empty();
    seat.busy = true;
    return true;
  }

  // Values, motion and grid of a lane.
  void place(int l, const SweepCase& a_case, const State& start) {
    Seat& seat = seats_[l];
    if (motion_.q.empty()) {
      parameters_.assign(a_case.parameters.begin(), a_case.parameters.end());
      moments_.emplace(a_case.model->nq());
      // Lanes that nobody has sat in yet do the same.
      motion_.q.assign(start.q.begin(), start.q.end());
      motion_.v.assign(start.v.begin(), start.v.end());
      motion_.z.assign(start.z.begin(), start.z.end());
      motion_.from = motion_.t = start.t, motion_.until = seat.grid.span.until, motion_.h = seat.grid.h;
      motion_.steps = static_cast<double>(seat.grid.steps);
    }
    models_->set(l, a_case);
    for (std::size_t i = 0; i < start.q.size(); ++i) motion_.q[i].set(l, start.q[i]), motion_.v[i].set(l, start.v[i]);
    for (std::size_t i = 0; i < start.z.size(); ++i) motion_.z[i].set(l, start.z[i]);
    motion_.from.set(l, start.t), motion_.t.set(l, start.t);
    motion_.until.set(l, seat.grid.span.until), motion_.h.set(l, seat.grid.h);
    motion_.steps.set(l, static_cast<double>(seat.grid.steps)), motion_.made.set(l, 0.0);
    kept_.set(l, seat.grid.transient == 0);
    moments_->clear(l);
    if (settings_.record != SweepRecord::section) return;
    for (std::size_t k = 0; k < parameters_.size(); ++k) parameters_[k].set(l, a_case.parameters[k]);
    section_constants_ = settings_.section.constants(parameters_.data());
    s_.set(l, section()[l]);
  }

  // Lanes without work do what a busy one does, at no cost of their own.
  void imitate() {
    const auto busy = std::find_if(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.busy; });
    if (busy == seats_.end()) return;
    for (int l = 0; l < lane_count; ++l)
      if (!seats_[l].busy) imitate(l, static_cast<int>(busy - seats_.begin()));
  }

  void imitate(int l, int other) {
    models_->imitate(l, other);
    stepper_->begin(motion_, l);
    for (std::vector<Lanes>* x : {&motion_.q, &motion_.v, &motion_.z})
      for (Lanes& entry : *x) entry.set(l, entry[other]);
    for (Lanes* x : {&motion_.from, &motion_.until, &motion_.h, &motion_.steps, &motion_.made, &motion_.t})
      x->set(l, (*x)[other]);
    kept_.set(l, false);
  }

  void hand_over(int l, SweepTrajectory&& slot) { seats_[l].walk->hand_over(std::move(slot), work_); }

  void run_alone(int l, const SweepCase& a_case) {
    if (SweptSlot slot = sweep_one(a_case, settings_, seats_[l].walk->trajectory())) hand_over(l, std::move(*slot));
  }

  // Where a lane must be looked at next: the end of the transient, a look at its size (of a stroboscopic section also a
  // point), the end.
  void set_next_stop(Seat& seat) const {
    const std::uint64_t look = (seat.made / seat.grid.look + 1) * seat.grid.look;
    seat.stop = std::min(look, seat.made < seat.grid.transient ? seat.grid.transient : seat.grid.steps);
  }

  std::uint64_t steps_to_go() const {
    if (looks_at_every_step()) return 1;
    std::uint64_t n = most_steps_at_once;
    for (const Seat& seat : seats_) {
      if (!seat.busy) continue;
      n = std::min(n, seat.filter->has_open() || !seat.pending.empty() ? 1 : seat.stop - seat.made);
    }
    return n;
  }

  // Some steps of all lanes, and what has to be looked at after the last of them.
  void advance() {
    if (looks_at_every_step()) look_back();
    const std::uint64_t n = stepper_->advance(motion_, steps_to_go());
    const LaneMask failed = stepper_->failed();
    const bool any_failed = any(failed), any_touched = stepper_->touched();
    touched_ = false;
    for (int l = 0; l < lane_count; ++l) {
      Seat& seat = seats_[l];
      if (!seat.busy || (any_failed && failed[l])) continue;
      seat.made += n;
      if (any_touched || seat.filter->has_open() || !seat.pending.empty()) take_contacts(l);
    }
    if (settings_.record == SweepRecord::section) look_at_section(failed);
    if (settings_.record == SweepRecord::statistics) look_at_moments(failed);

    // Whoever ended makes room.
    const int before = ended_;
    for (int l = 0; l < lane_count; ++l) {
      if (!seats_[l].busy) continue;
      if (any_failed && failed[l]) {
        leave(l);
        run_alone(l, next_case(seats_[l]));  // says why it failed, and keeps what there was
        fill(l);
      } else {
        end_of_step(l);
      }
    }
    if (busy_ < lane_count && (ended_ != before || any_failed)) imitate();
  }

  // Where the next step is seen to begin.
  void look_back() {
    last_ = motion_;
    for (int l = 0; l < lane_count; ++l) {
      const Seat& seat = seats_[l];
      for (std::size_t i = 0; seat.busy && seat.made == 0 && i < seat.v_start.size(); ++i)
        last_.v[i].set(l, seat.v_start[i]);
    }
  }

  void leave(int l) {
    seats_[l].busy = false;
    --busy_;
    ++ended_;
  }

  void take_contacts(int l) {
    Seat& seat = seats_[l];
    contacts_.clear();
    if (stepper_->touched()) stepper_->append_contacts(motion_, l, contacts_);
    touched_.set(l, !contacts_.empty() || (seat.began_touching && seat.made == 1));
    seat.take(contacts_);
    seat.filter->end_step([&](const Impact& hit) { seat.keep(hit); });
    if (seat.pending.empty()) return;
    if (seat.kept()) {
      const StateView after = state(l);
      for (const Impact& impact : seat.pending) record(impact, l, after);
    }
    seat.pending.clear();
  }

  void record(const Impact& impact, int l, const StateView& after) {
    seats_[l].recorder->impact(impact, after);
    if (settings_.record == SweepRecord::statistics) pass_impact(impact, l);
  }
  // Where the motion met the obstacle, followed there at its velocity.
  void pass_impact(const Impact& impact, int l) {
    const double delay = std::max(0.0, impact.t - last_.t[l]);
    for (int i = 0; i < static_cast<int>(last_.q.size()); ++i)
      moments_->pass(l, i, last_.q[i][l] + delay * last_.v[i][l]);
  }

  Lanes section() const {
    Lanes s = 0.0;
    settings_.section.evaluate(
        formula::Inputs<Lanes>{.t = &motion_.t, .q = motion_.q.data(), .v = motion_.v.data(), .z = motion_.z.data()},
        section_constants_.data(), &s);
    return s;
  }

  void look_at_section(const LaneMask& failed) {
    const Lanes s = section();
    const LaneMask crossed = crosses(s_, s, settings_.direction) & kept_ & !failed;
    if (any(crossed))
      for (int l = 0; l < lane_count; ++l) {
        Seat& seat = seats_[l];
        if (!seat.busy || !crossed[l]) continue;
        const StateView now = state(l);
        seat.recorder->crossing(seat.before.take(last_, l), s_[l], now, s[l], touched_[l]);
      }
    s_ = s;
  }

  void look_at_moments(const LaneMask& failed) {
    moments_->add(kept_ & !failed, !touched_, motion_.h, last_.q.data(), last_.v.data(), motion_.q.data(),
                  motion_.v.data());
  }

  void end_of_step(int l) {
    Seat& seat = seats_[l];
    if (seat.made < seat.stop && !seat.recorder->is_full()) return;
    if (seat.made == seat.stop) {
      if (seat.made % seat.grid.look == 0) seat.recorder->look(state(l), seat.made);
      seat.grid = seat.recorder->grid();
      if (settings_.record == SweepRecord::stroboscopic && seat.kept()) seat.recorder->point(state(l));
      if (seat.made >= seat.grid.transient) kept_.set(l, true);
    }
    if (seat.made == seat.grid.steps || seat.recorder->is_full()) return finish(l);
    set_next_stop(seat);
  }

  void finish(int l) {
    Seat& seat = seats_[l];
    // Impacts that the end cuts off.
    while (seat.filter->has_open())
      seat.filter->end_step([&](const Impact& impact) {
        if (static_cast<double>(seat.made) == motion_.steps[l]) record(impact, l, state(l));
      });
    std::vector<double> moments;
    if (settings_.record == SweepRecord::statistics)
      moments_->append(l, static_cast<double>(seat.made - seat.grid.transient) * seat.grid.h, moments);
    SweepTrajectory slot = seat.recorder->finish(state(l), seat.made, std::move(moments));
    leave(l);
    hand_over(l, std::move(slot));
    fill(l);
  }

  const SweepCases& cases_;
  const SweepSettings& settings_;
  SweepWork& work_;
  std::vector<Seat> seats_;
  int busy_ = 0, ended_ = 0;

  mutable std::optional<bool> is_dense_;  // the matrices of the family
  std::optional<LaneModels> models_;
  std::unique_ptr<LaneStepper> stepper_;
  LaneMotion motion_, last_;
  std::vector<Lanes> parameters_;  // of the section
  std::vector<Lanes> section_constants_;
  Lanes s_ = 0.0;
  std::optional<Moments<Lanes>> moments_;
  LaneMask kept_ = false, touched_ = false;
  ContactReports contacts_;
};

}  // namespace

void sweep_chains(const SweepCases& cases, const SweepSettings& settings, SweepWork& work) {
  if (!sweep_flights(cases, settings, work)) LaneCrew(cases, settings, work).run();
}

}  // namespace ricochet
