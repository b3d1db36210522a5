#include "contact/sparse_delassus.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {

bool SparseDelassus::is_wanted(int n, int nr, const ComplementaritySettings& settings) {
  constexpr double most_entries = 8e6;  // of M̂⁻¹H: 64 MB
  if (nr == 0 || settings.matrix == ContactMatrix::dense) return false;
  return settings.matrix == ContactMatrix::sparse || nr > few || static_cast<double>(n) * nr > most_entries;
}

SparseDelassus::SparseDelassus(int n, const Pattern& gradient, std::vector<Cone> cones,
                               const ComplementaritySettings& settings)
    : n_(n),
      nr_(gradient.cols),
      gradient_(gradient),
      cones_(std::move(cones)),
      settings_(settings),
      few_(settings.matrix == ContactMatrix::sparse ? 1 : few),
      local_of_(static_cast<std::size_t>(nr_), -1),
      last_P_(static_cast<std::size_t>(nr_), -1.0),
      x_(static_cast<std::size_t>(n), 0.0),
      column_(static_cast<std::size_t>(nr_), 0.0) {
  index_.reserve(static_cast<std::size_t>(nr_));
  local_index_.reserve(static_cast<std::size_t>(nr_));
  local_W_.reserve(static_cast<std::size_t>(few_) * static_cast<std::size_t>(few_));
  local_b_.reserve(static_cast<std::size_t>(few_));
  local_P_.reserve(static_cast<std::size_t>(few_));
  local_cones_.reserve(cones_.size());
  local_bounds_.reserve(cones_.size());
}

void SparseDelassus::set(const ImpulseResponse& response, const double* H) {
  H_ = H;
  W_formed_ = local_formed_ = own_known_ = false;
  const bool same = response_.matrix == response.matrix && response_.copies == response.copies;
  response_ = response;
  if (same) return;
  diagonal_response_ = response.matrix != nullptr && response.copies == 1 && is_diagonal(*response.matrix);
  if (diagonal_response_ && !product_known_) find_product();
  if (has_schur() && copied_.rows != n_ * response.copies) copy_gradient();
}

// The pattern of HᵀH; not where a coordinate that many constraints share would make it full.
void SparseDelassus::find_product() {
  product_known_ = true;
  row_start_.assign(static_cast<std::size_t>(n_) + 1, 0);
  for (const int i : gradient_.row) ++row_start_[static_cast<std::size_t>(i) + 1];
  double products = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
    products += static_cast<double>(row_start_[i + 1]) * row_start_[i + 1];
    row_start_[i + 1] += row_start_[i];
  }
  product_is_sparse_ = products <= 64.0 * (gradient_.size() + nr_);
  if (!product_is_sparse_) return;
  row_column_.resize(static_cast<std::size_t>(gradient_.size()));
  row_entry_.resize(row_column_.size());
  std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
  for (int j = 0; j < nr_; ++j)
    for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k) {
      const int place = next[gradient_.row[k]]++;
      row_column_[place] = j;
      row_entry_[place] = k;
    }

  product_ = {nr_, nr_, {0}, {}};
  std::vector<int> rows;
  const auto each_product = [&](int j, const auto& use) {
    for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k)
      for (int p = row_start_[gradient_.row[k]]; p < row_start_[gradient_.row[k] + 1]; ++p) use(row_column_[p]);
  };
  for (int j = 0; j < nr_; ++j) {
    rows.assign(1, j);
    each_product(j, [&](int i) { rows.push_back(i); });
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const int begin = product_.start.back();
    product_.row.insert(product_.row.end(), rows.begin(), rows.end());
    product_.start.push_back(static_cast<int>(product_.row.size()));
    each_product(j, [&](int i) {
      target_.push_back(begin + static_cast<int>(std::lower_bound(rows.begin(), rows.end(), i) - rows.begin()));
    });
  }
  W_.resize(product_.row.size());
  masked_W_.resize(product_.row.size());
  masked_index_.reserve(static_cast<std::size_t>(nr_));
  root_.resize(static_cast<std::size_t>(nr_));
  b_.resize(static_cast<std::size_t>(nr_));
}

