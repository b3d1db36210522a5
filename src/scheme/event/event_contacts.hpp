// What schemes that locate events share: an event strikes, closes and opens contacts at one instant (LastingContacts),
// then the contact problem 0 ≤ Γ ⊥ λ ≥ 0 on all that touch and rest chooses those that the motion up to the next event
// holds by Γ = 0 (HeldContactsOde). Where both λ and Γ are 0 a short motion with the contact held decides: if it would
// have to pull, it opens.
//
// Redundant contacts. What is held gets the forces of least norm λ̂, which may pull, or be beyond the bound of a
// friction, where the contact problem has a solution λ within all cones with the same W λ = W λ̂. From λ towards λ̂ the
// first contact whose force vanishes is then left out: it touches on, and takes part in the next contact problem. Or
// the first friction that reaches its bound pushes with that from then on, as if it slid, and the others hold it.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/lasting_contacts.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "runge_kutta/explicit.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"

namespace ricochet {

class EventContacts {
 public:
  // Sets which contacts `flow` holds.
  EventContacts(const Model& model, HeldContactsOde& flow, const ComplementaritySettings& solver,
                double rate_tolerance);

  bool is_closed(int j) const { return flow_.is_closed(j); }
  bool any_closed() const { return flow_.closed_count() > 0; }
  // Friction k has lost its slip, or reached its bound with the force λ_S.
  void stop(int k) { lasting_.stop(k); }
  void slip(int k, const FrictionModes::Direction& force) {
    lasting_.slip(k, FrictionModes::divided(force, -FrictionModes::norm(force)));
  }
  bool any_open() const { return flow_.closed_count() < nc_; }

  // What the motion that has led here leaves uncertain in gap j, where that is more than the gap's own round-off.
  void set_motion_noise(int j, double noise) { motion_noise_[j] = noise; }

  // The account of an advance: impulses of lasting contact, impacts, energies.
  void clear_report();
  void add_impulse(int j, double impulse) { impulse_[j] += impulse; }
  void add_slip_impulse(int s, double impulse) { slip_impulse_[s] += impulse; }
  void add_works(const LedgerTerms<double>& works) { ledger_ += works; }
  // States at impacts are kept for those who ask for them, and for friction, which is told between them.
  void begin_report(const StepReport& report) {
    keeps_states_ = report.impact_states != nullptr || !slip_impulse_.empty();
  }
  void end_report(double t, StepReport& report);

  // The search has lost a gap: there is nothing to go on with.
  FailureKind lose(const GapSearch::Event& event) {
    lost_ = event.constraint;
    return FailureKind::not_finite;
  }
  bool has_lost() const { return lost_ >= 0 || !contacts().is_finite(); }
  std::string failure_detail(FailureKind kind, double t, const double* y) const;
  std::uint64_t problems() const { return problems_ + lasting_.problems(); }
  std::vector<std::string> remarks() const;

 protected:
  const ContactKinematics<double>& contacts() const { return lasting_.contacts(); }
  void forget();
  // Whether the contact, struck at t, was struck less than `shortest` ago and has become slow, or time does not go on:
  // impacts may accumulate between contacts that no force presses together.
  bool rattles(int j, double t, double U_plus, double shortest) const;
  double flight_before(int j, double t) const;
  static double resolution(double t);
  // Round-off of g_j at (t, q), and that of the motion.
  double gap_noise(int j, double t, const double* q) const;
  // What the round-off of forces in balance makes of the gap of one that touches on without a force, in a step.
  double idle_drift(int j, double step) const;
  void see_positions(const double* q);
  const double* largest_positions() const { return q_largest_.data(); }
  // a and λ with the contacts that are closed now, in forces_.
  FailureKind accelerate(double t, const double* q, const double* v, const double* z);

