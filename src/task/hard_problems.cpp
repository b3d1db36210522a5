// FCLIB's contacts all have one normal and `spacedim` − 1 tangents. What has fewer rows gets further ones that nothing
// is coupled with, W_ii that of its own row and q_i = 0, whose impulse is 0. Dry friction with the limit L is a contact
// with μ = 1 and a normal of its own, u_N = W_ii (r_N − L): r_N = L.
#include "ricochet/task/hard_problems.hpp"

#include <string>

namespace ricochet {
namespace {

class Conversion {
 public:
  explicit Conversion(const HardProblems::Entry& entry) : entry_(entry), n_(static_cast<int>(entry.cones.size())) {
    kept_.t = entry.t;
    kept_.result = entry.result;
    own_.assign(entry.cones.size(), 1.0);
    for (std::size_t k = 0; k < entry.W.size(); ++k)
      if (entry.row[k] == entry.col[k]) own_[entry.row[k]] = entry.W[k];
    problem().spacedim = 2;
    for (int i = 0; i < n_; ++i)
      if (tangents(i) + (entry.cones[i] == Cone::disc) > 1) problem().spacedim = 3;
    place_rows();
    couple_rows();
    find_rates();
  }

  KeptProblem& kept() { return kept_; }

 private:
  io::FclibProblem& problem() { return kept_.problem; }
  int tangents(int i) const {
    int count = 0;
    while (i + 1 + count < n_ && entry_.cones[i + 1 + count] == Cone::tangent) ++count;
    return count;
  }
  static void put(io::FclibMatrix& A, int row, int col, double x) {
    A.p.push_back(row);
    A.i.push_back(col);
    A.x.push_back(x);
    A.nz = static_cast<int>(A.x.size());
  }

  // Where row i is: of the contacts, or of the equations, which are −1, −2, …
  void place_rows() {
    place_.assign(entry_.cones.size(), 0);
    for (int i = 0; i < n_; ++i) {
      if (entry_.cones[i] == Cone::free) {
        problem().s.push_back(entry_.b[i]);
        kept_.solution.l.push_back(entry_.P[i]);
        place_[i] = -static_cast<int>(problem().s.size());
      } else if (entry_.cones[i] != Cone::tangent) {
        place_contact(i);
      }
    }
    const int rows = static_cast<int>(problem().q.size()), equations = static_cast<int>(problem().s.size());
    problem().W.rows = problem().W.cols = problem().V.rows = rows;
    problem().V.cols = problem().R.rows = problem().R.cols = equations;
  }

  void place_contact(int i) {
    const int base = static_cast<int>(problem().q.size()), dimension = problem().spacedim;
    const bool is_dry = entry_.cones[i] == Cone::disc;
    const double bound = entry_.cones[i] == Cone::nonnegative ? 0.0 : entry_.bounds[i];
    problem().mu.push_back(is_dry ? 1.0 : bound);
    problem().q.resize(problem().q.size() + dimension, 0.0);
    kept_.solution.r.resize(problem().q.size(), 0.0);
    const int first = is_dry ? 1 : 0, count = 1 + tangents(i);
    for (int k = 0; k < count; ++k) {
      place_[i + k] = base + first + k;
      problem().q[base + first + k] = entry_.b[i + k];
      kept_.solution.r[base + first + k] = entry_.P[i + k];
    }
    const double own = own_[i + count - 1];
    for (int k = first + count; k < dimension; ++k) put(problem().W, base + k, base + k, own);
    if (!is_dry) return;
    put(problem().W, base, base, own);
    problem().q[base] = -own * bound;
    kept_.solution.r[base] = bound;
  }

  void couple_rows() {
    for (std::size_t k = 0; k < entry_.W.size(); ++k) {
      const int i = place_[entry_.row[k]], j = place_[entry_.col[k]];
      if (i >= 0 && j >= 0) put(problem().W, i, j, entry_.W[k]);
      if (i >= 0 && j < 0) put(problem().V, i, -1 - j, entry_.W[k]);
      if (i < 0 && j < 0) put(problem().R, -1 - i, -1 - j, entry_.W[k]);
    }
  }

  // u = W r + V λ + q
  void find_rates() {
    std::vector<double>& u = kept_.solution.u;
    u = problem().q;
    io::each_entry(problem().W, [&](int i, int j, double x) { u[i] += x * kept_.solution.r[j]; });
    io::each_entry(problem().V, [&](int i, int j, double x) { u[i] += x * kept_.solution.l[j]; });
  }

  const HardProblems::Entry& entry_;
  const int n_;
  std::vector<double> own_;  // W_ii
  std::vector<int> place_;
  KeptProblem kept_;
};

}  // namespace

KeptProblem kept_problem(const HardProblems::Entry& entry) { return std::move(Conversion(entry).kept()); }

std::vector<std::filesystem::path> problem_files(const std::filesystem::path& result, int count) {
  std::vector<std::filesystem::path> files;
  for (int k = 1; k <= count; ++k)
    files.push_back(result.parent_path() / (result.stem().string() + "-problem-" + std::to_string(k) + ".hdf5"));
  return files;
}

}  // namespace ricochet