// H once, or below itself for two copies.
void SparseDelassus::copy_gradient() {
  copied_ = {n_ * response_.copies, nr_, {0}, {}};
  for (int j = 0; j < nr_; ++j) {
    for (int copy = 0; copy < response_.copies; ++copy)
      for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k)
        copied_.row.push_back(gradient_.row[k] + copy * n_);
    copied_.start.push_back(static_cast<int>(copied_.row.size()));
  }
  masked_H_.assign(copied_.row.size(), 0.0);
  scale_.assign(static_cast<std::size_t>(n_ * response_.copies), 0.0);
  b_.resize(static_cast<std::size_t>(nr_));
}

// W_ij = Σ_k H_ki X̂_k H_kj
void SparseDelassus::form_sparse() {
  if (W_formed_) return;
  W_formed_ = true;
  ++revision_;
  masked_index_.clear();
  std::fill(W_.begin(), W_.end(), 0.0);
  std::size_t product = 0;
  for (int j = 0; j < nr_; ++j)
    for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k) {
      const int i = gradient_.row[k];
      const double x = H_[k] / response_.A[i];
      for (int p = row_start_[i]; p < row_start_[i + 1]; ++p) W_[target_[product++]] += H_[row_entry_[p]] * x;
    }
}

// Those that may push, and their part of W.
void SparseDelassus::gather(const bool* active) {
  index_.clear();
  for (int j = 0; j < nr_; ++j)
    if (active[j]) index_.push_back(j);
}

void SparseDelassus::form_local() {
  if (local_formed_ && local_index_ == index_) return;
  local_formed_ = true;
  local_index_.assign(index_.begin(), index_.end());
  const std::size_t m = index_.size();
  local_W_.assign(m * m, 0.0);
  local_b_.resize(m);
  local_P_.resize(m);
  if (has_sparse_W()) {
    form_sparse();
    for (std::size_t i = 0; i < m; ++i) local_of_[index_[i]] = static_cast<int>(i);
    for (std::size_t j = 0; j < m; ++j)
      for (int k = product_.start[index_[j]]; k < product_.start[index_[j] + 1]; ++k)
        if (const int i = local_of_[product_.row[k]]; i >= 0) local_W_[j * m + static_cast<std::size_t>(i)] = W_[k];
    for (const int j : index_) local_of_[j] = -1;
    return;
  }
  for (std::size_t j = 0; j < m; ++j) {
    const double* x = push_unit(index_[j]);
    for (std::size_t i = 0; i < m; ++i) local_W_[j * m + i] = column_dot(gradient_, H_, index_[i], x);
  }
}

// Rows that are switched off keep their diagonal and get a positive b, of the size of the others, or 0 where they are
// those of joints: P = 0.
ComplementarityProblem SparseDelassus::sparse_problem(const bool* active, const double* b) {
  form_sparse();
  if (static_cast<int>(index_.size()) == nr_)
    return {nr_, SparseForm{&product_, W_.data(), revision_}, b, cones(), bounds_};
  if (masked_index_ != index_) mask_sparse(active);
  double size = 0.0;
  for (const int j : index_) size = std::max(size, std::abs(b[j]) / root_[j]);
  for (int j = 0; j < nr_; ++j) b_[j] = active[j] ? b[j] : is_contact(j) ? size * root_[j] : 0.0;
  return {nr_, SparseForm{&product_, masked_W_.data(), revision_}, b_.data(), cones(), bounds_};
}

void SparseDelassus::mask_sparse(const bool* active) {
  ++revision_;
  masked_index_.assign(index_.begin(), index_.end());
  for (int j = 0; j < nr_; ++j)
    for (int k = product_.start[j]; k < product_.start[j + 1]; ++k) {
      const int i = product_.row[k];
      masked_W_[k] = i == j ? (W_[k] > 0.0 ? W_[k] : 1.0) : active[i] && active[j] ? W_[k] : 0.0;
      if (i == j) root_[j] = std::sqrt(masked_W_[k]);
      if (i == j && active[j]) masked_W_[k] = W_[k];
    }
}

