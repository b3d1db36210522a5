#include "ricochet/run/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "contact/contact_acceleration.hpp"
#include "contact/impact_angles.hpp"
#include "core/interrupt.hpp"
#include "core/zeros.hpp"
#include "ricochet/contact/hard_problems.hpp"
#include "ricochet/contact/impact.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "run/impact_filter.hpp"
#include "run/invariants.hpp"
#include "run/mean_forces.hpp"
#include "run/motion_run.hpp"
#include "run/start.hpp"
#include "run/start_joints.hpp"
#include "scheme/event/exact_flights.hpp"
#include "scheme/kernel/contact_stepper.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/free_stepper.hpp"

namespace ricochet {
namespace {

constexpr std::size_t first_impacts_kept = 100;

// The run in progress: everything simulate() needs between its begin and its end.
class Run final : public MotionRun {
 public:
  // `held`: how joints begin.
  Run(const Model& model, HeldStart held, State start, TimeSpan span, const Scheme& scheme, const RunSettings& settings,
      Observer* observer, bool takes_notes)
      : given_(model),
        held_(std::move(held)),
        model_(held_.model ? *held_.model : model),
        layout_(model.layout()),
        state_(std::move(start)),
        span_(span),
        settings_(settings),
        observer_(observer),
        steps_(step_count(span, settings.h)),
        h_((span.until - span.from) / static_cast<double>(steps_)),
        grid_{span.from, span.until, h_, steps_},
        stepper_(make_stepper(model_, scheme, settings.solver)),
        filter_(model.nc()),
        angles_(model_),
        rigid_(!traits(scheme).compliant),
        invariants_(model_, scheme, h_, settings.record_every == 1,
                    dynamic_cast<ClosedFormStepper*>(stepper_.get()) != nullptr, takes_notes),
        gaps_(model_),
        impulse_(model.nc()),
        forces_(layout_),
        reaction_(model.nb()),
        observed_(layout_.no()),
        observed_rate_(layout_.no()),
        output_(settings.outputs ? settings.outputs->names().size() : 0) {
    report_.interrupt = interrupt_;
    report_.friction.resize(static_cast<std::size_t>(model.ns()));
    if (settings.record_impacts && settings.record_every > 0 && (settings.keep || observer != nullptr))
      report_.impact_states = &states_;
    report_.takes_long = [this] {
      note_long_interval();
      invariants_.see_poles(state_, pushed_ || !report_.contacts.empty(), observer_);
      return !invariants_.why_end().empty();
    };
    if (!settings.account) stepper_->skip_account();
  }

  bool flies_in_lanes() const override { return free_stepper_ != nullptr && free_stepper_->flies_in_lanes(); }
  void join(LaneFlights& flights, int lane) override { free_stepper_->join(flights, lane); }

  void begin() {
    const std::vector<double> responses = check_start(model_, state_, span_.from, gaps_);
    for (int j = 0; j < model_.nc(); ++j) filter_.set_response(j, responses[j]);
    solution_.notes = stepper_->notes();
    solution_.notes.insert(solution_.notes.end(), held_.notes.begin(), held_.notes.end());
    for (std::string& note : start_notes(model_, state_, gaps_)) solution_.notes.push_back(std::move(note));
    see_energy();
    initial_energy_ = energy_.total();
    hit_at_start();
    invariants_.see_force(state_);
    stepper_->begin(state_);
    if (!record()) steps_to_go_ = 0;
  }

  bool go_on() override {
    if (loop()) return true;
    finish();
    return false;
  }

  Solution end() override {
    solution_.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return std::move(solution_);
  }

 private:
  // The scheme is told how far it may go; and who looks at the motion itself, if somebody does.
  bool begin_watch() {
    if (free_stepper_ == nullptr) return false;
    free_stepper_->set_horizon(span_.until);
    MotionWatcher* const watcher = dynamic_cast<MotionWatcher*>(observer_);
    const bool watched = watcher != nullptr && watcher->wants_motion();
    if (watched) free_stepper_->set_watcher(*watcher);
    return watched;
  }

