// Steps of models with friction, for schemes that look at contacts only at the nodes of their grid.
//
// The modes that the acceleration problem chooses at the begin of a step (contact/friction_modes.hpp) hold through it;
// what sticks has U_S = 0 at its end. Whatever switches inside, a gap that closes, a force that would have to pull, a
// slip that changes its sign, friction that leaves its bound, makes the whole step one of Moreau and Jean with θ = ½;
// contacts that it leaves without a rate are closed from then on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "contact/lasting_contacts.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"

namespace ricochet {

class ModeSteps {
 public:
  // Everything is the caller's. `flow` gets the modes, `lasting` knows who is closed.
  ModeSteps(const Model& model, const ComplementaritySettings& solver, HeldContactsOde& flow,
            ContactAcceleration<double>& forces, LastingContacts& lasting);

  void begin() { continues_ = false; }
  // Who slides, who sticks and who is closed from here on. False if there is no acceleration.
  bool choose(double t, const double* q, const double* v, const double* z);
  // Whether the modes hold where the flow has handed out these outputs, at or next to its last evaluation.
  bool hold_at(const double* outputs) const;
  // Whether they have held up to the end of the step: no gap has closed, no slip has changed its sign.
  bool hold_until(double t, const double* q, const double* v);
  // The end of such a step, where `lasting` was placed: what is closed or sticks is brought back to U = 0.
  FailureKind finish(double t, double* q, double* v, const double* lambda);
  // The step that something switches in; one that is tolerated is so short that what rebounds no faster than its forces
  // push has closed.
  FailureKind step_over(State& state, double h, double t_end, StepReport& report, bool is_tolerated = false);

  const Stepper& moreau() const { return *moreau_; }
  // Of `flow`, of the modes, and of the steps of Moreau and Jean.
  StepCounts counts() const;

 private:
  const Model& model_;
  const int nc_ = model_.nc();
  HeldContactsOde& flow_;
  ContactAcceleration<double>& forces_;
  LastingContacts& lasting_;
  std::unique_ptr<Stepper> moreau_;
  bool continues_ = false;  // the last step was one of Moreau and Jean
  StepCounts own_;
  std::vector<double> g_ = zeros(nc_);
};

}  // namespace ricochet
