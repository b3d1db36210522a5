// A gap must have a gradient that is finite and not zero where it closes. From the start Newton's method goes to
// g(t, q) = 0 along the gradient, q := q − g ∇g/‖∇g‖², with shorter steps where the gap has no values. Of x² and x³ the
// gradient vanishes on the way, of √x it grows without bound.
#include "study/surface_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "contact/contact_kinematics.hpp"
#include "core/definiteness.hpp"
#include "core/zeros.hpp"

namespace ricochet {
namespace {

class Surfaces {
 public:
  Surfaces(const Model& model, const State& start, TimeSpan span, const RangeCheck& known)
      : model_(model),
        start_(start),
        span_(span),
        told_mass_(known.mass_is_known || layout_.structure.constant_mass),
        told_restitution_(known.restitution_is_known || layout_.structure.constant_restitution) {}

  SurfaceCheck go() {
    const Structure& structure = layout_.structure;
    check_.is_sampled = !told_mass_ || (layout_.nc() > 0 && (!structure.linear_gaps || !told_restitution_));
    if (!check_.is_sampled) return std::move(check_);
    check_times();
    if (!structure.linear_gaps)
      for (int j = 0; j < std::min(layout_.nc(), most_surfaces); ++j) check_surface(j);
    return std::move(check_);
  }

 private:
  static constexpr int most_surfaces = 500;  // constraints that are followed
  static constexpr int looks = 64;           // at times of the run
  static constexpr double far_off = 1e5;     // a gradient that changes by more on the way goes to 0 or infinity

  void refuse(const char* subject, std::string sentence) {
    check_.findings.push_back({subject, Verdict::problem, std::move(sentence)});
    check_.holds = false;
  }

  void check_times() {
    for (int k = 1; k <= looks; ++k) check_at(span_.from + (span_.until - span_.from) * k / looks, start_.q, "");
  }

  // Mass and restitution at one point; each is told once.
  void check_at(double t, const std::vector<double>& q, const std::string& where) {
    if (!told_mass_) {
      std::vector<double> M = zeros(layout_.mass.size());
      model_.mass(t, q.data(), M.data());
      told_mass_ = !DefinitenessTest<double>()(layout_.mass, M.data());
      if (told_mass_)
        refuse("mass", fmt::format("The mass matrix is not positive definite at t = {:.4g}{}.", t, where));
    }
    if (told_restitution_) return;
    std::vector<double> e = zeros(layout_.nc());
    model_.restitution(t, q.data(), e.data());
    for (int j = 0; j < layout_.nc() && !told_restitution_; ++j)
      if (!(e[j] >= 0.0 && e[j] <= 1.0)) {
        told_restitution_ = true;
        refuse("restitution", fmt::format("The restitution of {} is {:.4g} at t = {:.4g}{}; it must be in [0, 1].",
                                          layout_.constraints[j], e[j], t, where));
      }
  }

  double squared_gradient(int j) const {
    double sum = 0.0;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k)
      sum += contacts_.gradients()[k] * contacts_.gradients()[k];
    return sum;
  }

  void check_surface(int j) {
    constexpr int most_steps = 200;
    std::vector<double> q = start_.q, next = q;
    const double t = span_.from;
    contacts_.place_gaps(t, q.data());
    contacts_.place_gradients(t, q.data());
    const double g_start = contacts_.gap(j), size = squared_gradient(j);
    if (!(g_start > 0.0) || !(size > 0.0) || !std::isfinite(size)) return;  // checked as a start
    double g = g_start;
    for (int step = 0; step < most_steps && std::abs(g) > 1e-13 * g_start; ++step) {
      const double factor = -g / squared_gradient(j);
      double share = 1.0;
      for (;; share *= 0.5) {
        next = q;
        contacts_.add_gradient(j, share * factor, next.data());
        probe_.place_gaps(t, next.data());
        if (std::abs(probe_.gap(j)) < std::abs(g)) break;
        if (share < 1e-9) return;  // no way to the surface from here
      }
      q = next;
      g = probe_.gap(j);
      contacts_.place_gradients(t, q.data());
      const double change = std::sqrt(squared_gradient(j) / size);
      if (change < far_off && change > 1.0 / far_off) continue;
      return refuse("gradients",
                    fmt::format("The gradient of the gap of {} {} where the gap closes: no impulse can act there. "
                                "Write the gap so that it passes 0 with a slope.",
                                layout_.constraints[j], change < 1.0 ? "vanishes" : "is not finite"));
    }
    check_at(t, q, fmt::format(", where {} closes", layout_.constraints[j]));
  }

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const State& start_;
  const TimeSpan span_;
  ContactKinematics<double> contacts_{model_}, probe_{model_};
  bool told_mass_, told_restitution_;  // or known beforehand
  SurfaceCheck check_;
};

}  // namespace

SurfaceCheck check_surfaces(const Model& model, const State& start, TimeSpan span, const RangeCheck& known) {
  return Surfaces(model, start, span, known).go();
}

}  // namespace ricochet