  bool interrupt() {
    solution_.status = Status::interrupted;
    return false;
  }

  // A start that moves into an obstacle it touches has its impact at once.
  void hit_at_start() {
    const std::optional<ImpactOutcome> outcome = ricochet::hit_at_start(model_, state_, gaps_);
    if (!outcome) return;
    LedgerTerms<double> terms;
    terms.input = outcome->obstacle_work;
    std::string names;
    for (const ContactReport& contact : outcome->contacts) {
      terms.impact -= contact.loss;
      terms.friction -= outcome->contacts.slip(contact).loss();
      take(contact, outcome->contacts);
      add_friction(layout_, contact, outcome->contacts.slip(contact), report_.friction.data());
      names += (names.empty() ? "" : ", ") + layout_.constraints[contact.constraint];
    }
    report_.energy.add(terms);
    solution_.notes.push_back("the start moves into an obstacle that it touches (" + names +
                              "): the impact is taken at t = " + to_text(state_.t));
  }

  void note_long_interval() {
    if (std::exchange(told_long_, true)) return;
    solution_.notes.push_back(
        "a little after t = " + to_text(state_.t) + ", in recording interval " +
        std::to_string(solution_.statistics.steps + 1) + " of " + std::to_string(steps_) +
        ", the scheme has taken over a million steps of its own, and goes on: a force that jumps or is very stiff, or "
        "tolerances below what numbers resolve, do that");
    if (observer_ != nullptr) observer_->note(solution_.notes.back());
  }

  // What may not wait for the next record, as its time is told.
  void look_between_records() {
    invariants_.see_energy(state_.t, ledger(), turnover());
    if (state_.t == last_recorded_) return;
    gaps_.measure(state_);
    invariants_.see_gaps(state_, gaps_);
    watch_redundant();
    pushed_ =
        pushed_ || std::any_of(pushes_.begin(), pushes_.end(), [](const Push& push) { return push.impulse != 0.0; });
    invariants_.see_poles(state_, pushed_, observer_);
  }

  // Steps from one stop to the next: a record, a look at the energy, the end. True if the scheme waits on the way.
  bool loop() {
    while (step_ < steps_to_go_) {
      const std::uint64_t stop = std::min({next_record_, next_look_, steps_});
      while (step_ < stop) {
        if (!advance(step_, stop)) return false;
        if (waits()) return true;
      }
      if (step_ == next_record_) {
        next_record_ += every_;
        if (step_ < steps_ && !record()) return false;
      }
      if (step_ == next_look_) {
        next_look_ += look_;
        see_energy();
        if (settings_.account) look_between_records();
        if (must_end()) return false;
        if (observer_ != nullptr) observer_->progress(step_, steps_);
      }
    }
    return false;
  }
  bool waits() const { return free_stepper_ != nullptr && free_stepper_->waits(); }

  FailureKind take_steps(std::uint64_t& step, std::uint64_t stop) {
    if (grid_stepper_ != nullptr) return grid_stepper_->advance_on(state_, grid_, step, stop, report_, pushes_);
    if (is_set(interrupt_)) return FailureKind::interrupted;
    const std::uint64_t end = free_stepper_ != nullptr ? stop : step + 1;
    // What is asked for beyond a thousand steps an interval adds up.
    if (!waits()) report_.asked -= std::min<std::uint64_t>(report_.asked, 1000 * (end - step));
    const FailureKind kind = stepper_->advance(state_, h_, grid_.end_of(end - 1), report_);
    if (kind == FailureKind::none && !waits()) step = end;
    return kind;
  }

