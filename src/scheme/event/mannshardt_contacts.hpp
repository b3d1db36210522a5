// The contacts of the scheme mannshardt: which are closed, which fly, and what happens to them in an event.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/impact_law.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"

namespace ricochet {

// What is short and what is small in a step.
struct EventScale {
  double width = 0.0;       // of a bracket
  double resolution = 0.0;  // of time
  double together = 0.0;    // impacts that are closer are simultaneous
  double h = 0.0;           // of the step
  bool repeat = true;       // whether flights shorter than a step are followed
};

class MannshardtContacts {
 public:
  // Sets which contacts `flow` holds.
  MannshardtContacts(const Model& model, HeldContactsOde& flow, const ComplementaritySettings& solver);

  // Closed: those that touch, do not move along their gap and are not about to open.
  FailureKind reset(double t, const double* y);

  // Gaps and rates at (t, y), and how far each contact is from closing: not positive means closed.
  void measure(double t, const double* y);
  double gap(int j) const { return g_[j]; }
  double rate(int j) const { return U_[j]; }
  double distance(int j) const;
  // The same as a function of the time s since the sub-step set out, for a bounce divided by s: it has no root at 0.
  double approach(int j, double s) const;
  bool is_closed(int j) const { return flow_.is_closed(j); }
  bool any_closed() const { return flow_.closed_count() > 0; }
  bool any_open() const { return flow_.closed_count() < nc_; }
  // A closing contact, other than j, that has passed its gap by more than round-off; −1 if there is none.
  int passed(int j) const;

  // A sub-step sets out from (t, y); the contacts that close at once are then the event, if there are any.
  bool set_out(double t, const double* y, const EventScale& scale);
  std::optional<GapSearch::Event> search(const DenseOutput& positions);

  // The event: j, and all contacts that touch where measure() was last called or will within `together`.
  void name_event(int j, double together);

  // One step of Moreau and Jean from (t, y) over `width` with the contacts of the event active, ends at t_end.
  FailureKind strike(double t, double width, double t_end, double* y, const EventScale& scale);

  // Forces: below this a closed contact pulls.
  double least_force(int j) const { return -1e-12 * (force_scale_[j] + largest_force_[j]) - force_floor_[j]; }
  void see_force(int j, double lambda) { largest_force_[j] = std::max(largest_force_[j], std::abs(lambda)); }
  // The contact problem decides who stays closed; of those that pull (`lambda`), one opens at least.
  FailureKind release(double t, const double* y, const double* lambda);

  // Closed contacts are brought back to g = 0 and U = 0.
  FailureKind project(double t, double* y, bool after_event = false);

  // The account of an advance.
  void begin_report(double h);
  void add_impulse(int j, double impulse) { impulse_[j] += impulse; }
  void end_report(double t, StepReport& report);

  const double* restitutions() const { return law_.contacts().restitutions(); }
  const Delassus<double>& problem() const { return in_forces_ ? forces_.problem() : law_.problem(); }
  std::uint64_t problems() const { return problems_; }
  std::vector<std::string> remarks() const;

 private:
  enum class Touch {
    open,     // g > 0
    bounced,  // g ≤ 0 or round-off where the sub-step set out, but opening
    parting,  // opening from rest: g within round-off of 0
    inside,   // g < 0 and opening: struck late, where events are not repeated
    closed
  };
  static std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }
  void set(int j, Touch touch);
  bool is_watched(int j) const { return touch_[j] != Touch::closed && touch_[j] != Touch::inside; }
  FailureKind accelerate(double t, const double* q, const double* v, const double* z);
  FailureKind open_unloaded(double t, const double* q, const double* v, const double* z, const double* lambda);
  bool closes_with(int k, double together) const;
  void half_step(double t, double width, const double* q, const double* v, double* z);
  FailureKind decide(double t, const double* q, double* v, const double* z, const EventScale& scale);
  bool closes(int j, double Gamma, double zero_rate, const EventScale& scale) const;
  void record(double t, double width);
  void book();
  void note_closing(int j, double t);

  // The end of an accumulation.
  struct Closing {
    int constraint;
    double t;
    std::uint64_t impacts;
  };
  static constexpr std::size_t most_closings = 20;

  const Model& model_;
  const Layout& layout_;
  const int nq_, nc_, nz_;
  HeldContactsOde& flow_;
  GapSearch gaps_;
  ImpactLaw law_;
  ContactAcceleration<double> forces_;

  std::vector<Touch> touch_;
  std::vector<char> event_;
  // noise: round-off of g where it is; depth: the same with the largest positions met
  std::vector<double> g_, U_, g_t_, H_, noise_, depth_, g_start_, approach_start_, q_largest_;
  std::vector<double> force_scale_, force_floor_, largest_force_, impulse_, unit_, q_middle_, v_begin_, z_rate_;
  std::vector<std::uint64_t> impacts_;  // since the contact was last closed
  std::vector<ContactReport> records_;
  LedgerTerms<double> ledger_;
  double h_ = 0.0;  // of the step
  bool in_forces_ = false;
  std::uint64_t problems_ = 0, further_closings_ = 0;
  std::vector<Closing> closings_;
};

}  // namespace ricochet
