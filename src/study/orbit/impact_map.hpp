// What happens between two arcs, as equalities: blows v⁺ = v⁻ + M⁻¹ H P with U⁺ = −e U⁻ on given contacts, P of either
// sign, U_S⁺ = −e_T U_S⁻ on frictions that stick and P_S = −μ P s on those that slide, joints held; then the projection
// on g = 0, U = 0 of what the next arc holds.
#pragma once

#include <optional>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/impact_law.hpp"
#include "contact/mass_factors.hpp"
#include "core/decompositions.hpp"
#include "ricochet/study/orbit.hpp"

namespace ricochet {

class ImpactMap {
 public:
  explicit ImpactMap(const Model& model) : model_(model), contacts_(model), mass_(model), law_(model) {}

  // False where the mass or the contacts are singular.
  bool strike(double t, const double* q, const OrbitBlow& blow, double* v);
  // y is brought to what is held.
  bool hold(double t, const OrbitHold& held, double* y);
  // The blows by which the law takes v over, of the contacts that touch; nothing if it cannot be told by equalities.
  std::optional<std::vector<OrbitBlow>> blows(double t, const double* q, const std::vector<char>& touches, double* v);
  // Normals of what is held at (t, y): columns of g and U by y = (q, v, z), scaled by `sizes`.
  DenseMatrix normals(double t, const double* y, const OrbitHold& held, const std::vector<double>& sizes);

  double gap(int j, double t, const double* q) {
    contacts_.place_gaps(t, q);
    return contacts_.gap(j);
  }
  double gap_rate(int j, double t, const double* y) {
    contacts_.place_rates(t, y);
    return contacts_.rate(j, y + model_.nq());
  }
  // The first slip of friction k.
  double slip(int k, double t, const double* y) { return gap_rate(slip_row(k), t, y); }

 private:
  int slip_row(int k) const {
    int row = model_.nc() + model_.nb();
    for (int i = 0; i < k; ++i) row += model_.layout().frictions[i].rows;
    return row;
  }
  std::vector<int> held_rows(const OrbitHold& held) const;

  const Model& model_;
  ContactKinematics<double> contacts_;
  MassFactors<double> mass_;
  ImpactLaw law_;
};

}  // namespace ricochet