  // Some steps of the grid, as long as nothing has to be looked at. False if the run ends here.
  bool advance(std::uint64_t& step, std::uint64_t stop) {
    const bool one = filter_.has_open() || settings_.solver.hardest != nullptr;
    if (settings_.solver.hardest != nullptr) [[unlikely]]
      settings_.solver.hardest->set_time(state_.t);
    const std::uint64_t before = step;
    const FailureKind kind = take_steps(step, one ? step + 1 : stop);
    if (kind == FailureKind::none && waits()) return true;
    if (kind == FailureKind::none && step == before) [[unlikely]]  // no loop runs without end
      return fail(FailureKind::events_do_not_end, "the scheme made no step and did not say why");
    // A step counts once its contacts are told.
    solution_.statistics.steps = step - (kind == FailureKind::none ? 1 : 0);
    const bool told = report_.contacts.empty() && !filter_.has_open() ? true : take_contacts();
    if (must_end()) return false;
    if (kind == FailureKind::interrupted || (kind != FailureKind::none && is_set(interrupt_))) return interrupt();
    if (kind != FailureKind::none) return fail(kind, why(kind));
    if (!told) return false;
    solution_.statistics.steps = step;
    return true;
  }

  // False if one of them is not made of numbers: the run then ends.
  bool take_contacts() {
    bool undecided = false;  // whether contacts that an impact of the step met break continuity
    for (const ContactReport& contact : report_.contacts) {
      if (!std::isfinite(contact.rate_minus + contact.rate_plus + contact.impulse)) {
        const std::string name = layout_.constraints[contact.constraint];
        report_.contacts.clear();
        return fail(FailureKind::not_finite, "the impulse of " + name + ", or the rate of its gap, is not finite");
      }
      filter_.see(contact.constraint, pushes_[contact.constraint].fastest);
      undecided = undecided || (!contact.discontinuous && filter_.would_take(contact));
    }
    if (model_.nc() > 1 && rigid_ && undecided) angles_.decide(state_, h_, report_.contacts);
    std::size_t taken = 0;
    const auto take_up_to = [&](std::size_t count) {
      for (; taken < count; ++taken) take(report_.contacts[taken], report_.contacts);
    };
    bool finite = true;
    for (std::size_t i = 0; i < states_.instants.size() && finite; ++i) {
      take_up_to(states_.instants[i].before);
      finite = record_impact(i, -1);
      take_up_to(states_.instants[i].after);
      finite = finite && record_impact(i, 1);
    }
    take_up_to(report_.contacts.size());
    report_.contacts.clear();
    states_.clear();
    filter_.end_step([this](const Impact& impact) { keep(impact); });
    return finite;
  }

  // The state before (−1) or after (+1) a located impact of the last step, as a row of its own.
  bool record_impact(std::size_t i, int event) {
    const ImpactStates::Instant& instant = states_.instants[i];
    const std::size_t nq = state_.q.size(), ns = report_.friction.size(), nz = state_.z.size();
    const double *q = states_.motion.data() + i * (3 * nq + nz), *v = q + (event < 0 ? nq : 2 * nq), *z = q + 3 * nq,
                 *friction = states_.friction.data() + (2 * i + (event < 0 ? 0 : 1)) * ns;
    at_impact_.t = std::clamp(instant.t, last_recorded_, std::max(last_recorded_, state_.t));
    at_impact_.q.assign(q, q + nq);
    at_impact_.v.assign(v, v + nq);
    at_impact_.z.assign(z, z + nz);
    friction_at_impact_.assign(friction, friction + ns);
    std::swap(state_, at_impact_);
    std::swap(report_.friction, friction_at_impact_);
    event_ = event;
    ledger_at_impact_ = event < 0 ? instant.ledger_before : instant.ledger_after;
    const bool finite = record();
    event_ = 0;
    std::swap(state_, at_impact_);
    std::swap(report_.friction, friction_at_impact_);
    return finite;
  }

