// Newton's matrix I − h A⊗J of an implicit table's stages, kept by somebody who knows the structure of J.
#pragma once

namespace ricochet {

class StageSystem {
 public:
  virtual ~StageSystem() = default;
  // J at (t, y), for all stages. False where it cannot be told.
  virtual bool linearise(double t, const double* y) = 0;
  // False if the matrix is singular or not finite.
  virtual bool factorise(double h) = 0;
  // δ := (I − h A⊗J)⁻¹ δ, stage after stage.
  virtual void solve(double* delta) = 0;
  // noise += |h J| size, as far as round-off is concerned.
  virtual void add_noise(double h, const double* size, double* noise) const = 0;
};

}  // namespace ricochet
