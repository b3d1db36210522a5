// The motion of a linear model between events, in closed form.
//
//     M v' = f(t) − K q − C v + H_S λ,   H_Sᵀ q + o_S(t) = 0 on the rows S that are held,   f, o sums of TimeTerms. (1)
//
// Held rows leave q = q_p(t) + N η with H_Sᵀ N = 0, NᵀM N = 1 and q_p = −M⁻¹H_S W⁺ o_S, W = H_Sᵀ M⁻¹ H_S; nothing can
// drift. The modes x of NᵀK N, where they make NᵀC N diagonal too, are oscillators
//
//     x'' + 2γ x' + k x = F(s) = Σ Re[a_n sⁿ e^{μs}],   λ = −γ ± √(γ² − k);                                       (2)
//
// where they do not, or K is not symmetric, all coordinates together are a power series, as in Padé's place: that is
// the matrix exponential on arcs of ‖A‖s ≤ 1.5. A term of F has one of three forms, whichever loses no digits:
//
//     direct    P e^{μs} with D P + (2μ + 2γ) P' + P'' = Σ a_n sⁿ, D = μ² + 2γμ + k, and the start values less P's
//     secular   P = Σ P_i, P_i(0) = 0, (2μ + 2γ) P_i' + P_i'' = −D P_{i−1}: near resonance, for |D/(2μ + 2γ)| s ≤ 1.5
//     series    x = e^{−γs} Σ u_n sⁿ, (n + 2)(n + 1) u_{n+2} = (γ² − k) u_n + …: near critical damping, for soft and
//     rigid
//               modes, for |√(γ² − k)| s ≤ 1.5 and |μ + γ| s ≤ 1.5
//
// Direct and secular forms are taken where P(0) and P'(0) are not much larger than the motion itself, and exponentials
// of overdamped modes only where the arc is long enough to tell them apart. Forces of held rows:
//
//     λ = −W⁺ (H_Sᵀ M⁻¹ (f − K q − C v) + o_S''),  of least norm where S is redundant.                            (3)
//
// Decompositions are kept, one a set of held rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/decompositions.hpp"
#include "flow/exponential_arc.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class LinearFlow {
 public:
  // Why a model has no closed form that is known here; empty if it has one.
  static std::string obstacle(const Model& model, double t);

  explicit LinearFlow(const Model& model);

  // The motion from t + t_low on; closed[j]: contact j is held. Joints always are. The channels of the arc: the
  // coordinates, then one a contact, its gap or, where it is held, its force. `expected`: how long the arc may be used,
  // 0 if nobody knows. False if loads are no sums of terms there.
  bool begin(double t, double t_low, const double* q, const double* v, const std::vector<char>& closed,
             double expected);
  ExponentialArc& arc() { return arc_; }
  const ExponentialArc& arc() const { return arc_; }
  double length() const { return length_; }                         // how long the arc is good for
  double fastest() const { return fastest_; }                       // of its rates, those of its series included
  const double* response(int j) const { return response_.col(j); }  // M⁻¹H_j
  // The work of loads and of damping from one place of the arc to another, in closed form. None where the arc has
  // powers of s, or where the potential, or forces without one, do more than K, C and constant loads.
  struct Works {
    double input = 0.0, damping = 0.0;
  };
  std::optional<Works> works(double from, double to);
  // The size of what adds up to gap j where the arc is placed.
  double gap_size(int j) const;
  // The size of what adds up to the force of held contact j, from the sizes of accelerations.
  double force_size(int j, const double* a) const;

 private:
  // Σ_k a_k (t − origin)^k e^{μ (t − origin)}: rows of coefficients, one row a power and so many columns.
  struct Group {
    Complex mu;
    double origin = 0.0;
    int powers = 1;
    bool is_forced = false, is_direct = false;   // whether modes, or channels, have any
    int rate = -1;                               // of the arc
    Complex phase;                               // e^{μσ} as the arc begins
    std::vector<Complex> force;                  // of the power 0, by coordinate
    std::vector<Complex> modal, direct;          // by power: modes; channels
    std::vector<Complex> modal_now, direct_now;  // the same in powers of s
    const Complex* modes(int power, int n) const { return modal_now.data() + power * n; }
  };
  struct Mode {
    double gamma = 0.0, k = 0.0, square = 0.0;  // square: γ² − k
    Complex first, second;                      // λ
    double size = 0.0;                          // largest |λ|
    enum class Kind { under, over, pair } kind = Kind::pair;
  };
  struct Decomposition {
    std::vector<char> key;
    std::vector<int> rows;  // S
    int n = 0;
    bool is_modal = true;
    DenseMatrix shapes, project;  // nq × n; n × nq: η = project (q − q_p)
    DenseMatrix K, C;             // reduced
    std::vector<Mode> modes;
    DenseMatrix watch_x, watch_v;  // nc × n: what a channel is of x and of x'
    DenseMatrix lift, inverse;     // M⁻¹H_S W⁺; W⁺
    std::vector<Group> groups;
    std::uint64_t epoch = 0;  // of the terms that the groups are from
    double spread = 0.0;      // of the power series: s ≤ 1.5/spread
  };

  Decomposition& decomposition(const std::vector<char>& closed);
  std::unique_ptr<Decomposition> decompose(const std::vector<char>& closed) const;
  void diagonalise(Decomposition& parts, const DenseMatrix& basis) const;
  void set_watches(Decomposition& parts) const;
  void set_groups(Decomposition& parts) const;
  void find_steady();
  void shift(Group& group, double t, double t_low, int n) const;
  void add_mode(const Decomposition& parts, int m, double x, double v);
  void add_series(const Decomposition& parts);
  void add_polynomial(const Decomposition& parts, int rate, const Complex& lambda, int m, const Complex* p, int degree);

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const int nq_ = layout_.nq(), nc_ = layout_.nc(), rows_ = layout_.rows.cols, channels_ = nq_ + nc_;
  DenseMatrix M_, K_, C_, H_, X_, response_;  // X: M-orthonormal; M⁻¹H
  bool symmetric_ = true;
  bool looked_ = false, steady_ = false, damped_ = false;  // works() knows what there is; C ≠ 0
  std::vector<double> l_;                                  // the constant load of the potential
  std::optional<LinearTerms> terms_;
  std::uint64_t epoch_ = 0;
  double terms_from_ = 0.0;
  std::vector<std::unique_ptr<Decomposition>> kept_;
  Decomposition* last_ = nullptr;

  ExponentialArc arc_;
  double length_ = 0.0, expected_ = 0.0, fastest_ = 0.0;
  std::vector<double> x_, v_, q_, u_;
  std::vector<Complex> p_, r_, E_, D_, CD_, Phi_;
  std::vector<char> in_series_;
};

}  // namespace ricochet
