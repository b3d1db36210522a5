// Moreau's scheme after a velocity step on the spot: no parameters; see docs/schemes/mabrouk.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Mabrouk {
  operator Scheme() const { return {"mabrouk"}; }  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
