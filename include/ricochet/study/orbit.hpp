// Periodic orbits of systems with impacts, and their stability. See docs/orbits.md.
//
// An orbit with m impacts is a chain of arcs. Arc k starts at (t_k, y_k), y = (q, v, z), just after an impact, lasts
// τ_k and ends where its constraint closes:
//
//     Y_k = φ(t_k, τ_k, y_k; p),   g_j(t_k + τ_k, Y_k) = 0,   y_{k+1} = R_k(t_k + τ_k, Y_k),   t_{k+1} = t_k + τ_k, (1)
//     y_{m+1} = y_1 + d,   Σ τ_k = n T where a load has the period T.                                              (2)
//
// R is the impact law as an equality, U⁺ = −e U⁻ on the contacts that took part when the chain was read off: written
// this way the equations stay smooth where an impact velocity goes through 0. d is 0 but for coordinates that come back
// shifted. Newton's method on (1) and (2); all unknowns are scaled by their own sizes. The monodromy matrix is the
// product of the fundamental matrices of the arcs and of the saltation matrices
//
//     S = D R + (f⁺ − D R f⁻ − ∂R/∂t) ∇g / (∇g · f⁻ + ∂g/∂t)                                                     (3)
//
// Along an arc with lasting contact the motion is that of the held contacts (λ of either sign), and what ends it is a
// force λ_N = 0, a slip U_S = 0 or ‖λ_S‖ = μ λ_N in place of g = 0; R is then the identity. Where an arc begins, y is
// brought to g = 0, U = 0 of all that is held along it (joints too): off the solution only, where the gap or the slip
// that has just closed is not 0 yet, and at the end of an accumulation, whose last flights are replaced by it.
// [P. Müller, Chaos Solitons Fractals 5 (1995) 1671, doi:10.1016/0960-0779(94)00170-U; H. Dankowicz, F. Schilder,
// Recipes for Continuation, SIAM 2013, doi:10.1137/1.9781611972573].
#pragma once

#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet {

struct OrbitSystem {
  std::shared_ptr<const Model> model;
  double period = std::numeric_limits<double>::quiet_NaN();  // T of the load; NaN: nothing depends on time
  bool is_forced() const { return period == period; }
};

// What a friction does along an arc, or at a blow: it sticks, or it slides along s.
struct OrbitFriction {
  enum class Mode : unsigned char { none, stick, slide } mode = Mode::none;
  std::array<double, 2> s = {};
  bool operator==(const OrbitFriction&) const = default;
};

// What is held along an arc: contacts that are closed, and what frictions do; one entry each.
struct OrbitHold {
  std::vector<char> contacts = {};
  std::vector<OrbitFriction> frictions = {};
  bool any() const;
  bool operator==(const OrbitHold&) const = default;
};

// One blow of an impact, as an equality: the contacts that push, and what their frictions do.
struct OrbitBlow {
  std::vector<int> contacts = {};
  std::vector<OrbitFriction> frictions = {};  // one a friction of the model
};

// What ends an arc: the period of a load, a gap that closes, a contact force, a slip, or what a friction that sticks
// can still hold, becomes 0.
enum class ArcEnd { period, impact, opens, stops, slips };

struct OrbitArc {
  std::vector<double> y = {};  // (q, v, z) where it begins
  double tau = 0.0;            // how long it lasts
  ArcEnd end = ArcEnd::period;
  int which = -1;                     // the contact, or the friction, that ends it
  std::vector<int> struck = {};       // the contacts of the impact that ends it
  std::vector<OrbitBlow> blows = {};  // of that impact
  OrbitHold held = {};                // along it
};

struct OrbitChain {
  double t = 0.0;             // where the first arc begins
  std::uint64_t periods = 1;  // n, of the load
  std::vector<OrbitArc> arcs = {};
  std::vector<double> shift = {};        // d, one entry a component of y
  std::vector<int> unknown_shifts = {};  // those that are found, of coordinates on which nothing depends
  bool has_events() const { return !arcs.empty() && arcs.front().end != ArcEnd::period; }
  double period() const {
    double sum = 0.0;
    for (const OrbitArc& arc : arcs) sum += arc.tau;
    return sum;
  }
};

struct OrbitImpact {
  double t = 0.0;
  int constraint = 0;
  double rate_minus = 0.0, rate_plus = 0.0;  // U before and after
  std::size_t arc = 0;                       // of the chain, which it ends
};

struct Orbit {
  OrbitChain chain;
  double period = 0.0;
  std::vector<OrbitImpact> impacts = {};  // of one period
  // Eigenvalues of the monodromy matrix, the largest first; without those that are 1 whatever the motion is, along the
  // orbit of an autonomous system and along coordinates that come back shifted.
  std::vector<std::complex<double>> multipliers = {};
  bool stable = false;    // all of them inside the unit circle
  double residual = 0.0;  // of (1) and (2), relative to the sizes of the unknowns
  int iterations = 0;     // of Newton's method
  State state = {};  // of a load: at a whole number of its periods from the start; otherwise where the chain begins
  std::vector<State> returns = {};  // the state, and with a load the n − 1 that are whole periods of it later
  std::vector<double> rms = {};     // of each coordinate over one period
  EnergyLedger energy = {};         // of one period
  // Why the chain is not a motion; empty if no constraint is violated between impacts and all of them close.
  std::string inadmissible = {};
};

struct OrbitSettings {
  std::uint64_t longest = 16;  // periods of the load, or impacts where there is none, after which a motion may repeat
  double settle = 0.0;         // how long it may take to settle; 0: 1000 periods of the load, or impacts
  // The start is close to the orbit already: it is taken as it is, over so many periods of the load, or impacts. Finds
  // unstable orbits too. 0: the motion is followed until it repeats.
  std::uint64_t guessed = 0;
  std::vector<int> drift = {};           // coordinates that come back shifted by what is found
  std::vector<double> known_shift = {};  // or by what is given, one entry a coordinate; empty: none
  double step = 0.0;                     // of what is looked at where nothing has a period
  // A function that passes 0, rising, once a round or more: where nothing has a period and nothing is met, rounds are
  // told and counted by it. The state of an orbit is where it does so first.
  std::function<double(const State&)> section = {};
  const std::atomic<bool>* interrupt = nullptr;
};

// Why there is no orbit, in a sentence.
struct OrbitSearch {
  Orbit orbit = {};
  std::string failure = {};  // empty: found
  double simulated = 0.0;    // time until the motion repeated
  double moved = 0.0;        // how far Newton's method went, relative to the sizes of the unknowns
};

// Simulates until the motion repeats, reads off its chain and refines it. Throws InputError for what cannot be run.
OrbitSearch find_orbit(const OrbitSystem& system, const State& start, const OrbitSettings& settings);

// One period of a chain: so many states on the way along each arc, its begin and its end included.
std::vector<State> orbit_motion(const OrbitSystem& system, const OrbitChain& chain, std::size_t points);

// Newton's method from a chain that is close.
OrbitSearch refine_orbit(const OrbitSystem& system, const OrbitChain& chain);

}  // namespace ricochet
