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
// Frictions in the plane stick, which holds their slip U_S = H_Sᵀv + o_S = 0, that is H_Sᵀ q + ∫ o_S ds = H_Sᵀ q(0), or
// slide in a direction ±1 with λ_S = ∓μ λ_N or ∓L. A contact that slides pushes along G_N = H_N ∓ μ H_S, so that with
// G in place of H where forces act
//
//     W = H_Sᵀ M⁻¹ G,   η'' = Zᵀ(f − K q − C v) − NᵀG W⁻¹ o_S'',   Z = N − M⁻¹H_S W⁻ᵀ GᵀN,                        (4)
//
// and λ as in (3): where ZᵀK N is not symmetric any more the motion is a power series too.
//
// A compliant contact in touch pushes with −k g − κ U: k H_jH_jᵀ and κ H_jH_jᵀ are then parts of K and C.
//
// Inside, masses and forces are in a unit of mass, 1 or 2, such that √M of the same motion in other units, by powers of
// two, has the same bits.
//
// Decompositions are kept, one a set of held rows, directions and springs.
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

  // What a friction does.
  enum Slip : char { idle, sticks, slides_up, slides_down };

  // From the next arc on compliant contacts in touch push; the channel of such a contact is −g. Those with k = 0 do
  // not.
  struct Spring {
    double k = 0.0, kappa = 0.0;
    bool operator==(const Spring&) const = default;
  };
  void set_spring(int j, const Spring& spring) {
    springs_[static_cast<std::size_t>(j)] = {spring.k / unit_, spring.kappa / unit_};
  }

  // The motion from t + t_low on; closed[j]: contact j is held; behind the contacts, if there is friction, what each
  // one does. Joints are always held. The channels of the arc: the coordinates, then those that are watched: one a
  // contact, its gap or, where it is held, its force; two a friction, the slip along its direction, or bound − λ_S and
  // bound + λ_S. `expected`: how long the arc may be used, 0 if nobody knows. False if loads are no sums of terms
  // there.
  bool begin(double t, double t_low, const double* q, const double* v, const std::vector<char>& closed,
             double expected);
  ExponentialArc& arc() { return arc_; }
  const ExponentialArc& arc() const { return arc_; }
  double length() const { return length_; }    // how long the arc is good for
  double fastest() const { return fastest_; }  // of its rates, those of its series included
  double lasting() const { return lasting_; }  // of those that do not decay
  int watched() const { return watched_; }
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
    std::vector<Complex> drift, drift_now;       // o_S by power and sticking row
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
    std::vector<Spring> springs;
    DenseMatrix stiffness, damping;  // K and C, with springs
    std::vector<int> rows;           // S
    int n = 0;
    bool is_modal = true;
    DenseMatrix shapes, project;  // nq × n; n × nq: η = project (q − q_p)
    DenseMatrix K, C;             // reduced
    std::vector<Mode> modes;
    DenseMatrix watch_x, watch_v;  // what a watched channel is of x and of x'
    DenseMatrix lift, inverse;     // M⁻¹H_S W⁺ with H_S on both sides; W⁺
    bool slides = false;           // G is not H_S
    DenseMatrix G, force_lift;     // where forces act; M⁻¹H_S W⁺ᵀ
    DenseMatrix left, share;       // Z; NᵀG W⁺
    std::vector<int> sticking;     // of rows, those that stick
    std::vector<Group> groups;     // of the terms, then of what sticks on this arc
    std::size_t own_groups = 0;    // of the terms
    std::uint64_t epoch = 0;       // of the terms that the groups are from
    double spread = 0.0;           // of the power series: s ≤ 1.5/spread
  };

  Decomposition& decomposition(const std::vector<char>& closed);
  std::unique_ptr<Decomposition> decompose(const std::vector<char>& closed) const;
  void diagonalise(Decomposition& parts, const DenseMatrix& basis) const;
  void set_watches(Decomposition& parts) const;
  void set_groups(Decomposition& parts) const;
  // What terms are given by: f by coordinate, o by row, bounds by friction; one row a power.
  struct Terms {
    std::vector<Complex> f, o, bounds;
  };
  void set_group(const Decomposition& parts, Group& group, Terms terms) const;
  void set_sticking(Decomposition& parts, const double* q) const;
  DenseMatrix left_of(const Decomposition& parts, const DenseMatrix& N) const;
  void push_slides(Decomposition& parts, const DenseMatrix& H) const;
  int index_of(const Decomposition& parts, int row) const;
  Slip slip_of(const Decomposition& parts, int k) const {
    const std::size_t at = static_cast<std::size_t>(nc_ + k);
    return at < parts.key.size() ? static_cast<Slip>(parts.key[at]) : idle;
  }
  void find_steady();
  void shift(Group& group, double t, double t_low, int n) const;
  void add_mode(const Decomposition& parts, int m, double x, double v);
  void add_series(const Decomposition& parts);
  void add_polynomial(const Decomposition& parts, int rate, const Complex& lambda, int m, const Complex* p, int degree);

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const int nq_ = layout_.nq(), nc_ = layout_.nc(), nf_ = layout_.nf(), rows_ = layout_.rows.cols;
  const int slips_ = nc_ + layout_.nb();  // the first of them; in the plane one a friction
  const int watched_ = nc_ + 2 * nf_, channels_ = nq_ + watched_;
  double unit_ = 1.0;                         // of mass
  DenseMatrix M_, K_, C_, H_, X_, response_;  // X: M-orthonormal; M⁻¹H
  std::vector<double> mu_;                    // of frictions of contacts
  std::vector<Spring> springs_ = std::vector<Spring>(static_cast<std::size_t>(nc_));
  bool looked_ = false, steady_ = false, damped_ = false;  // works() knows what there is; C ≠ 0
  std::vector<double> l_;                                  // the constant load of the potential
  std::optional<LinearTerms> terms_;
  std::uint64_t epoch_ = 0;
  double terms_from_ = 0.0;
  std::vector<std::unique_ptr<Decomposition>> kept_;
  Decomposition* last_ = nullptr;

  ExponentialArc arc_;
  double length_ = 0.0, expected_ = 0.0, fastest_ = 0.0, lasting_ = 0.0;
  std::vector<double> x_, v_, q_, u_;
  std::vector<Complex> p_, r_, E_, D_, CD_, Phi_;
  std::vector<char> in_series_;
};

}  // namespace ricochet
