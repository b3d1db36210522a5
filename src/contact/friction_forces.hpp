// Forces of closed contacts, joints and frictions at acceleration level,
//
//     Γ = b + W λ,   Γ = 0 on joints,   0 ≤ Γ_N ⊥ λ_N ≥ 0 on closed contacts,
//     λ_S = −μ λ_N s (or −L s) on those that slide,   −λ_S ∈ μ λ_N ∂‖Γ_S‖ (or L ∂‖Γ_S‖) on those that rest,
//
// W = Hᵀ M⁻¹ H of all rows, b the accelerations without these forces. solve() has the modes given and everything closed
// that is named; choose() finds them. With sliding contacts the matrix H_N − μ H_S s makes is not symmetric, and there
// may be no solution or two (Painlevé): of two, the one with the contact open is taken, as the other one is unstable
// under any compliance.
#pragma once

#include <vector>

#include "contact/delassus.hpp"
#include "contact/friction_modes.hpp"
#include "core/mask_array.hpp"
#include "core/semidefinite_solve.hpp"
#include "core/zeros.hpp"

namespace ricochet {

class FrictionForces {
 public:
  FrictionForces(const Layout& layout, const ComplementaritySettings& solver);

  struct Problem {
    const Delassus<double>& delassus;  // with the columns of all rows that act
    const bool* closed;                // of contacts
    const double* b;                   // by rows
    const double* size;                // of the terms that b is a sum of
    const double* bounds;              // μ or L, one a friction
  };

  // λ of all rows. False if the modes contradict each other.
  bool solve(const Problem& problem, const FrictionModes& modes, double* lambda);
  // Those that rest get a mode; contacts that open have λ = 0 and their frictions no mode. False if there is no λ.
  bool choose(const Problem& problem, FrictionModes& modes, double* lambda);

  // After choose() or solve(): the sliding contact that would have to push without end, or pull: A = W_NN − μ s·W_NS ≤
  // 0 and b_N; −1 if that is not the matter. Of a solution: the contact that opened although it might have gone on
  // sliding.
  struct Paradox {
    int contact = -1;
    double A = 0.0, b = 0.0;
  };
  const Paradox& paradox() const { return paradox_; }

 private:
  struct Option {
    bool closed;
    FrictionMode mode;
    FrictionModes::Direction s;
  };
  struct Choice {
    int contact, friction;  // −1: none
    int first, count;       // of options_
  };
  void load(const Problem& problem, const FrictionModes& modes);
  double W(int i, int j) const { return W_[static_cast<std::size_t>(j) * nr_ + i]; }
  // W_ij along which contact j pushes.
  double pushed(int i, int j, const FrictionModes& modes, const double* bounds) const;
  // Γ_i without contacts: b and the slides of known limit.
  double free_acceleration(int i, const Problem& problem, const FrictionModes& modes) const;
  // λ of slides, from that of their contacts.
  void push_slides(const Problem& problem, const FrictionModes& modes, const bool* closed, double* lambda) const;
  double acceleration(int i, const Problem& problem, const double* lambda) const;
  double largest_push(const double* lambda) const;
  // λ changes by the least that solves the problem.
  bool solve_loaded(const Problem& problem, const FrictionModes& modes, const bool* closed, double* lambda);
  bool is_valid(const Problem& problem, const FrictionModes& before, const FrictionModes& modes, const bool* closed,
                const double* lambda);
  void list_options(const Problem& problem, const FrictionModes& modes);
  bool enumerate(const Problem& problem, const FrictionModes& before, double* lambda);
  bool solve_cones(const Problem& problem, FrictionModes& modes, double* lambda);
  void note_opened_slide(const Problem& problem, const FrictionModes& before);
  void find_paradox(const Problem& problem, const FrictionModes& modes);

  const int nc_, held_, nr_;
  ComplementaritySettings settings_;
  ComplementarityWorkspace workspace_;
  SemidefiniteSolve system_;
  std::vector<double> W_ = zeros(nr_ * nr_), local_W_, local_b_, local_P_, local_bounds_;
  std::vector<int> index_;
  std::vector<Cone> cones_;
  std::vector<Choice> choices_;
  std::vector<Option> options_;
  std::vector<int> picked_;
  FrictionModes trial_;
  MaskArray<double> trial_closed_{nc_}, acting_{nr_};
  std::vector<double> scale_ = zeros(nr_);
  double size_ = 0.0;  // of b, in units of √W_ii
  Paradox paradox_;
};

}  // namespace ricochet
