// Which contacts are closed, and what happens to all of them at one instant: they are struck, close and open.
//
//   strike  while one that touches moves inwards: Newton's law on all that touch or are closed,
//               U⁺ = U⁻ + W P,   0 ≤ U⁺ + e U⁻ ⊥ P ≥ 0                                                         (1)
//           The law may leave a contact that was separating with −e U⁻ < 0: that one is struck again. With one e for
//           all no blow adds energy, whatever the masses are. After many blows the rest have no rebound.
//   close   what has no rate left after a blow, and what would soon be back, Γ < 0 with a flight that is too short (the
//           scheme says for which); one after the other, since Γ = Hᵀa + c is that with the forces of the contacts
//           which are closed already: a bead on a bead on a floor closes after the floor. Their rates are taken away by
//           a projection in the metric of M, which only takes energy.
//   open    λ = 0 and Γ > 0 in 0 ≤ Γ ⊥ λ ≥ 0.
//
// Frictions have modes between instants (friction_modes.hpp): those that stick are held with U_S = 0 as closed contacts
// are; sort() tells who slides and who rests now, and the accelerations of `forces` decide on the rest.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/friction_modes.hpp"
#include "contact/impact_law.hpp"
#include "core/mask_array.hpp"
#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/ledger.hpp"

namespace ricochet {

class LastingContacts {
 public:
  // rate_tolerance: rates below this share of a contact's fastest impact count as 0, as round-off does anyway.
  LastingContacts(const Model& model, const ComplementaritySettings& solver, double rate_tolerance = 0.0);

  // A motion begins, with the contacts closed that `forces` has closed.
  void begin(const ContactAcceleration<double>& forces);
  // The closed contacts are those of `forces`, from now on.
  void close_in(ContactAcceleration<double>& forces) const;

  bool is_closed(int j) const { return closed_[j]; }
  void set_closed(int j, bool closed) { closed_[j] = closed; }

  // What frictions do from now on, as the accelerations have chosen.
  const FrictionModes& modes() const { return modes_; }
  void set_modes(const FrictionModes& modes) {
    modes_ = modes;
    begins_.assign(modes_.all().size());
  }
  void clear_modes() {
    modes_.clear();
    begins_.assign(modes_.all().size());
  }
  // The slip of friction k has become 0: it rests. Or it begins to slide along s, its force having reached its bound.
  void stop(int k) {
    modes_[k].mode = FrictionMode::stick;
    modes_[k].s = {};
  }
  void slip(int k, const FrictionModes::Direction& s) {
    begins_[k] = true;
    modes_[k].s = s;
  }
  // Who slides and who rests at v, where place() was called.
  void sort(const double* v, FrictionModes& modes) const;

  // Those whose force has vanished and whose gap accelerates open; with both at zero they stay. Where forces have
  // vanished they are the same with the contact open.
  void open_unloaded(ContactAcceleration<double>& forces);

  // The instant (t, q): forgets what was summed up before. Those that are closed and those with g ≤ 0 touch there, and
  // those that are named.
  FailureKind place(double t, const double* q);
  void touch(int j) { named_[j] = true; }
  bool touches(int j) const { return closed_[j] || named_[j] || law_.contacts().gap(j) <= 0.0; }
  // Of schemes with steps of h: whether contact j is soon back, which was struck with U⁻ or, closed before, torn open
  // with U⁺ by a blow on another one. Neither can be told from rest in a step, nor can blows that are no harder than
  // what forces push in two and tear something open: where walls meet they feed the body in the step in which it goes
  // too far, and once more when it is brought back.
  bool is_back_within(double h, int j, double U_minus, double U_plus, double Gamma) const {
    const double change = -Gamma * h;
    if (!(change > 0.0)) return false;
    if (struck_[j]) return std::abs(U_minus) <= (tears_ ? 2.0 * change : change);
    return torn_[j] && (2.0 * U_plus <= change || pushing_time_ <= 2.0 * h);
  }
  const ContactKinematics<double>& contacts() const { return law_.contacts(); }
  // Rates below count as 0. They depend on the speeds that have been seen: settle() does it itself.
  void see_speeds(const double* v);
  void see_blow(int j, double U_minus) { slow_[j] = std::max(slow_[j], rate_tolerance_ * -U_minus); }
  double slow(int j) const { return slow_[j]; }
  bool rests(int j, const double* v) const { return touches(j) && std::abs(law_.contacts().rate(j, v)) <= slow_[j]; }

