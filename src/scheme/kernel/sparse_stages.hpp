// The stages of an implicit table for large systems: with y = (q, v), and joints and contacts held by Gᵀa + c = 0,
//
//     J δy = (δv, δa),   M δa = −K δq − C δv + H δλ,   Gᵀδa = 0,
//
// as derivatives of M, H and c, which vanish for linear models, are left out. With δq_i = ρ_i + h Σ_j a_ij δv_j and
// μ_i = h Σ_j a_ij δλ_j the increments of (I − h A⊗J) δ = (ρ, σ) solve
//
//     M δv_i + Σ_j (h a_ij C + h² (A²)_ij K) δv_j − H μ_i = M σ_i − h Σ_j a_ij K ρ_j,   Gᵀδv_i = Gᵀσ_i,
//
// a sparse matrix wherever M, C and K are. Contacts that are open have μ = 0, slides μ_S = −μ s μ_N.
#pragma once

#include <vector>

#include "contact/contact_kinematics.hpp"
#include "core/iteration_matrix.hpp"
#include "ricochet/runge_kutta/tableau.hpp"
#include "runge_kutta/stage_system.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"

namespace ricochet {

class SparseStages final : public StageSystem {
 public:
  // Borrows the flow: it says what is held.
  SparseStages(const Model& model, const Tableau& tableau, const HeldContactsOde& flow);

  bool linearise(double t, const double* y) override;
  bool factorise(double h) override;
  void solve(double* delta) override;
  void add_noise(double h, const double* size, double* noise) const override;

 private:
  // An entry beside M, C and K: of Gᵀ, of −H, of the diagonal of μ, or of a slide's slip in the column of its contact.
  struct RowEntry {
    enum class Kind { rate, push, own, slide } kind;
    int row, column;  // of the whole matrix
    int source;       // entry of H, or slip
    int of;           // row of the contacts
  };
  void list_rows();
  void place_rows(double t, const double* q);
  int place(int coordinate, int stage) const { return coordinate * stages_ + stage; }
  int place_of_row(int r, int stage) const { return (nq_ + r) * stages_ + stage; }

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const Tableau& tableau_;
  const HeldContactsOde& flow_;
  const int nq_ = model_.nq(), nr_ = layout_.rows.cols, stages_ = tableau_.stages;
  ContactKinematics<double> contacts_{model_};
  std::vector<double> M_ = zeros(layout_.mass.size()), C_ = zeros(layout_.damping.size()),
                      K_ = zeros(layout_.stiffness.size()), M_diagonal_ = zeros(nq_);
  std::vector<double> A_, A_squared_, identity_;  // of the table, by rows
  Pattern mass_, damping_, stiffness_, rows_;     // of the whole matrix
  std::vector<double> M_stages_, C_stages_, K_stages_, row_values_;
  std::vector<RowEntry> row_entries_;
  std::vector<bool> holds_;     // rows whose rate does not change
  std::vector<double> slides_;  // μ s of slips that slide
  IterationMatrix<double> matrix_;
  std::vector<double> x_ = zeros((nq_ + nr_) * stages_), Ky_ = zeros(nq_);
  double h_ = 0.0;
};

}  // namespace ricochet