// Here a row that is switched off has no gradient, and the scale of such rows is 1.
ComplementarityProblem SparseDelassus::schur_problem(const bool* active, const double* b) {
  const Pattern& A = *response_.matrix;
  for (int j = 0; j < A.cols; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k)
      if (A.row[k] == j) scale_[j] = response_.A[k];
  double size = 0.0;
  int place = 0;
  for (int j = 0; j < nr_; ++j) {
    double own_size = 0.0;
    for (int copy = 0; copy < response_.copies; ++copy)
      for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k, ++place) {
        masked_H_[place] = active[j] ? H_[k] : 0.0;
        own_size += masked_H_[place] * masked_H_[place] / scale_[copied_.row[place]];
      }
    if (own_size > 0.0) size = std::max(size, std::abs(b[j]) / std::sqrt(own_size));
  }
  for (int j = 0; j < nr_; ++j) b_[j] = active[j] ? b[j] : is_contact(j) ? size : 0.0;
  const LinearSolve* answer = response_.copies > 1 ? &doubled_ : response_.answer;
  return {nr_, SchurForm{response_.matrix, response_.A, &copied_, masked_H_.data(), answer}, b_.data(), cones(),
          bounds_};
}

void SparseDelassus::Doubled::solve(double* x) const {
  system_.response_.answer->solve(x);
  std::fill(x + system_.n_, x + 2 * system_.n_, 0.0);
}

ComplementarityProblem SparseDelassus::problem(const bool* active, const double* b) {
  return has_sparse_W() ? sparse_problem(active, b) : schur_problem(active, b);
}

bool SparseDelassus::solve_local(const double* b, double* P) {
  form_local();
  settings_.warm_start = true;
  const int m = static_cast<int>(index_.size());
  if (m == 1 && is_contact(index_[0])) {
    const int j = index_[0];
    P[j] = std::max(0.0, -b[j] / local_W_[0]);
    return local_W_[0] > 0.0;
  }
  local_cones_.clear();
  local_bounds_.clear();
  for (int i = 0; i < m; ++i) {
    local_b_[i] = b[index_[i]];
    local_P_[i] = std::max(0.0, last_P_[index_[i]]);
    if (!cones_.empty()) local_cones_.push_back(cones_[index_[i]]);
    if (bounds_ != nullptr) local_bounds_.push_back(bounds_[index_[i]]);
  }
  const ComplementarityProblem local{m, DenseForm{local_W_.data()}, local_b_.data(),
                                     cones_.empty() ? nullptr : local_cones_.data(), local_bounds_.data()};
  last_result_ = ricochet::solve(local, settings_, workspace_, local_P_.data());
  for (int i = 0; i < m; ++i) P[index_[i]] = last_P_[index_[i]] = local_P_[i];
  return last_result_.status == ComplementarityStatus::solved;
}

// The guess: what pushed last time, if anything did; contacts that are new push if b < 0.
bool SparseDelassus::solve_whole(const bool* active, const double* b, double* P) {
  settings_.warm_start = false;
  for (int j = 0; j < nr_; ++j) {
    if (!active[j]) {
      last_P_[j] = -1.0;
      continue;
    }
    P[j] = is_contact(j) && last_P_[j] < 0.0 ? std::max(0.0, -b[j]) : last_P_[j];
    settings_.warm_start = settings_.warm_start || last_P_[j] > 0.0;
  }
  last_result_ = ricochet::solve(problem(active, b), settings_, workspace_, P);
  for (int j = 0; j < nr_; ++j) {
    if (!active[j]) P[j] = 0.0;
    if (active[j]) last_P_[j] = P[j];
  }
  return last_result_.status == ComplementarityStatus::solved;
}

