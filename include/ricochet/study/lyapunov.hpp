// The largest Lyapunov exponent along a motion with impacts.
//
// A small difference δ = (δq, δv, δz) between two motions grows like e^{λt}. Between impacts it follows the variational
// equation δ' = Df δ. At an impact x⁺ = R(t, x⁻) the two motions hit at times that differ by
//     δt = −(Hᵀ δq)/U⁻,
// and the linearised flow jumps [P. Müller, Chaos Solitons Fractals 5 (1995) 1671, doi:10.1016/0960-0779(94)00170-U]:
//     δ⁺ = d/ds R(t + s δt, x⁻ + s (δ⁻ + f⁻ δt)) − f⁺ δt,   s = 0.
// A contact that lasts takes the part of δ that would leave or enter its obstacle.
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
  explicit LyapunovExponent(const Model& model, int pieces = 1);  // Runge-Kutta steps between two events
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

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace ricochet