  // Blows and closings at the instant where lasting_ has been placed. is_short: as LastingContacts has it; `duration`:
  // the time, short for the motion, in which forces have left their round-off in the rates of what touches.
  using IsShort = LastingContacts::IsShort;
  FailureKind strike(double t, double duration, const double* q, double* v, const double* z, const IsShort& is_short);
  // Where lasting_ has been placed: closed contacts are brought back to g = 0 and U = 0.
  FailureKind hold(double t, double* q, double* v);
  // Who is held from (t, y) on, and what frictions do. `pulling`: the forces of those held so far, where one of them
  // has vanished; `horizon`: a time that is short for the motion; `allowed`: who may be held at all. Where a sliding
  // contact admits no acceleration the velocity jumps.
  FailureKind choose(double t, double* y, double horizon, const double* pulling = nullptr,
                     const char* allowed = nullptr);
  // The contact problem on the contacts that `takes_part` has; those that carry are held.
  FailureKind solve_forces(double t, const double* y, const std::vector<char>& takes_part);
  // Of those held, redundant ones that would have to pull are left out, and redundant frictions beyond their bound
  // push with that. `horizon`: a time that is short for the motion.
  FailureKind leave_redundant(double t, const double* y, double horizon);
  // Forces are asked for with the modes of the flow: those that slide go on with it, the others rest.
  void continue_modes();
  // The modes of the flow become those of the lasting contacts.
  void keep_modes();
  void remark(std::string sentence);
  // Whether the event strikes contact j. caught: a contact that is struck without a collision.
  bool is_impact(int j, int caught = -1) const;
  // An impact of contact j alone at t, by P, with a wall that does not move: from v⁻ to what y has.
  void record_alone(int j, double t, const double* y, const double* v_minus, double U_minus, double U_plus, double P);

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const int nq_ = layout_.nq(), nc_ = layout_.nc();
  HeldContactsOde& flow_;
  GapSearch gaps_{model_};
  LastingContacts lasting_;
  ContactAcceleration<double> forces_;
  std::vector<std::uint64_t> impacts_ = zeros<std::uint64_t>(nc_);  // since the contact was last closed
  std::vector<double> force_floor_ = zeros(nc_);                    // besides its round-off, what λ may pull with
  std::vector<double> motion_noise_ = zeros(nc_ + model_.nb());     // of joints it is 0
  ContactReports records_;                                          // of this advance

 private:
  // What lasting_ did to v⁻ at (t, q). caught: a contact that is struck without a collision.
  void record(double t, const double* q, const double* v, const double* z, int caught = -1);
  // The states at an impact; what is summed up in between is its own.
  void begin_instant(double t);
  void end_instant(double t, const double* q, const double* v, const double* z);
  void report_lasting(double t, ContactReports& contacts);
  void move_slip_impulses();
  void report_states(StepReport& report);
  FailureKind solve_resting(double t, double* y);
  struct Limit {
    double share = 1.0;
    int contact = -1, friction = -1;
  };
  Limit limit_towards_held() const;
  void slide_held(int k, double horizon);
  void take_sorted_mode(int j, const double* v);
  std::string no_acceleration_text(const FrictionForces::Paradox& paradox, double t) const;
  bool is_kept(double t, double step, const double* y, int j);
  bool opens(double t, const double* y, double horizon, int j);
  double acceleration_noise(int j, double t, double horizon) const;

  std::vector<int> at_once_ = zeros<int>(nc_);  // impacts of a contact without time going on
  ExplicitRungeKutta trial_{find_tableau("rk4"), flow_.size(false), flow_.outputs()};
  std::vector<char> rests_ = zeros<char>(nc_), shortened_ = rests_;
  std::vector<double> fastest_ = zeros(nc_), last_ = fastest_;  // by contact: largest |U⁻|, time of the last impact
  std::vector<double> q_largest_ = zeros(nq_), impulse_ = zeros(nc_), lambda_ = zeros(flow_.outputs());
  std::vector<double> redundant_ = zeros(layout_.rows.cols);  // λ on its way to that of least norm
  std::vector<double> dy_ = zeros(flow_.size(true)), y_start_ = dy_, y_trial_ = dy_;
  FrictionModes sorted_{layout_};
  std::vector<double> slip_impulse_ = zeros(model_.ns());
  LedgerTerms<double> ledger_;  // of this advance
  ImpactStates states_;         // of this advance
  bool keeps_states_ = true;
  std::vector<double> v_minus_ = zeros(nq_);
  std::uint64_t problems_ = 0, further_remarks_ = 0;
  int lost_ = -1;  // the gap that has no value any more
  std::vector<std::string> remarks_;
  std::string no_acceleration_;  // why
};

}  // namespace ricochet
