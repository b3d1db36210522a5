// With W = Hᵀ M⁻¹ H of normals and slips, joints eliminated; per contact w_n, the row w_nt to its slips, W_tt, μ, e,
// e_T:
//
//   μ ‖w_nt‖ < w_n                          the contact alone has one solution for every load
//   w_nt W_tt⁻¹ w_ntᵀ ≤ (1 − e²) w_n        with e_T = 0 an impact of it never gains energy: ΔT = … − ½ Pᵀ Δ W P with
//                                           Δ = diag((1−e)/(1+e), 1, …), semidefinite then; with e_T = e never anyway
//   A = w_n − μ s w_nt, b = Γ without it    of a contact that slides along s, what else is held eliminated: A < 0 and
//                                           b > 0 leave two accelerations, A < 0 and b < 0 none [Painlevé]
//   all 4^m determinants positive           of m closed contacts in the plane, each open, sticking or sliding either
//                                           way: one solution for every load
#include "study/check/friction_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "contact/contact_acceleration.hpp"
#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/mass_factors.hpp"
#include "core/decompositions.hpp"
#include "core/mask_array.hpp"
#include "core/semidefinite_solve.hpp"
#include "core/zeros.hpp"
#include "study/check/bounded_numbers.hpp"

namespace ricochet {
namespace {

constexpr std::size_t most_determinants = 6;  // contacts whose determinants are looked at
constexpr int most_rows = 500;

class FrictionCheck {
 public:
  FrictionCheck(const Model& model, const State& start, const StartCheck& contacts)
      : model_(model), start_(start), closed_(contacts.closed), begins_with_impact_(!contacts.closing.empty()) {}

  std::vector<Finding> go() {
    if (layout_.frictions.empty()) return {};
    check_bounds();
    const bool has_contacts = layout_.frictions[0].constraint >= 0;
    if (!findings_.empty() || !has_contacts || layout_.rows.cols > most_rows || !place()) return std::move(findings_);
    check_coefficients();
    check_several();
    check_energy();
    check_sliding();
    return std::move(findings_);
  }

 private:
  void say(const char* subject, Verdict verdict, std::string sentence) {
    findings_.push_back({subject, verdict, std::move(sentence)});
  }
  static std::string figure(double x) { return fmt::format("{:.4g}", x); }
  double& W(int i, int j) { return W_[static_cast<std::size_t>(j) * nr_ + i]; }

  // Of all frictions, those of contacts and those with a limit.
  void check_bounds() {
    BoundedNumbers numbers(model_);
    numbers.place(start_.t, start_.q);
    for (const BoundedKind kind : all_bounded_kinds)
      if (const BoundedNumber* bad = numbers.violated(kind); bad != nullptr && kind != BoundedKind::restitution)
        say(bounds_of(kind).subject, Verdict::problem, violation(*bad, numbers.value(*bad), " at the start"));
  }

  // W, with the rows of joints eliminated from the others.
  bool place() {
    rows_.place_rates(start_.t, start_.q.data());
    rows_.place_restitutions(start_.t, start_.q.data());
    rows_.place_bounds(start_.t, start_.q.data());
    MassFactors<double> mass(model_);
    if (!mass.place(start_.t, start_.q.data())) return false;
    Delassus<double> all(model_.nq(), layout_, {}, 0, ContactRows::with_slips);
    MaskArray<double> every(nr_), joints(nr_);
    for (int j = 0; j < nr_; ++j) every[j] = true, joints[j] = j >= nc_ && j < nc_ + nb_;
    all.set(mass, rows_.gradients(), every.data());
    for (int j = 0; j < nr_; ++j) all.each_entry(j, [&](int i, double entry) { W(i, j) = entry; });
    std::vector<double> P = zeros(nr_);
    for (int j = 0; j < nr_ && nb_ > 0; ++j) {
      if (!all.solve_equalities(joints.data(), &W(0, j), P.data())) return false;
      for (int i = 0; i < nr_; ++i) W(i, j) -= all.row_dot(i, P.data());
    }
    return true;
  }

  // use(friction, its index, its contact, its first slip), of contacts
  template <class Use>
  void each_contact(const Use& use) {
    int slip = nc_ + nb_;
    for (int k = 0; k < layout_.nf() && layout_.frictions[k].constraint >= 0; slip += layout_.frictions[k++].rows)
      use(layout_.frictions[k], k, layout_.frictions[k].constraint, slip);
  }
  double coupling(int contact, int slip, int rows) {
    return rows == 1 ? std::abs(W(contact, slip)) : std::hypot(W(contact, slip), W(contact, slip + 1));
  }