  void take(const ContactReport& contact, const ContactReports& all) {
    pushes_[contact.constraint].impulse += contact.impulse;
    invariants_.see_closing(contact.constraint, -contact.rate_minus);
    if (rigid_ && !output_.empty() && filter_.would_take(contact)) forces_.strike(contact, all.slip(contact));
    filter_.take(contact, all, [this](const Impact& impact) { keep(impact); });
  }

  void keep(const Impact& impact) {
    ++solution_.impact_count;
    invariants_.see_impact(impact);
    if (impact.discontinuous && solution_.discontinuous_count++ == 0)
      first_discontinuous_ = fmt::format("{} at t = {:.6g}", layout_.constraints[impact.constraint], impact.t);
    if (settings_.keep || solution_.impacts.size() < first_impacts_kept) solution_.impacts.push_back(impact);
    if (observer_ != nullptr) observer_->impact(impact);
  }

  void see_energy() {
    if (!settings_.account) return;
    energy_ = model_.energy(state_.t, state_.q.data(), state_.v.data());
    largest_kinetic_ = std::max(largest_kinetic_, std::abs(energy_.kinetic));
  }

  // What is recorded at an instant. False if not all of it are numbers: the run then ends there.
  bool measure() {
    gaps_.measure(state_);
    const Energy<double> before = energy_;
    see_energy();
    double account = 0.0;
    if (settings_.account) {
      const LedgerTerms<double> terms = ledger();
      account = energy_.total() + terms.input + terms.damping + terms.impact + terms.friction + terms.numerical;
    }
    double all = account;
    for (const std::vector<double>* x : {&state_.q, &state_.v, &gaps_.gap, &gaps_.rate})
      for (const double entry : *x) all += std::abs(entry);
    if (std::isfinite(all)) return true;
    std::string lost = lost_state_text(layout_, state_.q.data(), state_.v.data());
    if (lost.empty()) lost = lost_gap_text(layout_, gaps_.gap.data(), gaps_.contacts.gradients());
    for (int j = 0; j < model_.nc() && lost.empty(); ++j)
      if (!std::isfinite(gaps_.rate[j]))
        lost = "the rate of the gap of " + layout_.constraints[j] + " became " + to_text(gaps_.rate[j]);
    if (lost.empty() && !std::isfinite(account)) {
      lost = "the energy, or what forces and impacts have done to it, became " + to_text(account);
      energy_ = before;
    }
    if (lost.empty()) return true;
    if (solution_.status != Status::failed) fail(FailureKind::not_finite, lost);
    return false;
  }

  // Rows of joints that were redundant at the start must go on holding by themselves.
  void watch_redundant() {
    if (held_.regularity.redundant.empty() || told_redundant_) return;
    const std::string name = broken_redundant_joint(given_, held_.regularity, state_);
    if (name.empty()) return;
    told_redundant_ = true;
    solution_.notes.push_back("the joint " + name + " is not satisfied any more at t = " + to_text(state_.t) +
                              ": at the start it followed from the others, or had no gradient, and so is not held; "
                              "start from a position where all joints are independent");
  }

  // Forces of the joints: from the step that ended here; where none did, from the accelerations.
  void find_reactions() {
    if (reaction_.empty()) return;
    std::fill(reaction_.begin(), reaction_.end(), std::numeric_limits<double>::quiet_NaN());
    const bool at_start = std::isnan(last_recorded_);
    if (at_start || event_ != 0 || (rigid_ && solution_.status == Status::failed))
      solve_reactions();
    else
      stepper_->reactions(state_, reaction_.data());
    if (!held_.regularity.redundant.empty()) spread_reactions(given_, held_.regularity, state_, reaction_.data());
    // Result files hold numbers.
    const auto is_known = [](double lambda) { return std::isfinite(lambda); };
    if (std::all_of(reaction_.begin(), reaction_.end(), is_known)) return;
    std::fill(reaction_.begin(), reaction_.end(), 0.0);
    if (!std::exchange(has_unknown_reactions_, true))
      solution_.notes.push_back("the reactions of joints could not be found at t = " + to_text(state_.t) +
                                ": the result has 0 there");
  }

