// The contacts of the scheme mannshardt: which fly, how far they are from closing, and the Moreau step over an event.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "scheme/event/event_contacts.hpp"

namespace ricochet {

// What is short and what is small in a step.
struct EventScale {
  double width = 0.0;       // of a bracket
  double resolution = 0.0;  // of time
  double together = 0.0;    // impacts that are closer are simultaneous
  double h = 0.0;           // of the step
  bool repeat = true;       // whether flights shorter than a step are followed
};

class MannshardtContacts : public EventContacts {
 public:
  MannshardtContacts(const Model& model, HeldContactsOde& flow, const ComplementaritySettings& solver);

  // Closed: those that touch, do not move along their gap and are not about to open.
  FailureKind reset(double t, double* y, const EventScale& scale);

  // Gaps and rates at (t, y), and how far each contact is from closing: not positive means closed.
  void measure(double t, const double* y);
  double gap(int j) const { return here_.gap(j); }
  double rate(int j) const { return U_[j]; }
  double distance(int j) const;
  // At rest: its rate moves the gap by less than round-off in so long.
  bool is_still(int j, double time) const { return time * std::abs(U_[j]) <= noise_[j]; }
  // The same as a function of the time s since the sub-step set out, for a bounce divided by s: it has no root at 0.
  double approach(int j, double s) const;
  // A closing contact, other than j, that has passed its gap by more than round-off; −1 if there is none.
  int passed(int j) const;

  // A sub-step sets out from (t, y); the contacts that close at once are then the event, if there are any.
  bool set_out(double t, const double* y, const EventScale& scale);
  std::optional<GapSearch::Event> search(const DenseOutput& positions);

  // The event: j, and all contacts that touch where measure() was last called or will within `together`.
  void name_event(int j, double together);

  // One step of Moreau and Jean from (t, y) over `width` with the contacts of the event active, ends at t_end.
  FailureKind cross(double t, double width, double t_end, double* y, const EventScale& scale);

  // Forces: below this a closed contact pulls.
  double least_force(int j) const { return -force_floor_[j] - flow_.force_noise(j); }
  // The contact problem decides who stays closed, where one pulls (`lambda`).
  FailureKind release(double t, double* y, const double* lambda, const EventScale& scale);

  // Closed contacts are brought back to g = 0 and U = 0; those of an event that has just happened are left at g ≥ 0.
  FailureKind project(double t, double* y, bool after_event = false);

 private:
  enum class Touch {
    open,     // g > 0
    bounced,  // g ≤ 0 or round-off where the sub-step set out, but opening
    parting,  // opening from rest, or idle: g within round-off of 0
    inside,   // g < 0 and opening: struck late, where events are not repeated
    closed
  };
  bool is_watched(int j) const { return touch_[j] != Touch::closed && touch_[j] != Touch::inside; }
  bool closes_with(int k, double together) const;
  void half_step(double t, double width, const double* q, const double* v, double* z);
  bool is_short(int j, double t, double U_plus, double Gamma, const EventScale& scale) const;
  FailureKind decide(double t, double* y, const double* pulling, const EventScale& scale);

  const int nz_ = model_.nz();
  ContactKinematics<double> here_{model_};  // where measure() was last called
  std::vector<Touch> touch_;
  std::vector<char> event_ = zeros<char>(nc_);
  // noise: round-off of g where it is; depth: the same with the largest positions met
  std::vector<double> U_ = zeros(nc_), noise_ = U_, depth_ = U_, idle_drift_ = U_, g_start_ = U_, approach_start_ = U_;
  std::vector<double> y_middle_ = zeros(2 * nq_ + nz_), v_begin_ = zeros(nq_), z_rate_ = zeros(nz_);
};

}  // namespace ricochet
