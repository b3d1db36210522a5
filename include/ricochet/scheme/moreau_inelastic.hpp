// Moreau's scheme for inelastic impacts: no parameters; see docs/schemes/moreau-inelastic.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct MoreauInelastic {
  operator Scheme() const { return {"moreau-inelastic"}; }  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
