// What a chain that solves its equations says: multipliers, impacts, and whether it is a motion.
#pragma once

#include <string>
#include <vector>

#include "study/orbit/margins.hpp"

namespace ricochet {

// The monodromy matrix from the jets of all arcs, from the begin of arc `first` on.
DenseMatrix monodromy(const std::vector<ArcJet>& jets, const OrbitChain& chain, std::size_t first);

// Its eigenvalues without those that are 1 whatever the motion is, and without those of motions that joints, and
// contacts that never open, do not allow. Lasting contact makes some of them 0.
std::vector<std::complex<double>> multipliers(ChainEquations& equations, const OrbitChain& chain);

// One period by the event-driven scheme, from inside the longest arc: its account, and why it is another motion.
// Round-off grows by the largest multiplier on the way.
struct OrbitCheck {
  EnergyLedger energy = {};
  std::string difference = {};
};
OrbitCheck run_again(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes, double growth);

// All of it.
Orbit describe_orbit(ChainEquations& equations, const OrbitChain& chain, const NewtonEnd& end);

}  // namespace ricochet
