// Kinetic angles between the gradients of gaps at one point.
#pragma once

#include <vector>

#include "core/iteration_matrix.hpp"
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
  // Of pairs sorted by their first member. Two solves a constraint.
  std::vector<Angle> of(const std::vector<ConstraintPair>& pairs);
  Angle of(int a, int b);

  bool has_diagonal_mass() const { return diagonal_; }
  const std::vector<double>& gradient() const { return H_; }
  const std::vector<double>& restitution() const { return e_; }

 private:
  double respond(int j);  // x := M⁻¹ ∇g_j; returns ⟨∇g_j, x⟩
  Angle angle(int a, int b, double W_aa, double W_bb) const;

  const Model& model_;
  const Layout& layout_;
  bool diagonal_;
  std::vector<double> M_, H_, e_, x_;
  IterationMatrix<double> factors_;
};

}  // namespace ricochet
