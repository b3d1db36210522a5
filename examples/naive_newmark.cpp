// Why a contact force must not go into Newmark's acceleration. The ball of Acary's lecture (2018, slides 58-61): mass
// 1, gravity 9.81, dropped from height 1, e = 0.9; it rebounds to e² = 0.81.
//
//     a₁ = −g + λ,   v₁ = v₀ + h a_γ,   x₁ = x₀ + h v₀ + ½ h² a_2β                                         (65), (66)
//     velocity level:  0 ≤ v₁ + e v₀ ⊥ λ ≥ 0   where the floor is forecast, x₀ + ½ h v₀ ≤ 0, else λ = 0     (67)
//     position level:  0 ≤ x₁ ⊥ λ ≥ 0                                                                     (66)
//
// (67) is printed with e g_k in place of e ġ_k. An impulse I needs the force λ = I/(γ h); the next step still has λ in
// a₀ and pushes once more by (1−γ)/γ I, however small h is. Scheme newmark keeps the impulse beside the acceleration.
// With --curves the program prints the heights as CSV.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include <ricochet/ricochet.hpp>

namespace rc = ricochet;

constexpr double gravity = 9.81, until = 3.0;
enum class Level { velocity, position };

struct Motion {
  double h = 0.0;
  std::vector<double> x = {};   // heights at t = k h
  std::size_t first_touch = 0;  // the step in which the floor pushes first

  // Between the nodes.
  double at(double t) const {
    const std::size_t k = std::min(static_cast<std::size_t>(t / h), x.size() - 2);
    return x[k] + (x[k + 1] - x[k]) * (t / h - static_cast<double>(k));
  }
  // The first maximum after the touch.
  double rebound() const {
    std::size_t k = first_touch + 1;
    while (k + 1 < x.size() && (x[k + 1] >= x[k] || x[k] <= 0.0)) ++k;
    return x[k];
  }
};

Motion naive_newmark(Level level, double gamma, double beta, double h, double e) {
  Motion motion{.h = h, .x = {1.0}};
  double x = 1.0, v = 0.0, a = -gravity;
  while (static_cast<double>(motion.x.size()) * h < until + 2.0 * h) {
    // The step without λ; with it x₁ = x_free + β h² λ, v₁ = v_free + γ h λ.
    const double x_free = x + h * v + h * h * ((0.5 - beta) * a - beta * gravity);
    const double v_free = v + h * ((1.0 - gamma) * a - gamma * gravity);
    double lambda = 0.0;
    if (level == Level::position) lambda = std::max(0.0, -x_free / (beta * h * h));
    if (level == Level::velocity && x + 0.5 * h * v <= 0.0) lambda = std::max(0.0, -(v_free + e * v) / (gamma * h));
    if (lambda > 0.0 && motion.first_touch == 0) motion.first_touch = motion.x.size();
    x = x_free + beta * h * h * lambda;
    v = v_free + gamma * h * lambda;
    a = lambda - gravity;
    motion.x.push_back(x);
  }
  return motion;
}

Motion library_newmark(double h, double e) {
  auto ball = rc::lagrangian({.coordinates = {"x"},
                              .kinetic = "x_dot^2/2",
                              .potential = "g*x",
                              .parameters = {{"g", gravity}},
                              .constraints = {{.name = "floor", .gap = "x", .restitution = e}}});
  const auto solution = rc::simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, until}, rc::Scheme{"newmark"}, {.h = h});
  const double step = until / static_cast<double>(solution.trajectory.t.size() - 1);
  const double touch = solution.impacts.empty() ? 0.0 : solution.impacts.front().t;
  return {.h = step, .x = solution.trajectory.q, .first_touch = static_cast<std::size_t>(touch / step) + 1};
}

// Free fall, then flights that begin with e, e², … times the speed of the first impact.
double exact(double t, double e) {
  double speed = std::sqrt(2.0 * gravity), start = speed / gravity;
  if (t < start) return 1.0 - gravity * t * t / 2.0;
  speed *= e;
  while (t >= start + 2.0 * speed / gravity) start += 2.0 * speed / gravity, speed *= e;
  return speed * (t - start) - gravity * (t - start) * (t - start) / 2.0;
}

void print_curves() {
  const Motion newmark = library_newmark(1e-3, 0.9), velocity = naive_newmark(Level::velocity, 0.5, 0.25, 1e-3, 0.9);
  const Motion position = naive_newmark(Level::position, 1.0, 0.5, 1e-3, 0.9);
  const Motion other = naive_newmark(Level::position, 1.0, 0.5, 0.99e-3, 0.9);
  std::puts("t,exact,newmark,velocity,position,position_other_step");
  for (int i = 0; i <= 300; ++i) {
    const double t = 0.01 * i;
    std::printf("%.2f,%.6f,%.6f,%.6f,%.6f,%.6f\n", t, exact(t, 0.9), newmark.at(t), velocity.at(t), position.at(t),
                other.at(t));
  }
}

int main(int count, char** words) {
  if (count > 1 && std::string_view(words[1]) == "--curves") {
    print_curves();
    return 0;
  }

  // The table: first rebound against the step.
  bool right = true;
  double lowest = 9.0, highest = 0.0;
  std::puts("first rebound of a ball that falls from height 1, e = 0.9; exact: 0.81\n");
  std::puts("            naive, velocity level   naive, position level");
  std::puts("       h    gamma 1/2    gamma 1    gamma 1/2    gamma 1    newmark");
  for (const double h : {1e-3, 0.99e-3, 0.98e-3, 0.97e-3, 5e-4, 1e-4}) {
    const double half = naive_newmark(Level::velocity, 0.5, 0.25, h, 0.9).rebound();
    const double one = naive_newmark(Level::velocity, 1.0, 0.5, h, 0.9).rebound();
    const double position_half = naive_newmark(Level::position, 0.5, 0.25, h, 0.9).rebound();
    const double position_one = naive_newmark(Level::position, 1.0, 0.5, h, 0.9).rebound();
    const double newmark = library_newmark(h, 0.9).rebound();
    std::printf("%8.5f %12.3f %10.3f %12.3f %10.3f %10.3f\n", h, half, one, position_half, position_one, newmark);

    // Velocity level: γ = ½ leaves with (e + (1+e)(1−γ)/γ) v = 2.8 v at every step size, γ = 1 is right to first order.
    right &= std::abs(half - 7.9) <= 0.1 && std::abs(one - 0.81) <= 1e-3 && std::abs(newmark - 0.81) <= 1e-3;
    // Position level: e does not appear, and the rebound is what the place of the impact in its step makes it.
    right &= naive_newmark(Level::position, 1.0, 0.5, h, 0.1).rebound() == position_one;
    lowest = std::min(lowest, position_one), highest = std::max(highest, position_one);
  }
  std::puts("\nThe force of one step stays in the acceleration of the next. At position level e plays no part.");
  right &= lowest < 0.01 && highest > 0.6;
  return right ? 0 : 1;
}