  void solve_reactions() {
    ContactAcceleration<double> forces(model_, settings_.solver);
    if (solve_forces(forces)) std::copy_n(forces.reactions(), model_.nb(), reaction_.begin());
  }
  // The forces that go with the accelerations, in the order of the rows: contacts, joints, slips; rates as measure()
  // has placed them. False: there are none.
  bool solve_forces(ContactAcceleration<double>& forces) {
    const double *q = state_.q.data(), *v = state_.v.data();
    if (rigid_) forces.close_touching(state_.t, q, v);
    if (rigid_ && model_.nf() > 0)
      for (FrictionModes::Entry& entry : forces.modes().all()) FrictionModes::begin(entry, gaps_.contacts, v, 1e-12);
    return forces.solve(state_.t, q, v, state_.z.data());
  }

  // For outputs.
  void find_forces() {
    if (output_.empty()) return;
    if (!std::isnan(last_recorded_))
      return forces_.divide(state_.t - last_recorded_, impulse_.data(), report_.friction.data());
    ContactAcceleration<double> forces(model_, settings_.solver);
    forces_.begin(rigid_ && solve_forces(forces) ? forces.multiplier() : nullptr);
  }

  double turnover() const {
    const LedgerSums& sums = report_.energy;
    return sums.input.gross() + sums.damping.gross() + sums.impact.gross() + sums.friction.gross() + largest_kinetic_;
  }

  // Numbers do not resolve what was seen.
  bool must_end() {
    if (invariants_.why_end().empty()) [[likely]]
      return false;
    return !fail(FailureKind::step_too_small, std::exchange(invariants_.why_end(), {}));
  }

  // False if there was something that is no number, files have none, or that numbers do not resolve.
  bool record() {
    if (!measure()) return false;
    for (std::size_t j = 0; j < impulse_.size(); ++j) {
      impulse_[j] = std::exchange(pushes_[j].impulse, 0.0);
      pushed_ = pushed_ || impulse_[j] != 0.0;
    }
    if (event_ == 0) {
      invariants_.see_own_steps(state_.t, stepper_->counts().accepted);
      invariants_.see(state_, gaps_, impulse_, std::exchange(pushed_, false), observer_);
    }
    if (must_end()) return false;
    observe(layout_, state_.q.data(), observed_.data());
    observe(layout_, state_.v.data(), observed_rate_.data());
    find_reactions();
    find_forces();
    watch_redundant();
    last_recorded_ = state_.t;
    last_event_ = event_;
    Sample sample{.t = state_.t,
                  .event = event_,
                  .q = state_.q.data(),
                  .v = state_.v.data(),
                  .z = state_.z.data(),
                  .gap = gaps_.gap.data(),
                  .rate = gaps_.rate.data(),
                  .impulse = impulse_.data(),
                  .slip = gaps_.slip.data(),
                  .friction = report_.friction.data(),
                  .force = forces_.normal(),
                  .friction_force = forces_.tangential(),
                  .reaction = reaction_.data(),
                  .kinetic = energy_.kinetic,
                  .potential = energy_.potential,
                  .observed = observed_.data(),
                  .observed_rate = observed_rate_.data(),
                  .ledger = ledger(),
                  .output = output_.data()};
    if (!output_.empty()) settings_.outputs->evaluate(sample, output_.data());
    if (observer_ != nullptr) observer_->record(sample);
    if (settings_.keep) {
      Trajectory& trajectory = solution_.trajectory;
      const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      trajectory.t.push_back(state_.t);
      trajectory.event.push_back(event_);
      append(trajectory.q, state_.q);
      append(trajectory.v, state_.v);
      append(trajectory.z, state_.z);
      append(trajectory.gap, gaps_.gap);
      append(trajectory.rate, gaps_.rate);
      append(trajectory.impulse, impulse_);
      append(trajectory.slip, gaps_.slip);
      append(trajectory.friction, report_.friction);
      append(trajectory.reaction, reaction_);
      append(trajectory.observed, observed_);
      append(trajectory.observed_rate, observed_rate_);
      append(trajectory.output, output_);
      trajectory.kinetic.push_back(energy_.kinetic);
      trajectory.potential.push_back(energy_.potential);
    }
    std::fill(report_.friction.begin(), report_.friction.end(), 0.0);
    return true;
  }

