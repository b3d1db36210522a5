// The contacts of the event-driven scheme: index sets, impacts, closing and opening at an instant.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/impact_law.hpp"
#include "ricochet/scheme/event_driven.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "runge_kutta/explicit.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"

namespace ricochet {

class EventDrivenContacts {
 public:
  // Sets which contacts `flow` holds.
  EventDrivenContacts(const Model& model, HeldContactsOde& flow, const EventDriven& settings,
                      const ComplementaritySettings& solver);

  // Forgets everything; the next settle() looks at what touches.
  void reset();

  // Who takes part in the next settle(): a contact whose gap has closed, or the set that follows a release.
  void hit(int j) { in_[j] = 1; }
  void foresee(double t, const double* y);
  void follow_foreseen() { use_foreseen_ = true; }

  // Impacts, closing and opening at (t, y): velocities jump, and the flow gets its closed contacts. `horizon`: a time
  // that is short for the motion.
  FailureKind settle(double t, double horizon, std::vector<double>& y, StepReport& report);

  // Between events.
  std::optional<GapSearch::Event> search(const DenseOutput& dense, double from);
  bool anything_watched() const { return nc_ > flow_.closed_count(); }
  bool has_young() const { return young_; }  // contacts that have just opened
  void watch_open(double t, const double* y);
  double time_to_close(double t, const double* y, int j);
  void report_grazing(const DenseOutput& dense, const GapSearch::Event& event, StepReport& report);
  FailureKind project_drift(double t, std::vector<double>& y, bool& moved);

  // The account of an advance: violation at its begin; works and impulses of lasting contact at its end.
  void begin_report(const State& state, StepReport& report);
  void add_impulse(int j, double impulse) { impulse_[j] += impulse; }
  void end_report(LedgerTerms<double> works, double t, StepReport& report);

  const double* restitutions() const { return law_.contacts().restitutions(); }
  const Delassus<double>& problem() const { return in_forces_ ? forces_.problem() : law_.problem(); }
  std::uint64_t problems() const { return problems_; }
  std::vector<std::string> remarks() const;

 private:
  double tolerance(const double* q) const;
  double slow(int j, const double* v) const;  // rates below it count as 0
  void gather(double t, const double* q, const double* v);
  FailureKind strike(double t, double* v, StepReport& report);
  FailureKind close_short_flights(double t, std::vector<double>& y);
  FailureKind choose_closed(double t, double horizon, const double* y);
  bool is_kept(double t, double horizon, const double* y, int j);
  void set_watches(const double* q, const double* v);
  void book(bool strikes);
  void remark(std::string sentence);

  const Model& model_;
  const Layout& layout_;
  const int nq_, nc_;
  HeldContactsOde& flow_;
  const EventDriven settings_;
  GapSearch gaps_;
  ImpactLaw law_;
  ContactAcceleration<double> forces_;
  ExplicitRungeKutta trial_;

  std::vector<char> in_, resting_, foreseen_;  // I_c; those with U = 0; closed after a release
  std::vector<double> fastest_, longest_;      // largest |U⁻| and flight time met, by contact
  std::vector<double> impulse_, rate_before_, g_, dy_, lambda_, y_trial_;
  std::vector<std::uint64_t> impacts_;  // since the contact was last closed
  LedgerTerms<double> ledger_;
  bool first_ = true, young_ = false, use_foreseen_ = false, in_forces_ = false;
  std::uint64_t problems_ = 0, further_remarks_ = 0;
  std::vector<std::string> remarks_;
};

}  // namespace ricochet
