// The contacts of the event-driven scheme: index sets, thresholds, and which gaps are watched between events.
#pragma once

#include <vector>

#include "ricochet/scheme/event_driven.hpp"
#include "scheme/event/event_contacts.hpp"
#include "scheme/event/motion_phases.hpp"

namespace ricochet {

class EventDrivenContacts : public EventContacts {
 public:
  EventDrivenContacts(const Model& model, HeldContactsOde& flow, const EventDriven& settings,
                      const ComplementaritySettings& solver);

  // Every event from now on is put at the end of `phases`.
  void log(std::vector<MotionPhase>* phases) { phases_ = phases; }

  // Forgets everything; the next settle() looks at what touches.
  void reset(const double* y);

  // Who takes part in the next settle(): a contact whose gap has closed, or the set that follows a release.
  void hit(int j) { in_[j] = 1; }
  void foresee(double t, const double* y);
  void follow_foreseen() { use_foreseen_ = true; }

  // Impacts, closing and opening at (t, y): velocities jump, and the flow gets its closed contacts. `horizon`: a time
  // that is short for the motion.
  FailureKind settle(double t, double horizon, std::vector<double>& y);

  // The same for one that is struck alone, far from the others and with nothing closed: y has jumped from v⁻ by P, and
  // the gap has the acceleration Γ. False if its flight may be too short to be one: nothing has happened then.
  bool bounce(int j, double t, const double* y, const double* v_minus, double U_minus, double U_plus, double Gamma,
              double P);

  // Between events.
  // The first event of a step, whose polynomial is `dense`; the next one behind a gap's minimum that grazes.
  std::optional<GapSearch::Event> search(const ExplicitRungeKutta& step, const DenseOutput& dense);
  std::optional<GapSearch::Event> search_on(const DenseOutput& dense, const GapSearch::Event& grazing) {
    return gaps_.next(dense, epsilon_.data(), grazing);
  }
  bool is_far(const ExplicitRungeKutta& step, DenseOutput& rough);  // no gap comes near to closing in it
  // A gap that falls and rises between the places at which a search looks is seen where it is negative at the end of
  // [t0, t1]: then the event there.
  bool may_miss() const { return !gaps_.is_affine() && any_open(); }
  int passed(double t, const double* y);  // the contact; −1: none
  std::optional<GapSearch::Event> search_passed(const DenseOutput& dense, int j, double t0, double t1);
  bool has_young() const { return young_; }  // contacts that have just opened
  // A step has ended at (t, y) without event: those are watched as open ones once they are. True if one is back
  // already.
  bool watch_open(double t, const double* y);
  double time_to_close(double t, const double* y, int j);
  // Whether the slip of friction k is 0 at (t, y) where it vanishes along its direction: in space it may have turned.
  bool vanishes(double t, const double* y, int k);
  void report_grazing(int j, double t);
  // How contact j is watched, and how far below 0 its gap may be while it parts.
  GapSearch::Watch watch(int j) const { return gaps_.watch(j); }
  double allowance(int j) const { return epsilon_[j]; }
  // Where closed contacts have drifted by a hundredth of the tolerance they are brought back.
  FailureKind project_drift(double t, std::vector<double>& y, bool& moved);
  // The same for a state that is only shown, joints to the last place: no impulse is counted.
  FailureKind hold_row(double t, std::vector<double>& y);

 private:
  bool has_drifted(double t, const double* q, const double* v) const;
  double tolerance(int j, double t) const;
  double reach(int j, double t) const;
  void see(const double* y);
  double longest_flight(int j, double t, double U_minus, double U_plus, double Gamma) const;
  bool is_short(int j, double t, double U_minus, double U_plus, double Gamma, const double* q);
  void choose_foreseen(const double* v);
  FailureKind stop_creeping(double t, double* v);
  void set_watches(double t, double horizon, const double* y);
  void see_path(const double* y0, const double* y1);
  void log_phase(double t, const double* y, const double* v_minus);

  const EventDriven settings_;
  std::vector<char> in_ = zeros<char>(nc_), foreseen_ = in_;       // I_c; closed after a release
  std::vector<double> longest_ = zeros(nc_), epsilon_ = longest_;  // by contact: the longest flight; ε_g
  // Of each coordinate: where it began, how far it came, how fast.
  std::vector<double> start_ = zeros(nq_), length_ = start_, speed_ = start_;
  std::vector<double> passed_gaps_ = zeros(nc_);
  double begin_ = 0.0, settled_at_ = 0.0;  // when the motion began; the last settle()
  std::vector<MotionPhase>* phases_ = nullptr;
  std::vector<double> v_event_ = zeros(nq_);  // in front of the event
  bool first_ = true, young_ = false, use_foreseen_ = false;
};

}  // namespace ricochet
