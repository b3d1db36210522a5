// A gap must have a gradient that is finite and not zero where it closes, and be negative behind. From the start
// Newton's method goes to g(t, q) = 0 along the gradient, q := q − g ∇g/‖∇g‖², with shorter steps where the gap has no
// values. Of x² and x³ the gradient vanishes on the way, of √x it grows without bound; max(x, −x) is positive on both
// sides, and max(x, 0) is 0 behind, where what is in the obstacle only touches.
#include "study/check/surface_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/contact_kinematics.hpp"
#include "core/definiteness.hpp"
#include "core/zeros.hpp"
#include "study/check/bounded_numbers.hpp"

namespace ricochet {
namespace {

class Surfaces {
 public:
  Surfaces(const Model& model, const State& start, TimeSpan span, const RangeCheck& known)
      : model_(model), start_(start), span_(span), told_mass_(known.mass_is_known || layout_.structure.constant_mass) {
    for (const BoundedKind kind : all_bounded_kinds)
      told(kind) = known.is_known[static_cast<std::size_t>(kind)] || numbers_.are_constant(kind);
  }

  SurfaceCheck go() {
    const Structure& structure = layout_.structure;
    check_.is_sampled = !told_mass_ || !told_numbers() || (layout_.nc() > 0 && !structure.linear_gaps) ||
                        (layout_.nb() > 0 && !structure.linear_joints);
    if (!check_.is_sampled) return std::move(check_);
    check_times();
    const int nc = std::min(layout_.nc(), most_surfaces);
    const int times = structure.fixed_gaps ? 1 : std::clamp(most_surfaces / std::max(nc, 1), 1, 9);
    for (int k = 0; k < times; ++k)
      for (int j = 0; j < nc; ++j)
        if (!told_surface_[j] && (!structure.linear_gaps || !told_mass_ || !told_numbers()))
          check_surface(j, span_.from + (span_.until - span_.from) * k / std::max(times - 1, 1));
    say_unseen();
    return std::move(check_);
  }

 private:
  static constexpr int most_surfaces = 500;  // constraints that are followed, and looks in all
  static constexpr int looks = 64;           // at times of the run
  static constexpr double touch = 1e-12;     // of the terms of a gap, as for a start
  static constexpr double far_off = 1e5;     // a gradient that changes by more on the way goes to 0 or infinity

  bool& told(BoundedKind kind) { return told_[static_cast<std::size_t>(kind)]; }
  bool told_numbers() const {
    return std::all_of(told_.begin(), told_.end(), [](bool told) { return told; });
  }

  void refuse(const char* subject, std::string sentence) {
    check_.findings.push_back({subject, Verdict::problem, std::move(sentence)});
    check_.holds = false;
  }

  void check_times() {
    for (int k = 1; k <= looks; ++k) check_at(span_.from + (span_.until - span_.from) * k / looks, start_.q, "");
  }

  // Mass and bounded numbers at one point; each kind is told once.
  void check_at(double t, const std::vector<double>& q, const std::string& where) {
    if (!told_mass_) {
      std::vector<double> M = zeros(layout_.mass.size());
      model_.mass(t, q.data(), M.data());
      told_mass_ = !DefinitenessTest<double>()(layout_.mass, M.data());
      if (told_mass_)
        refuse("mass", fmt::format("The mass matrix is not positive definite at t = {:.4g}{}.", t, where));
    }
    if (told_numbers()) return;
    numbers_.place(t, q);
    for (const BoundedKind kind : all_bounded_kinds) {
      const BoundedNumber* bad = told(kind) ? nullptr : numbers_.violated(kind);
      if (bad == nullptr) continue;
      told(kind) = true;
      refuse(bounds_of(kind).subject, violation(*bad, numbers_.value(*bad), fmt::format(" at t = {:.4g}{}", t, where)));
    }
  }

  double squared_gradient(int j) const {
    double sum = 0.0;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k)
      sum += contacts_.gradients()[k] * contacts_.gradients()[k];
    return sum;
  }

  void refuse_surface(int j, const char* what) {
    told_surface_[j] = true;
    refuse("gradients", fmt::format("The gap of {} {}. Write the gap so that it passes 0 with a slope.",
                                    layout_.constraints[j], what));
  }