  // What is lost in the state may be due to a gap that has come to its end.
  std::string why(FailureKind kind) {
    std::string lost;
    if (kind == FailureKind::not_finite || kind == FailureKind::complementarity_not_solved)
      lost = gap_lost_in_time(model_, state_, h_);
    if (kind == FailureKind::complementarity_not_solved) invariants_.see_end(state_);
    if (!lost.empty()) return lost;
    const std::string detail = stepper_->failure_detail();
    if (kind == FailureKind::not_finite && detail == nothing_lost_text) lost = force_lost_in_step(model_, state_, h_);
    return lost.empty() ? detail : lost;
  }

  // False: the run ends here.
  bool fail(FailureKind kind, const std::string& detail) {
    solution_.status = Status::failed;
    const StepCounts counts = stepper_->counts();
    const std::string where = counts.accepted > 0 ? "after " + std::to_string(counts.accepted) + " steps"
                                                  : "step " + std::to_string(solution_.statistics.steps + 1) + " of " +
                                                        std::to_string(steps_);
    solution_.failure = {
        kind, state_.t,
        "stopped at t = " + to_text(state_.t) + " (" + where + "): " + detail + dead_centre_remark(model_, state_)};
    return false;
  }

  // The scheme's own identity gives the numerical part where there is one; otherwise it is what is left.
  LedgerTerms<double> ledger() const {
    LedgerTerms<double> terms = event_ == 0 ? report_.energy.terms() : ledger_at_impact_;
    if (!stepper_->ledger_is_exact())
      terms.numerical =
          ((((energy_.total() - initial_energy_) - terms.input) - terms.damping) - terms.impact) - terms.friction;
    return terms;
  }

  EnergyLedger close_ledger() const {
    const LedgerTerms<double> terms = this->ledger();
    EnergyLedger ledger{initial_energy_, energy_.total(), terms.input,     terms.damping,
                        terms.impact,    terms.friction,  terms.numerical, !stepper_->ledger_is_exact()};
    if (const std::optional<AlgorithmicEnergy> excess = stepper_->algorithmic_energy()) {
      ledger.algorithmic_initial = ledger.initial + excess->at_start;
      ledger.algorithmic_final = ledger.final + excess->now;
    }
    ledger.turnover = turnover();
    return ledger;
  }

