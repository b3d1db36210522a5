// How far a chain of arcs is from not being a motion: gaps between impacts, forces of lasting contacts, slips of
// frictions that slide and what is left to those that stick, along the arcs; and what happens at their ends.
#pragma once

#include <vector>

#include "study/orbit/chain_equations.hpp"

namespace ricochet {

// The lowest point inside arcs of what must not be negative.
struct LowestMargin {
  int which = -1;       // the contact, or the friction; −1: nothing has a minimum inside an arc
  std::size_t arc = 0;  // on which arc
  double s = 0.0;       // since its begin
  double value = 1.0;   // relative to the size of what it is
};
// Of gaps of contacts that are open.
LowestMargin lowest_gap(OrbitMechanics& mechanics, const OrbitChain& chain, const OrbitSizes& sizes);
// Of what is held: λ_N, s·U_S, μλ_N − ‖λ_S‖.
LowestMargin lowest_held(OrbitMechanics& mechanics, const OrbitChain& chain);

// Impacts of accumulations: by arc, whether the impact that ends it is one of a row that ends with the contact closed.
// They become slower and slower, and none of them is lost by itself.
std::vector<char> accumulating(const OrbitChain& chain);

// How far from 0, relative to their sizes, is what makes the chain another one: the time between two impacts or another
// gap at an impact; the length of arcs with lasting contact, and whether what does not last after its end opens.
double shortest_flight(ChainEquations& equations, const OrbitChain& chain);
double nearest_sticking(ChainEquations& equations, const OrbitChain& chain);

// |∂g/∂q| · sizes of q (or of v): the size of a gap (of its rate).
double gap_scale(const Model& model, int j, double t, const double* q, const double* sizes);

// The state at s of an arc that begins at t.
std::vector<double> state_along(OrbitMechanics& mechanics, const OrbitArc& arc, double t, double s);

}  // namespace ricochet
