// Two or three planar blocks by all their statuses: a contact is open, sticks or slides to one of two sides; without
// friction it is open or closed; dry friction sticks or slides. With its status the impulse of a block is known from
// those of the blocks after it,
//
//     P_k = −(X P_after + x),   and   U_after = (A − A_k X) P_after + (r − A_k x)                                  (1)
//
// is the problem that is left. So block after block leaves it: 4 + 4² (+ 4³) small eliminations. What keeps the laws of
// all blocks is a solution. Of several the one nearest to the P given is taken, and told if they move differently.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr int most_rows = 6;
constexpr std::size_t most_blocks = 3;

enum class BlockStatus { open, stick, slide_forward, slide_backward };

// U = A P + r of `rows` rows, those of the blocks from one on; r is column `rows` of A.
struct Left {
  int rows;
  double A[most_rows][most_rows + 1];
};
// (1) of one block, x behind X
struct Impulse {
  double X[2][most_rows + 1];
};

class Enumeration {
 public:
  Enumeration(const ScaledProblem& problem, const double* guess)
      : problem_(problem), guess_(guess), blocks_(problem.blocks().data()), count_(problem.blocks().size()) {}

  bool is_for_it() {
    if (count_ < 2 || count_ > most_blocks || !is_planar(problem_)) return false;
    const int n = problem_.n();
    all_.rows = n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) all_.A[i][j] = problem_.values()[j * n + i];
      all_.A[i][n] = problem_.b()[i];
    }
    return is_regular();
  }
  // False if no status keeps all laws.
  bool solve() {
    search(0, all_);
    return nearest_ < HUGE_VAL;
  }
  const double* P() const { return best_P_; }
  bool is_unique() const { return is_unique_; }

 private:
  // Where several contacts hold what one could, forces are a choice, and not a question of statuses.
  bool is_regular() const {
    constexpr double least_pivot = 1e-8;
    Left left = all_;
    for (int k = 0; k < left.rows; ++k) {
      const double* row = left.A[k];
      if (!(row[k] > least_pivot)) return false;
      const double inverse = 1.0 / row[k];
      for (int i = k + 1; i < left.rows; ++i) {
        const double factor = left.A[i][k] * inverse;
        for (int j = k + 1; j < left.rows; ++j) left.A[i][j] -= factor * row[j];
      }
    }
    return true;
  }

  void search(std::size_t k, const Left& left) {
    const Block& block = blocks_[k];
    const int size = block.size, after = left.rows - size;
    lefts_[k] = &left;
    for (const BlockStatus status :
         {BlockStatus::open, BlockStatus::stick, BlockStatus::slide_forward, BlockStatus::slide_backward}) {
      if (!eliminate(block, status, left, impulses_[k])) continue;
      statuses_[k] = status;
      if (k + 1 == count_) {
        try_statuses();
        continue;
      }
      Left next;
      next.rows = after;
      for (int i = 0; i < after; ++i) {
        const double* row = left.A[size + i];
        for (int j = 0; j <= after; ++j) next.A[i][j] = row[size + j];
        if (status == BlockStatus::open) continue;
        for (int l = 0; l < size; ++l)
          for (int j = 0; j <= after; ++j) next.A[i][j] -= row[l] * impulses_[k].X[l][j];
      }
      search(k + 1, next);
    }
  }

  static double side(BlockStatus status) { return status == BlockStatus::slide_forward ? 1.0 : -1.0; }

  // False if the block has no such status.
  static bool eliminate(const Block& block, BlockStatus status, const Left& left, Impulse& impulse) {
    const int n = block.size, after = left.rows - n;
    const bool is_disc = block.cone == Cone::disc, slides = status > BlockStatus::stick;
    double *X = impulse.X[0], *Y = impulse.X[1];
    const double *a = left.A[0], *c = left.A[1];
    if (status == BlockStatus::open || (is_disc && slides)) {
      if (is_disc && !slides) return false;
      std::fill(X, X + after + 1, 0.0);
      if (n == 2) std::fill(Y, Y + after + 1, 0.0);
      if (is_disc) X[after] = side(status) * block.bound;  // P = −s L
      return true;
    }
    if (n == 1 || slides) {  // U_N = 0 with P_T = −s μ P_N
      if (n == 1 && slides) return false;
      const double tangent = n == 1 ? 0.0 : -side(status) * block.bound;
      const double pivot = n == 1 ? a[0] : a[0] + tangent * a[1];
      if (pivot == 0.0) return false;
      const double inverse = 1.0 / pivot;
      for (int j = 0; j <= after; ++j) X[j] = a[n + j] * inverse;
      for (int j = 0; j <= after && n == 2; ++j) Y[j] = tangent * X[j];
      return true;
    }
    const double det = a[0] * c[1] - a[1] * c[0];
    if (det == 0.0) return false;
    const double inverse = 1.0 / det;
    for (int j = 0; j <= after; ++j) {
      X[j] = (c[1] * a[n + j] - a[1] * c[n + j]) * inverse;
      Y[j] = (a[0] * c[n + j] - c[0] * a[n + j]) * inverse;
    }
    return true;
  }

  // The blocks from the last to the first, as long as they keep their laws.
  void try_statuses() {
    double P[most_rows];
    double push = 0.0;
    for (std::size_t k = count_; k-- > 0;) {
      const Block& block = blocks_[k];
      const int after = problem_.n() - block.first - block.size;
      const double* P_after = P + block.first + block.size;
      for (int i = 0; i < block.size; ++i) {
        double sum = impulses_[k].X[i][after];
        for (int j = 0; j < after; ++j) sum += impulses_[k].X[i][j] * P_after[j];
        P[block.first + i] = -sum;
        push = std::max(push, std::abs(sum));
      }
      if (!keeps_its_law(block, statuses_[k], *lefts_[k], P + block.first, push)) return;
    }
    take(P);
  }

  bool keeps_its_law(const Block& block, BlockStatus status, const Left& left, const double* P, double push) const {
    constexpr double round_off = 1e-13;
    const double slack = round_off * (push + problem_.size());
    const bool is_contact = block.cone == Cone::coulomb;
    const auto rate = [&](int i) {
      double U = left.A[i][left.rows];
      for (int j = 0; j < left.rows; ++j) U += left.A[i][j] * P[j];
      return U;
    };
    if (status == BlockStatus::open) return rate(0) >= -slack;
    if (block.cone != Cone::disc && !(P[0] >= -slack)) return false;
    if (status != BlockStatus::stick) return side(status) * rate(is_contact ? 1 : 0) >= -slack;
    if (block.cone == Cone::nonnegative) return true;
    return std::abs(P[is_contact ? 1 : 0]) <= block.bound * (is_contact ? P[0] : 1.0) + slack;
  }

  // One more solution: another motion, or another name of one that is known.
  void take(const double* P) {
    constexpr double another = 1e-8;
    const int n = problem_.n();
    double U[most_rows], distance = 0.0;
    for (int i = 0; i < n; ++i) {
      U[i] = all_.A[i][n];
      for (int j = 0; j < n; ++j) U[i] += all_.A[i][j] * P[j];
      distance += (P[i] - guess_[i]) * (P[i] - guess_[i]);
      if (nearest_ < HUGE_VAL) is_unique_ = is_unique_ && std::abs(U[i] - best_U_[i]) <= another * problem_.size();
    }
    if (!(distance < nearest_)) return;
    nearest_ = distance;
    std::copy(P, P + n, best_P_);
    std::copy(U, U + n, best_U_);
  }

  const ScaledProblem& problem_;
  const double* guess_;
  const Block* blocks_;
  const std::size_t count_;
  Left all_;
  const Left* lefts_[most_blocks];
  Impulse impulses_[most_blocks];
  BlockStatus statuses_[most_blocks];
  double best_P_[most_rows], best_U_[most_rows], nearest_ = HUGE_VAL;
  bool is_unique_ = true;
};

