// The impact law as an equality on given contacts: v⁺ = v⁻ + M⁻¹ H P with U⁺ = −e U⁻ on each of them, P of either sign.
#pragma once

#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/mass_factors.hpp"
#include "core/decompositions.hpp"
#include "core/dense_lu.hpp"

namespace ricochet {

class ImpactMap {
 public:
  explicit ImpactMap(const Model& model) : model_(model), contacts_(model), mass_(model) {}

  // False where the mass or the contacts are singular.
  bool strike(double t, const double* q, const std::vector<int>& struck, double* v) {
    if (!mass_.place(t, q)) return false;
    contacts_.place_rates(t, q);
    contacts_.place_restitutions(t, q);
    const int n = static_cast<int>(struck.size());
    response_ = DenseMatrix(model_.nq(), n);
    W_.resize(n);
    P_.assign(struck.size(), 0.0);
    for (int i = 0; i < n; ++i) {
      contacts_.add_gradient(struck[i], 1.0, response_.col(i));
      mass_.solve(response_.col(i));
      for (int k = 0; k < n; ++k) W_(k, i) = contacts_.along(struck[k], response_.col(i));
      P_[i] = -(1.0 + contacts_.restitution(struck[i])) * contacts_.rate(struck[i], v);
    }
    if (!W_.factorise()) return false;
    W_.solve(P_.data());
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < model_.nq(); ++k) v[k] += response_(k, i) * P_[i];
    return true;
  }

  double gap(int j, double t, const double* q) {
    contacts_.place_gaps(t, q);
    return contacts_.gap(j);
  }
  double gap_rate(int j, double t, const double* y) {
    contacts_.place_rates(t, y);
    return contacts_.rate(j, y + model_.nq());
  }

 private:
  const Model& model_;
  ContactKinematics<double> contacts_;
  MassFactors<double> mass_;
  DenseMatrix response_;
  DenseLu<double> W_;
  std::vector<double> P_;
};

}  // namespace ricochet
