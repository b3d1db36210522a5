// Where the accelerations and rows of a model may become infinite: what a run looks at, as steps may pass that unseen.
#pragma once

#include "ricochet/model/model.hpp"

namespace ricochet {

// A model that says it derives from this too; those with formulas in them do.
class KnownPoles {
 public:
  virtual ~KnownPoles() = default;
  virtual int pole_count() const = 0;
  // Functions that change sign wherever F, 1/M_ii, the rates of states, gaps, joints or slips have a pole, and perhaps
  // elsewhere.
  virtual void poles(double t, const double* q, const double* v, const double* z, double* functions) const = 0;
};

}  // namespace ricochet