  void check_coefficients() {
    double worst = -1.0;
    std::string name;
    each_contact([&](const Friction& friction, int k, int contact, int slip) {
      const double ratio = rows_.bound(k) * coupling(contact, slip, friction.rows) / W(contact, contact);
      if (!(ratio > worst)) return;
      worst = ratio;
      name = friction.name;
    });
    say("friction", worst < 1.0 ? Verdict::ok : Verdict::warning,
        fmt::format("μ |W_NT|/W_NN is at most {} at the start ({}): {}", figure(worst), name,
                    worst < 1.0
                        ? "each contact alone has one solution for every load."
                        : "for some loads this contact alone has several solutions, and where it slides against "
                          "them there may be no acceleration (Painlevé)."));
  }

  void check_several() {
    struct Planar {
      int contact, slip;
      double mu;
    };
    std::vector<Planar> planar;
    each_contact([&](const Friction& friction, int k, int contact, int slip) {
      if (friction.rows == 1 && std::find(closed_.begin(), closed_.end(), contact) != closed_.end())
        planar.push_back({contact, slip, rows_.bound(k)});
    });
    if (planar.size() < 2 || planar.size() > most_determinants) return;
    const int n = 2 * static_cast<int>(planar.size());
    std::size_t choices = 1, bad = 0;
    for (std::size_t i = 0; i < planar.size(); ++i) choices *= 4;
    DenseMatrix A;  // of one choice of statuses
    for (std::size_t choice = 0; choice < choices; ++choice) {
      A = DenseMatrix(n, n);
      std::size_t rest = choice;
      for (int a = 0; a < n / 2; ++a, rest /= 4) {
        const Planar& own = planar[static_cast<std::size_t>(a)];
        const auto response = [&](int row, int from) {  // a row of W
          for (int b = 0; b < n / 2; ++b) {
            A(row, 2 * b) = W(from, planar[static_cast<std::size_t>(b)].contact);
            A(row, 2 * b + 1) = W(from, planar[static_cast<std::size_t>(b)].slip);
          }
        };
        switch (rest % 4) {
          case 0: A(2 * a, 2 * a) = A(2 * a + 1, 2 * a + 1) = 1.0; break;              // open
          case 1: response(2 * a, own.contact), response(2 * a + 1, own.slip); break;  // sticks
          default:                                                                     // slides
            response(2 * a, own.contact);
            A(2 * a + 1, 2 * a) = rest % 4 == 2 ? own.mu : -own.mu;
            A(2 * a + 1, 2 * a + 1) = 1.0;
        }
      }
      bad += mean_determinant(A) > 0.0 ? 0 : 1;
    }
    say("friction", bad == 0 ? Verdict::ok : Verdict::warning,
        bad == 0 ? fmt::format("The {} contacts closed at the start have one solution for every load, together too.",
                               planar.size())
                 : fmt::format("Of the {} ways in which the {} contacts closed at the start can be open, stick or "
                               "slide {} do not fit together: for some loads there is no solution, or several.",
                               choices, planar.size(), bad));
  }

  void check_energy() {
    std::vector<std::string> gaining;
    each_contact([&](const Friction& friction, int k, int contact, int slip) {
      const double e = rows_.restitution(contact);
      if (rows_.tangential_restitution(k) == e || rows_.bound(k) == 0.0) return;
      double share;  // w_nt W_tt⁻¹ w_ntᵀ
      if (friction.rows == 1) {
        share = W(contact, slip) * W(contact, slip) / W(slip, slip);
      } else {
        const double a = W(contact, slip), b = W(contact, slip + 1), p = W(slip, slip), q = W(slip, slip + 1),
                     r = W(slip + 1, slip + 1);
        share = (a * a * r - 2.0 * a * b * q + b * b * p) / (p * r - q * q);
      }
      if (share > (1.0 - e * e) * W(contact, contact) * (1.0 + 1e-12)) gaining.push_back(friction.name);
    });
    if (!gaining.empty())
      say("energy", Verdict::warning,
          fmt::format("Impacts of {} may gain energy: Newton's restitution with friction is not dissipative there. "
                      "tangential_restitution = restitution never gains, nor does restitution = 0.",
                      fmt::join(gaining, ", ")));
  }

