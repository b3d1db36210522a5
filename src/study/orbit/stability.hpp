// What a chain that solves its equations says: multipliers, impacts, and whether it is a motion.
#pragma once

#include <string>
#include <vector>

#include "study/orbit/chain_equations.hpp"

namespace ricochet {

// The monodromy matrix from the jets of all arcs.
DenseMatrix monodromy(const std::vector<ArcJet>& jets, const OrbitChain& chain);

// Its eigenvalues without those that are 1 whatever the motion is.
std::vector<std::complex<double>> multipliers(const DenseMatrix& monodromy, const ChainEquations& equations,
                                              const OrbitChain& chain, bool forced);

// The lowest points of gaps between impacts.
struct GapMinimum {
  int constraint = -1;
  std::size_t arc = 0;
  double s = 0.0;    // since the begin of the arc
  double gap = 0.0;  // relative to the size of the gap
};
// The least of all; constraint −1 if gaps have none inside arcs.
GapMinimum lowest_gap(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes);

// One period by the event-driven scheme, from inside the first arc: its account, and why it is another motion.
// Round-off grows by the largest multiplier on the way.
struct OrbitCheck {
  EnergyLedger energy = {};
  std::string difference = {};
};
OrbitCheck run_again(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes, double growth);

// All of it.
Orbit describe_orbit(ChainEquations& equations, const OrbitChain& chain, const NewtonEnd& end);

}  // namespace ricochet
