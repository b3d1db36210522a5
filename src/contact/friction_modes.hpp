// What each friction does between events: it sticks, it slides in a direction s, or it does nothing since its contact
// is open.
//
//   sticks   Γ_S = H_Sᵀa + c_S = 0,  ‖λ_S‖ ≤ μ λ_N, or ≤ L
//   slides   λ_S = −μ λ_N s, or −L s, with s = U_S/‖U_S‖: its contact pushes along H_N − μ H_S s
//   rests    U_S = 0; whether it will stick or slide is for the accelerations to say (friction_forces.hpp)
//
// A slide in space turns with its slip. Where the slip vanishes it is continued: s = ±U_S/‖U_S‖ with the sign that the
// direction `s` at the last look at it gives, so that the motion is smooth up to the instant of the stop and beyond.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "core/length.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

enum class FrictionMode : unsigned char { none, rest, stick, slide };

class FrictionModes {
 public:
  using Direction = std::array<double, 2>;
  struct Entry {
    int contact = -1, row = 0, rows = 1;  // its first slip and their number; contact −1: a limit of its own
    FrictionMode mode = FrictionMode::none;
    Direction s{};    // of a slide, at the last look; of a rest the direction it has just begun to slide in, or 0
    Direction now{};  // of a slide, at the last turn(); `seen`: whatever the slip is
    Direction seen{};
    double floor = 0.0;  // slips below are round-off
    // λ_S, of the forces of all rows
    Direction force(const double* lambda) const { return {lambda[row], rows > 1 ? lambda[row + 1] : 0.0}; }
  };

  explicit FrictionModes(const Layout& layout) : of_contact_(static_cast<std::size_t>(layout.nc()), -1) {
    int row = layout.nc() + layout.nb();
    for (const Friction& friction : layout.frictions) {
      if (friction.constraint >= 0) of_contact_[friction.constraint] = static_cast<int>(entries_.size());
      entries_.push_back({.contact = friction.constraint, .row = row, .rows = friction.rows});
      row += friction.rows;
    }
  }

  int size() const { return static_cast<int>(entries_.size()); }
  Entry& operator[](int k) { return entries_[static_cast<std::size_t>(k)]; }
  const Entry& operator[](int k) const { return entries_[static_cast<std::size_t>(k)]; }
  const std::vector<Entry>& all() const { return entries_; }
  std::vector<Entry>& all() { return entries_; }
  // The friction of a contact; −1 if it has none.
  int of_contact(int j) const { return of_contact_[static_cast<std::size_t>(j)]; }
  // Whether there is friction with a limit of its own, the last in the list.
  bool has_limits() const { return !entries_.empty() && entries_.back().contact < 0; }
  void clear() {
    for (Entry& entry : entries_) entry.mode = FrictionMode::none, entry.s = entry.now = {};
  }

  // Whether friction k acts, its contact being closed or not.
  bool acts(int k, const bool* closed) const {
    const Entry& entry = (*this)[k];
    return entry.mode != FrictionMode::none && (entry.contact < 0 || closed[entry.contact]);
  }
  bool any() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.mode != FrictionMode::none; });
  }
  bool any_sticks() const {
    return std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.mode == FrictionMode::stick; });
  }
  bool any_acts(const bool* closed) const {
    for (int k = 0; k < size(); ++k)
      if (acts(k, closed)) return true;
    return false;
  }

  // The slip at v, with rates placed.
  static Direction slip(const Entry& entry, const ContactKinematics<double>& rows, const double* v) {
    return {rows.rate(entry.row, v), entry.rows > 1 ? rows.rate(entry.row + 1, v) : 0.0};
  }
  // Σ |H_S||x|: the size of what slips, or their accelerations, are sums of.
  static double size_along(const Entry& entry, const ContactKinematics<double>& rows, const double* x) {
    double size = rows.size_along(entry.row, x);
    if (entry.rows > 1) size = std::max(size, rows.size_along(entry.row + 1, x));
    return size;
  }
  static double dot(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1]; }
  static double norm(const Direction& a) { return a[1] == 0.0 ? std::abs(a[0]) : length(a[0], a[1]); }
  static Direction divided(const Direction& a, double by) { return {a[0] / by, a[1] / by}; }

  // Of an entry whose direction is not known yet: it slides at v, or rests where the slip is round-off of its terms,
  // with rates placed. How fast.
  static double begin(Entry& entry, const ContactKinematics<double>& rows, const double* v, double round_off) {
    const Direction U = slip(entry, rows, v);
    const double speed = norm(U);
    entry.floor = round_off * rows.rate_size(entry.row, v);
    if (entry.rows > 1) entry.floor = std::max(entry.floor, round_off * rows.rate_size(entry.row + 1, v));
    const bool slides = speed > entry.floor;
    entry.mode = slides ? FrictionMode::slide : FrictionMode::rest;
    entry.s = entry.now = entry.seen = slides ? divided(U, speed) : Direction{};
    return slides ? speed : 0.0;
  }

  // Whether the slip of k at v is more than next to nothing, with rates placed.
  bool slides(int k, const ContactKinematics<double>& rows, const double* v) const {
    return norm(slip((*this)[k], rows, v)) > next_to_nothing * (*this)[k].floor;
  }

  // Directions of slides at v, with rates placed. Where the slip is next to nothing its direction is round-off, and
  // changes faster than a step can follow: there it is that of the last look.
  void turn(const ContactKinematics<double>& rows, const double* v) {
    for (Entry& entry : entries_) {
      if (entry.mode != FrictionMode::slide) continue;
      entry.now = entry.seen = entry.s;
      if (entry.rows == 1) continue;
      const Direction U = slip(entry, rows, v);
      const double speed = norm(U);
      if (!(speed > entry.floor)) continue;
      entry.seen = divided(U, dot(U, entry.s) < 0.0 ? -speed : speed);
      if (speed > next_to_nothing * entry.floor) entry.now = entry.seen;
    }
  }
  // The last turn becomes what directions are compared with.
  void look() {
    for (Entry& entry : entries_)
      if (entry.mode == FrictionMode::slide) entry.s = entry.seen;
  }
  bool turns() const {
    for (const Entry& entry : entries_)
      if (entry.rows > 1 && entry.mode == FrictionMode::slide) return true;
    return false;
  }

 private:
  static constexpr double next_to_nothing = 1e4;  // in units of round-off: 1e-9 of the speeds
  std::vector<Entry> entries_;
  std::vector<int> of_contact_;
};

}  // namespace ricochet
