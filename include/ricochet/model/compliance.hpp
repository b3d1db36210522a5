// How contacts give way where they are not rigid: what penalty reads of a model besides its restitutions.
#pragma once

#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet {

// λ = k δⁿ (1 + α δ') + c δ', δ = −g. With neither c nor α, negative, the damping follows from the restitution.
struct Compliance {
  double stiffness = 0.0;    // k, force per depthⁿ; 0: the contact does not say
  double exponent = 1.0;     // n ≥ 1: 1 a spring, 1.5 Hertz
  double damping = -1.0;     // c ≥ 0, force per rate (Kelvin-Voigt)
  double hysteresis = -1.0;  // α ≥ 0, one per rate (Hunt-Crossley)
  bool operator==(const Compliance&) const = default;
};

// A model whose contacts say it derives from this too.
class CompliantContacts {
 public:
  virtual ~CompliantContacts() = default;
  virtual void compliance(Compliance* laws) const = 0;  // one a constraint
};

// One a constraint of any model.
inline std::vector<Compliance> compliances_of(const Model& model) {
  std::vector<Compliance> laws(static_cast<std::size_t>(model.nc()));
  if (const auto* contacts = dynamic_cast<const CompliantContacts*>(&model)) contacts->compliance(laws.data());
  return laws;
}

}  // namespace ricochet