  void finish() {
    while (filter_.has_open()) filter_.end_step([this](const Impact& impact) { keep(impact); });
    if (last_recorded_ != state_.t || last_event_ != 0) record();
    for (const double g : gaps_.gap) solution_.violation_max = std::max(solution_.violation_max, -g);
    solution_.violation_max = std::max(solution_.violation_max, report_.violation);
    solution_.energy = close_ledger();
    const StepCounts counts = stepper_->counts();
    // A scheme that chooses its own steps counts them.
    const bool chooses_steps = counts.accepted > 0;
    solution_.statistics.accepted = chooses_steps ? counts.accepted : solution_.statistics.steps;
    solution_.statistics.rejected = counts.rejected;
    solution_.statistics.newton_iterations = counts.newton_iterations;
    solution_.statistics.force_evaluations = counts.force_evaluations;
    solution_.statistics.contact_problems = counts.contact_problems;
    solution_.final = state_;
    solution_.observed = observed_;
    solution_.reaction = reaction_;
    for (std::string& remark : stepper_->remarks()) solution_.notes.push_back(std::move(remark));

    if (const std::uint64_t count = solution_.discontinuous_count; count > 0)
      solution_.notes.push_back(
          std::to_string(count) + (count == 1 ? " impact" : " impacts") + " (the first on " + first_discontinuous_ +
          ") met other closed contacts at angles for which the motion does not depend continuously on the data: the "
          "least change of start or step may change what follows (ricochet check says more)");

    if (solution_.statistics.steps > 0 && !settings_.account) invariants_.see_force(state_);
    if (solution_.statistics.steps > 0 && settings_.account)
      invariants_.conclude(state_, solution_.energy, largest_kinetic_, chooses_steps);
    const std::vector<std::string>& seen = invariants_.notes();
    solution_.notes.insert(solution_.notes.end(), seen.begin(), seen.end());
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const Model& given_;
  const HeldStart held_;
  const Model& model_;  // what moves: joints independent, mass regular
  const Layout& layout_;
  State state_;
  TimeSpan span_;
  const RunSettings settings_;
  const std::atomic<bool>* const interrupt_ = InterruptScope::flag();
  Observer* observer_;
  std::uint64_t steps_;
  double h_;
  const StepGrid grid_;
  std::uint64_t step_ = 0, steps_to_go_ = steps_;  // made; 0 if the start cannot be recorded
  std::unique_ptr<Stepper> stepper_;
  ContactStepper* const grid_stepper_ = dynamic_cast<ContactStepper*>(stepper_.get());  // if it is one
  FreeStepper* const free_stepper_ = dynamic_cast<FreeStepper*>(stepper_.get());
  const bool watched_ = begin_watch();  // the motion itself: no rows are wanted
  const std::uint64_t every_ = settings_.record_every == 0 || watched_ ? steps_ : settings_.record_every;
  const std::uint64_t look_ = std::clamp<std::uint64_t>(steps_ / 1000, 1, 1000);
  std::uint64_t next_record_ = every_, next_look_ = look_;
  std::vector<Push> pushes_ = std::vector<Push>(static_cast<std::size_t>(given_.nc()));
  ImpactFilter filter_;
  ImpactAngles angles_;
  const bool rigid_;  // impacts happen at instants
  Invariants invariants_;
  StepReport report_;
  ImpactStates states_;  // of the last step
  State at_impact_;
  std::vector<double> friction_at_impact_;
  LedgerTerms<double> ledger_at_impact_;
  int event_ = 0, last_event_ = 0;  // what is, and was last, recorded: as in Sample
  Solution solution_;
  GapRates gaps_;
  std::vector<double> impulse_;
  MeanForces forces_;
  std::vector<double> reaction_, observed_, observed_rate_, output_;
  Energy<double> energy_;
  std::string first_discontinuous_;
  bool has_unknown_reactions_ = false, told_redundant_ = false, told_long_ = false;
  bool pushed_ = false;  // a contact, since the gaps were seen last
  double initial_energy_ = 0.0, largest_kinetic_ = 0.0;
  double last_recorded_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace

Solution simulate(const Model& model, State start, TimeSpan span, const Scheme& scheme, const RunSettings& settings,
                  Observer* observer) {
  const InterruptScope scope(settings.interrupt);
  try {
    HeldStart held;
    if (model.nb() > 0) {
      complete_start(model, start, span.from);
      held = hold_joints(model, start);
    }
    Run run(model, std::move(held), start, span, scheme, settings, observer, true);
    run.begin();
    run.go_on();
    return run.end();
  } catch (const InputError&) {
    if (!is_interrupted()) throw;
    Solution ended;
    ended.status = Status::interrupted;
    ended.final = std::move(start);
    return ended;
  }
}

std::unique_ptr<MotionRun> begin_run(const Model& model, const State& start, TimeSpan span, const Scheme& scheme,
                                     const RunSettings& settings, Observer* observer) {
  auto run = std::make_unique<Run>(model, HeldStart(), start, span, scheme, settings, observer, false);
  run->begin();
  return run;
}

}  // namespace ricochet
