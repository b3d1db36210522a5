// Moreau's velocity schemes: no parameters; see docs/schemes/moreau.md, moreau-inelastic.md and mabrouk.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Moreau {
  operator Scheme() const { return {"moreau"}; }  // NOLINT: a scheme by its parameters
};
struct MoreauInelastic {
  operator Scheme() const { return {"moreau-inelastic"}; }  // NOLINT
};
struct Mabrouk {
  operator Scheme() const { return {"mabrouk"}; }  // NOLINT
};

}  // namespace ricochet
