// Mean forces of contacts and frictions between two rows of a result: impulses by the time in which they acted.
//
//   λ_i = (Σ P − Σ P of impacts)/(t_i − t_{i−1})
//
// An impact of rigid bodies takes no time: its impulse by the time between rows would depend on how often rows are
// recorded. Compliant contacts have forces from their begin to their end, and nothing is left out.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "ricochet/contact/contact_report.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Adds the impulse of friction of a contact to those of all slips.
inline void add_friction(const Layout& layout, const ContactReport& contact, const SlipReport& report,
                         double* impulses) {
  for (const Friction& friction : layout.frictions) {
    if (friction.constraint == contact.constraint)
      for (int k = 0; k < friction.rows; ++k) impulses[k] += report.impulse[static_cast<std::size_t>(k)];
    impulses += friction.rows;
  }
}

class MeanForces {
 public:
  explicit MeanForces(const Layout& layout)
      : layout_(layout),
        normal_(static_cast<std::size_t>(layout.nc())),
        tangential_(static_cast<std::size_t>(layout.ns())) {}

  // A contact that is an impact, or a part of one.
  void strike(const ContactReport& contact, const SlipReport& report) {
    normal_.struck[contact.constraint] += contact.impulse;
    add_friction(layout_, contact, report, tangential_.struck.data());
  }

  // The first row. lambda: the forces there, of contacts, joints and slips; null: none.
  void begin(const double* lambda) {
    normal_.begin(lambda);
    tangential_.begin(lambda == nullptr ? nullptr : lambda + layout_.nc() + layout_.nb());
  }
  // The next row, with the impulses since the one before. Where no time has passed the forces stay what they were.
  void divide(double passed, const double* impulse, const double* friction) {
    normal_.divide(passed, impulse);
    tangential_.divide(passed, friction);
  }

  const double* normal() const { return normal_.force.data(); }
  const double* tangential() const { return tangential_.force.data(); }

 private:
  struct Rows {
    explicit Rows(std::size_t size) : struck(size), force(size) {}
    void begin(const double* lambda) {
      for (std::size_t j = 0; j < force.size(); ++j) struck[j] = 0.0, force[j] = lambda == nullptr ? 0.0 : lambda[j];
    }
    void divide(double passed, const double* impulse) {
      constexpr double round_off = 1e-9;
      for (std::size_t j = 0; j < force.size(); ++j) {
        const double hit = std::exchange(struck[j], 0.0), rest = impulse[j] - hit;
        if (passed > 0.0) force[j] = std::abs(rest) > round_off * std::abs(hit) ? rest / passed : 0.0;
      }
    }
    std::vector<double> struck, force;  // impulses of impacts since the row before
  };

  const Layout& layout_;
  Rows normal_, tangential_;
};

}  // namespace ricochet