  // Contacts that slide at the start, with what rests on closed contacts held.
  void check_sliding() {
    if (begins_with_impact_) return;  // which changes the slips
    ContactAcceleration<double> free(model_), forces(model_);
    find_modes(forces);
    if (!slides_ || !free.solve(start_.t, start_.q.data(), start_.v.data(), start_.z.data())) return;
    free.separations(start_.t, start_.q.data(), start_.v.data());
    const bool has_acceleration = forces.solve(start_.t, start_.q.data(), start_.v.data(), start_.z.data());
    bool told = false;
    for (const int j : pressed_) {
      const int k = modes_.of_contact(j);
      if (k < 0 || modes_[k].mode != FrictionMode::slide) continue;
      const auto [A, b] = without_others(j, free);
      if (!(A < 0.0) || (b < 0.0 && has_acceleration)) continue;  // or others lift off
      told = true;
      say("start", b < 0.0 ? Verdict::problem : Verdict::warning,
          fmt::format("{} slides at the start with A = {}, b = {}{}: {}", layout_.constraints[j], figure(A), figure(b),
                      pressed_.size() > 1 ? " while the other closed contacts stay closed" : "",
                      b < 0.0 ? "there is no acceleration that obeys Coulomb's law (Painlevé)."
                              : "two accelerations obey Coulomb's law; the one that lifts off is taken."));
    }
    if (!told && !has_acceleration && forces.failure() == FailureKind::complementarity_not_solved)
      say("start", Verdict::warning,
          "Contacts slide at the start, and no acceleration was found that obeys Coulomb's law on all of them "
          "(Painlevé).");
  }

  // What closed contacts and frictions do at the start; contacts that separate are left out.
  void find_modes(ContactAcceleration<double>& forces) {
    const double* v = start_.v.data();
    forces.open_all();
    for (const int j : closed_)
      if (rows_.rate(j, v) <= round_off * rows_.rate_size(j, v)) {
        pressed_.push_back(j);
        forces.close(j);
      }
    for (int k = 0; k < modes_.size(); ++k) {
      FrictionModes::Entry& entry = modes_[k];
      if (entry.contact >= 0 && std::find(pressed_.begin(), pressed_.end(), entry.contact) == pressed_.end()) continue;
      const bool slides = FrictionModes::begin(entry, rows_, v, 1e-10) > 0.0;
      slides_ = slides_ || (slides && entry.contact >= 0);
    }
    forces.modes() = modes_;
  }

  // W_ij along which row j pushes: with its friction, if it is a contact that slides.
  double pushed(int i, int j) {
    double push = W(i, j);
    const int k = j < nc_ ? modes_.of_contact(j) : -1;
    for (int m = 0; k >= 0 && modes_[k].mode == FrictionMode::slide && m < modes_[k].rows; ++m)
      push -= rows_.bound(k) * modes_[k].s[m] * W(i, modes_[k].row + m);
    return push;
  }

  // A and b of a contact, with Γ = 0 of the other contacts and of what rests.
  std::pair<double, double> without_others(int contact, const ContactAcceleration<double>& free) {
    std::vector<int> held;
    for (const int j : pressed_)
      if (j != contact) held.push_back(j);
    for (int k = 0; k < modes_.size(); ++k)
      for (int m = 0; m < modes_[k].rows && modes_[k].mode == FrictionMode::rest; ++m)
        if (modes_[k].contact != contact) held.push_back(modes_[k].row + m);
    // Frictions with a limit that slide push with a force that is known.
    const auto acceleration = [&](int i) {
      double Gamma = free.contacts().acceleration(i, free.value());
      for (int k = 0; k < modes_.size(); ++k)
        for (int m = 0; m < modes_[k].rows && modes_[k].contact < 0 && modes_[k].mode == FrictionMode::slide; ++m)
          Gamma -= rows_.bound(k) * modes_[k].s[m] * W(i, modes_[k].row + m);
      return Gamma;
    };
    double A = pushed(contact, contact), b = acceleration(contact);
    const int n = static_cast<int>(held.size());
    std::vector<double> W_held = zeros(n * n), push = zeros(n), Gamma = zeros(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) W_held[static_cast<std::size_t>(j) * n + i] = pushed(held[i], held[j]);
      push[i] = pushed(held[i], contact);
      Gamma[i] = acceleration(held[i]);
    }
    SemidefiniteSolve others;
    if (n == 0 || !others.factorise(n, W_held.data())) return {A, b};
    others.solve(push.data());
    others.solve(Gamma.data());
    for (int i = 0; i < n; ++i) {
      A -= pushed(contact, held[i]) * push[i];
      b -= pushed(contact, held[i]) * Gamma[i];
    }
    return {A, b};
  }

  static constexpr double round_off = 1e-12;

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const State& start_;
  const std::vector<int>& closed_;
  const bool begins_with_impact_;
  const int nc_ = model_.nc(), nb_ = model_.nb(), nr_ = layout_.rows.cols;
  ContactKinematics<double> rows_{model_};
  std::vector<double> W_ = zeros(nr_ * nr_);
  std::vector<int> pressed_;  // closed contacts that do not separate
  FrictionModes modes_{layout_};
  bool slides_ = false;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_friction(const Model& model, const State& start, const StartCheck& contacts) {
  return FrictionCheck(model, start, contacts).go();
}

}  // namespace ricochet