  // Closed contacts, with `lambda` only those that press, are brought back to g = 0 (with `q`) and U = 0: what they
  // have drifted by is an error of the motion; so are those that stick. Those named with g < 0 are brought to g = 0.
  FailureKind hold(double t, double* q, double* v, const double* lambda = nullptr);

  // An impact without collision: the sliding contact j, which admits no acceleration, is caught, U_S⁺ = 0, by an
  // impulse along all closed contacts and what sticks, U = 0. False if that impulse would pull or leave the cone of
  // friction.
  bool catch_slide(int j, double* v);

  // Blows and closings at the instant, after place(); `forces` is asked for Γ. is_short(j, U⁻, U⁺, Γ): whether contact
  // j that touches closes since its flight would be too short, U⁻ being its rate before the first blow, 0 if it was not
  // struck; without forces nothing closes, and dry friction acts here, with its limit over `duration`: that of the step
  // that has led here, in which forces leave their round-off in the rates of what touches. is_short is asked of
  // those too that a blow on another one has torn open, which need not touch any more.
  using IsShort = std::function<bool(int, double, double, double)>;
  FailureKind settle(double t, const double* q, double* v, const double* z, ContactAcceleration<double>* forces,
                     const IsShort& is_short, double duration = 0.0);

  // Sums over the instant.
  bool was_struck(int j) const { return struck_[j]; }
  double rate_minus(int j) const { return U_minus_[j]; }  // before the first blow
  double rate_plus(int j) const { return U_plus_[j]; }    // after the last one
  double impulse(int j) const { return impulse_[j]; }
  double slip_impulse(int s) const { return slip_impulse_[s]; }  // of slip s of the model
  void add_slip_impulses(std::vector<double>& sums) const {
    if (sums.size() < slip_impulse_.size()) sums.resize(slip_impulse_.size());
    for (std::size_t s = 0; s < slip_impulse_.size(); ++s) sums[s] += slip_impulse_[s];
  }
  ContactReport report(int j, double t) const;
  const SlipReport& slip_report(int j) const { return slips_[static_cast<std::size_t>(j)]; }
  const LedgerTerms<double>& ledger() const { return ledger_; }
  std::uint64_t problems() const { return problems_; }
  // The contact problem that was solved last, unless it was one for `forces` that failed.
  const Delassus<double>& problem(const ContactAcceleration<double>& forces) const {
    return forces.failure() == FailureKind::none ? law_.problem() : forces.problem();
  }
  // Whether another contact that took part in the last blow breaks continuous dependence together with j.
  bool meets_discontinuity(int j) const { return discontinuous_[j]; }

 private:
  bool sticks(int k) const { return modes_[k].mode == FrictionMode::stick && modes_.acts(k, closed_.data()); }
  bool moves_inwards(const double* v) const;
  FailureKind strike(double* v, double duration);
  FailureKind close(double t, const double* q, double* v, const double* z, ContactAcceleration<double>& forces,
                    const IsShort& is_short, bool& joined);
  void see_impulse(int j);
  void see_pushes(const ContactAcceleration<double>& forces);
  void account();
  void account_slips(int j);
  void include_sticking(int k);

  const int nc_;
  ImpactLaw law_;
  const double rate_tolerance_;
  MaskArray<double> closed_{nc_}, named_{nc_}, struck_{nc_}, torn_{nc_}, discontinuous_{nc_};
  // Round-off of the fastest motion that the contact has had, or a share of its impacts.
  std::vector<double> slow_ = zeros(law_.size());
  std::vector<double> U_minus_ = zeros(nc_), U_plus_ = U_minus_, impulse_ = U_minus_, loss_ = U_minus_;
  std::vector<double> slip_impulse_ = zeros(law_.size() - law_.held());
  std::vector<SlipReport> slips_ = std::vector<SlipReport>(static_cast<std::size_t>(nc_));
  FrictionModes modes_;
  MaskArray<double> begins_{modes_.all().size()};  // to slide, at this instant
  bool blown_ = false;                             // velocities have jumped at this instant
  bool tears_ = false;                             // they have torn closed ones open
  double pushing_time_ = 0.0;                      // in which forces push as much as the blows at this instant have
  LedgerTerms<double> ledger_;
  std::uint64_t problems_ = 0;
};

}  // namespace ricochet
