// Gauss and Legendre's quadrature along an arc whose fastest rate is known: to round-off.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

// Calls use(s, weight) at the places between `from` and `to`, as long as it returns true. `rate`: the fastest,
// `lasting`: the fastest of those that do not decay.
template <class Use>
void for_each_gauss_place(double from, double to, double rate, double lasting, const Use& use) {
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
  constexpr double many = 256.0;
  const auto panels_for = [&](double fastest) { return std::max(1.0, std::ceil((to - from) * fastest / 1.5)); };
  const auto use_panel = [&](const Rule& rule, double begin, double half, double panel) {
    for (int k = 0; k < 2 * rule.pairs; ++k) {
      const double place = k % 2 == 0 ? rule.places[k / 2] : -rule.places[k / 2];
      if (!use(begin + half * (2.0 * panel + 1.0 + place), half * rule.weights[k / 2])) return false;
    }
    return true;
  };
  double panels = panels_for(rate);
  // What decays fast is gone before the panels, half as long again each, have become long for it.
  if (panels > many && panels_for(lasting) < 0.5 * panels) {
    const double longest = 0.5 * (to - from) / panels_for(lasting);
    for (double half = 0.5 * (to - from) / panels; half < longest && from + 2.0 * half < to; half *= 1.5) {
      if (!use_panel(eight_points, from, half, 0.0)) return;
      from += 2.0 * half;
    }
    panels = panels_for(lasting);
  }
  const double half = 0.5 * (to - from) / panels;
  const Rule& rule = panels == panels_for(rate) && 4.0 * half * rate < 0.2 ? four_points : eight_points;
  for (double panel = 0.0; panel < panels; panel += 1.0)
    if (!use_panel(rule, from, half, panel)) return;
}

}  // namespace ricochet
