// Moreau's velocity scheme: no parameters; see docs/schemes/moreau.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Moreau {
  operator Scheme() const { return {"moreau"}; }  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
