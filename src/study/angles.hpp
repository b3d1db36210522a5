// Kinetic angles between the gradients of gaps at one point.
#pragma once

#include <vector>

#include "contact/impact_law.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {

class Angles {
 public:
  explicit Angles(const Model& model);

  // False if the mass is not positive definite there, or something is not finite.
  bool place(double t, const double* q);

  struct Angle {
    double product = 0.0, cosine = 0.0;  // cosine 0 where a gradient vanishes
    double e = 0.0;                      // the larger restitution of the two
  };
  // Of pairs sorted by their first member.
  std::vector<Angle> of(const std::vector<ConstraintPair>& pairs);
  Angle of(int a, int b);

  bool has_diagonal_mass() const { return diagonal_; }
  const double* gradient() const { return law_.contacts().gradients(); }

 private:
  Angle angle(int a, int b, double product) const;

  ImpactLaw law_;
  const bool diagonal_;
  const int nc_;
  std::vector<double> column_;  // of W
};

}  // namespace ricochet