  void check_surface(int j, double t) {
    std::vector<double> q = start_.q;
    contacts_.place_gaps(t, q.data());
    contacts_.place_gradients(t, q.data());
    const double size = squared_gradient(j);
    // One that touches has a gradient: that is looked at where the start is.
    if (std::abs(contacts_.gap(j)) <= touch * contacts_.size_along(j, q.data()) || contacts_.gap(j) == 0.0) {
      if (size > 0.0) check_behind(j, t, q);
      return;
    }
    if (!(size > 0.0)) return unseen_.push_back(j);
    const bool arrived = go_to_surface(j, t, q);
    const double change = std::sqrt(squared_gradient(j) / size);
    if (change < 1.0 / far_off)
      return refuse_surface(j, "has a gradient that vanishes as it closes: no impulse can act there");
    if (!(change <= far_off)) return refuse_surface(j, "has a gradient that is not finite where it closes");
    if (!arrived) return unseen_.push_back(j);
    check_behind(j, t, q);
    check_way(j, t, q);
  }

  // Newton's steps from q, as far as numbers go or the gradient is one; false if they lead nowhere.
  bool go_to_surface(int j, double t, std::vector<double>& q) {
    constexpr int most_steps = 200;
    std::vector<double> next = q;
    const double g_start = contacts_.gap(j), size = squared_gradient(j);
    double g = g_start;
    for (int step = 0; step < most_steps && g != 0.0; ++step) {
      const double change = std::sqrt(squared_gradient(j) / size);
      if (!(change < far_off && change > 1.0 / far_off)) return false;
      for (double share = 1.0;; share *= 0.5) {
        next = q;
        contacts_.add_gradient(j, share * -g / squared_gradient(j), next.data());
        probe_.place_gaps(t, next.data());
        if (std::abs(probe_.gap(j)) < std::abs(g)) break;
        if (share < 1e-9) return std::abs(g) <= 1e-12 * std::abs(g_start);
      }
      q = next;
      g = probe_.gap(j);
      contacts_.place_gradients(t, q.data());
    }
    return true;
  }

  // A little way behind the surface, in units of how far it was, or of how far the motion may go.
  void check_behind(int j, double t, const std::vector<double>& q) {
    const auto length = [](const std::vector<double>& x) {
      double sum = 0.0;
      for (const double part : x) sum = std::hypot(sum, part);
      return sum;
    };
    std::vector<double> way = q;
    for (std::size_t i = 0; i < q.size(); ++i) way[i] -= start_.q[i];
    double reach = length(way);
    if (reach == 0.0) reach = std::max(length(start_.q), length(start_.v) * (span_.until - span_.from));
    if (reach == 0.0) return;
    std::vector<double> behind = q;
    contacts_.add_gradient(j, -1e-6 * reach / std::sqrt(squared_gradient(j)), behind.data());
    probe_.place_gaps(t, behind.data());
    if (std::isnan(probe_.gap(j)))
      refuse_surface(j, "has no values behind its surface: a step that passes it ends the run");
    else if (probe_.gap(j) > 0.0)
      refuse_surface(j, "comes to 0 and is positive on both sides: nothing is hit there");
    else if (probe_.gap(j) == 0.0)
      refuse_surface(j, "is 0 behind its surface too: behind it there must be less than 0");
  }

  // Mass and bounded numbers between the start and the surface.
  void check_way(int j, double t, const std::vector<double>& q) {
    const int parts = std::clamp(most_surfaces / layout_.nc(), 1, 16);
    std::vector<double> point = q;
    for (int k = 1; k <= parts; ++k) {
      const double part = static_cast<double>(k) / parts;
      for (std::size_t i = 0; i < q.size(); ++i) point[i] = start_.q[i] + part * (q[i] - start_.q[i]);
      check_at(t, k < parts ? point : q,
               fmt::format(", {} {} closes", k < parts ? "on the way to where" : "where", layout_.constraints[j]));
    }
  }

  void say_unseen() {
    if (unseen_.empty()) return;
    check_.findings.push_back(
        {"gradients", Verdict::ok,
         fmt::format("Whether the gap of {} ever closes, and how, is not known: its gradient leads nowhere from the "
                     "start.",
                     layout_.constraints[unseen_.front()])});
  }

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const State& start_;
  const TimeSpan span_;
  ContactKinematics<double> contacts_{model_}, probe_{model_};
  BoundedNumbers numbers_{model_};
  bool told_mass_;  // or known beforehand
  std::array<bool, bounded_kinds> told_ = {};
  std::vector<bool> told_surface_ = std::vector<bool>(static_cast<std::size_t>(layout_.nc()));
  std::vector<int> unseen_;  // whose surface was not found
  SurfaceCheck check_;
};

}  // namespace

SurfaceCheck check_surfaces(const Model& model, const State& start, TimeSpan span, const RangeCheck& known) {
  return Surfaces(model, start, span, known).go();
}

}  // namespace ricochet