// Round-off leaves P_N ≥ 0 and |P_T| ≤ μ P_N.
void clip(const Block& block, double* P) {
  const auto within = [](double x, double bound) { return std::max(-bound, std::min(bound, x)); };
  if (block.cone != Cone::disc) P[0] = std::max(0.0, P[0]);
  if (block.cone == Cone::coulomb) P[1] = within(P[1], block.bound * P[0]);
  if (block.cone == Cone::disc) P[0] = within(P[0], block.bound);
}

}  // namespace

bool enumerate_blocks(const SolverOptions& settings, ComplementarityMemory& memory, ComplementarityResult& result) {
  ScaledProblem& problem = memory.scaled;
  Enumeration statuses(problem, memory.scaled_P.data());
  if (!statuses.is_for_it() || !statuses.solve()) return false;
  memory.pivot_P.assign(statuses.P(), statuses.P() + problem.n());
  for (const Block& block : problem.blocks()) clip(block, memory.pivot_P.data() + block.first);
  problem.rates(memory.pivot_P.data(), memory.scaled_U.data());
  result = {};
  result.residual = problem.residual(memory.pivot_P.data(), memory.scaled_U.data(), settings.tolerance);
  result.is_unique = statuses.is_unique();
  if (!(result.residual <= settings.tolerance)) return false;
  std::copy(memory.pivot_P.begin(), memory.pivot_P.end(), memory.scaled_P.begin());
  return true;
}

}  // namespace ricochet