bool SparseDelassus::solve(const bool* active, const double* b, double* P, const double* bounds) {
  constexpr int rescued = 500;  // that a dense solver may still try
  bounds_ = bounds;
  gather(active);
  std::fill(P, P + nr_, 0.0);
  if (index_.empty()) return true;
  const int m = static_cast<int>(index_.size());
  const bool structured = has_sparse_W() || has_schur();
  if (keeps_local() || (!structured && m <= most_formed)) return solve_local(b, P);
  if (!structured) {
    last_result_ = {ComplementarityStatus::not_supported, 0.0, 0};
    return false;
  }
  if (solve_whole(active, b, P)) return true;
  if (m > rescued) return false;
  std::fill(P, P + nr_, 0.0);
  return solve_local(b, P);
}

bool SparseDelassus::solve_equalities(const bool* active, const double* target, double* P) {
  gather(active);
  std::fill(P, P + nr_, 0.0);
  if (index_.empty()) return true;
  ComplementarityMemory& memory = workspace_.memory();
  memory.tolerance = 1e-10;
  const auto solve_on = [&](const ComplementarityProblem& given, const auto& is_active, double* x) {
    NewtonSystem& system = system_of(given, memory);
    set_scale(given, system, memory);
    memory.active.resize(static_cast<std::size_t>(given.n));
    for (int i = 0; i < given.n; ++i) memory.active[i] = is_active(i);
    return solve_on_active(given, system, memory, size_of_b(given, memory), 0.0, x);
  };
  const int m = static_cast<int>(index_.size());
  if (keeps_local() || (!has_sparse_W() && !has_schur())) {
    if (m > most_formed) return false;
    form_local();
    for (int i = 0; i < m; ++i) local_b_[i] = -target[index_[i]];
    const ComplementarityProblem given{m, DenseForm{local_W_.data()}, local_b_.data()};
    if (!solve_on(
            given, [](int) { return true; }, local_P_.data()))
      return false;
    for (int i = 0; i < m; ++i) P[index_[i]] = local_P_[i];
    return true;
  }
  for (int j = 0; j < nr_; ++j) column_[j] = active[j] ? -target[j] : 0.0;
  return solve_on(
      problem(active, column_.data()), [&](int j) { return active[j]; }, P);
}

const double* SparseDelassus::push(const double* P) {
  std::fill(x_.begin(), x_.end(), 0.0);
  for (int j = 0; j < nr_; ++j)
    for (int k = gradient_.start[j]; k < gradient_.start[j + 1] && P[j] != 0.0; ++k)
      x_[gradient_.row[k]] += H_[k] * P[j];
  response_.answer->solve(x_.data());
  return x_.data();
}

// X̂ H_j
const double* SparseDelassus::push_unit(int j) {
  std::fill(x_.begin(), x_.end(), 0.0);
  for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k) x_[gradient_.row[k]] = H_[k];
  response_.answer->solve(x_.data());
  return x_.data();
}

const double* SparseDelassus::column(int j) {
  const double* x = push_unit(j);
  for (int i = 0; i < nr_; ++i) column_[i] = column_dot(gradient_, H_, i, x);
  return column_.data();
}

double SparseDelassus::row_dot(int j, const double* P) {
  if (!has_sparse_W()) return column_dot(gradient_, H_, j, push(P));
  form_sparse();
  return column_dot(product_, W_.data(), j, P);
}

double SparseDelassus::own(int j) {
  if (has_sparse_W()) {
    form_sparse();
    const auto begin = product_.row.begin() + product_.start[j], end = product_.row.begin() + product_.start[j + 1];
    return W_[std::lower_bound(begin, end, j) - product_.row.begin()];
  }
  if (!own_known_) own_.assign(static_cast<std::size_t>(nr_), -1.0);
  own_known_ = true;
  if (own_[j] < 0.0) own_[j] = column_dot(gradient_, H_, j, push_unit(j));
  return own_[j];
}

}  // namespace ricochet
