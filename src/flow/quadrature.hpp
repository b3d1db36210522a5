// Gauss and Legendre's quadrature along an arc whose fastest rate is known: to round-off.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

// Calls use(s, weight) at the places between `from` and `to`, as long as it returns true.
template <class Use>
void for_each_gauss_place(double from, double to, double rate, const Use& use) {
  // places and weights of one half of [−1, 1]
  struct Rule {
    int pairs;
    std::array<double, 4> places, weights;
  };
  static constexpr Rule four_points = {2,
                                       {0.3399810435848562648026658, 0.8611363115940525752239465},
                                       {0.6521451548625461426269361, 0.3478548451374538573730639}};
  static constexpr Rule eight_points = {4,
                                        {0.1834346424956498049394761, 0.5255324099163289858177390,
                                         0.7966664774136267395915539, 0.9602898564975362316835609},
                                        {0.3626837833783619829651504, 0.3137066458778872873379622,
                                         0.2223810344533744705443560, 0.1012285362903762591525314}};
  const double panels = std::max(1.0, std::ceil((to - from) * rate / 1.5)), half = 0.5 * (to - from) / panels;
  const Rule& rule = 4.0 * half * rate < 0.2 ? four_points : eight_points;
  for (double panel = 0.0; panel < panels; panel += 1.0)
    for (int k = 0; k < 2 * rule.pairs; ++k) {
      const double place = k % 2 == 0 ? rule.places[k / 2] : -rule.places[k / 2];
      if (!use(from + half * (2.0 * panel + 1.0 + place), half * rule.weights[k / 2])) return;
    }
}

}  // namespace ricochet
