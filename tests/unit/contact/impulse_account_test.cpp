// The energy of an impulse against the work of its force.
#include "contact/impulse_account.hpp"

#include <gtest/gtest.h>

#include "ricochet/core/lanes.hpp"

namespace ricochet {
namespace {

// A body of mass m hits a wall that moves with w: g = q − ∫w, U = v − w, o = −w. What the body gains is what is lost in
// the frame of the wall and what the wall does, P w.
TEST(ImpulseAccount, ImpactAndObstacleAddUpToTheKineticEnergy) {
  const double m = 2.5, w = 0.75, v0 = -1.5, e = 0.5, v1 = w - e * (v0 - w), P = m * (v1 - v0);
  LedgerTerms<double> ledger;
  const double gain = account_impulse(P, v0 - w, v1 - w, -w, -w, ledger);
  EXPECT_DOUBLE_EQ(gain, 0.5 * m * ((v1 - w) * (v1 - w) - (v0 - w) * (v0 - w)));
  EXPECT_DOUBLE_EQ(ledger.impact, gain);
  EXPECT_DOUBLE_EQ(ledger.input, P * w);
  EXPECT_DOUBLE_EQ(ledger.impact + ledger.input, 0.5 * m * (v1 * v1 - v0 * v0));
}

TEST(ImpulseAccount, LanesAreSingleRuns) {
  LedgerTerms<Lanes> lanes;
  LedgerTerms<double> single;
  account_impulse(Lanes(0.3), Lanes(-1.1), Lanes(0.7), Lanes(0.2), Lanes(0.9), lanes);
  account_impulse(0.3, -1.1, 0.7, 0.2, 0.9, single);
  EXPECT_EQ(lanes.impact[0], single.impact);
  EXPECT_EQ(lanes.input[0], single.input);
}

}  // namespace
}  // namespace ricochet
