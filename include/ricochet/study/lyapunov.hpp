// Lyapunov exponents along a motion with impacts: the largest one, or all of them.
//
// A small difference δ = (δq, δv, δz) between two motions grows like e^{λt}. Between impacts it follows the variational
// equation δ' = Df δ. At an impact x⁺ = R(t, x⁻) the two motions hit at times that differ by
//     δt = −(Hᵀ δq)/U⁻,
// and the linearised flow jumps [P. Müller, Chaos Solitons Fractals 5 (1995) 1671, doi:10.1016/0960-0779(94)00170-U]:
//     δ⁺ = d/ds R(t + s δt, x⁻ + s (δ⁻ + f⁻ δt)) − f⁺ δt,   s = 0.
// A contact that lasts takes the part of δ that would leave or enter its obstacle.
//
// For several exponents as many δ are followed, and made orthonormal again after each interval (QR): exponent k is the
// mean of log r_kk [G. Benettin et al., Meccanica 15 (1980) 9, doi:10.1007/BF02128236]. Volumes shrink by the
// divergence of the flow and by |det S| of the jumps: for a damped oscillator m x'' + c x' + … with a stop the sum of
// all exponents is −c/m + 2 ln(e) times the impacts per time.
//
// The motion is the scheme's: it is repeated inside each step by the classical Runge-Kutta method, together with δ, and
// handed back its own state at the next node.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet {

class LyapunovExponent {
 public:
  // Runge-Kutta steps between two events, and how many exponents; at most one a state.
  explicit LyapunovExponent(const Model& model, int pieces = 1, int exponents = 1);
  ~LyapunovExponent();
  LyapunovExponent(LyapunovExponent&&) noexcept;

  // The motion went from `begin` to the time `end`, with these impacts on the way, in the order of time, and these
  // constraints pressing in lasting contact.
  void follow(const State& begin, double end, const std::vector<Impact>& impacts, const std::vector<int>& pressing);

  // Forgets the growth so far, not the direction of δ.
  void begin_count();
  // log of the growth over the time that was followed. −∞ if δ vanished, as it does where a contact lasts and nothing
  // else moves.
  double exponent() const;
  std::vector<double> spectrum() const;  // all that are followed, the largest first

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace ricochet
