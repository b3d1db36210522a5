#include "scheme/kernel/sparse_stages.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ricochet {
namespace {

// The pattern of W⊗B with the stages of a coordinate beside each other; only blocks where W is not zero.
Pattern kronecker(const std::vector<double>& W, int stages, const Pattern& B) {
  Pattern all{B.rows * stages, B.cols * stages, {0}, {}};
  for (int j = 0; j < B.cols; ++j)
    for (int l = 0; l < stages; ++l) {
      for (int k = B.start[j]; k < B.start[j + 1]; ++k)
        for (int i = 0; i < stages; ++i)
          if (W[i * stages + l] != 0.0) all.row.push_back(B.row[k] * stages + i);
      all.start.push_back(static_cast<int>(all.row.size()));
    }
  return all;
}

// Its values.
void fill_kronecker(const std::vector<double>& W, int stages, const Pattern& pattern, const std::vector<double>& B,
                    std::vector<double>& values) {
  values.clear();
  for (int j = 0; j < pattern.cols; ++j)
    for (int l = 0; l < stages; ++l)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        for (int i = 0; i < stages; ++i)
          if (W[i * stages + l] != 0.0) values.push_back(W[i * stages + l] * B[k]);
}

}  // namespace

SparseStages::SparseStages(const Model& model, const Tableau& tableau, const HeldContactsOde& flow)
    : model_(model), tableau_(tableau), flow_(flow) {
  const int s = stages_;
  A_ = A_squared_ = identity_ = zeros(s * s);
  for (int i = 0; i < s; ++i) {
    identity_[i * s + i] = 1.0;
    for (int j = 0; j < s; ++j) {
      A_[i * s + j] = tableau.a(i, j);
      for (int l = 0; l < s; ++l) A_squared_[i * s + j] += tableau.a(i, l) * tableau.a(l, j);
    }
  }
  mass_ = kronecker(identity_, s, layout_.mass);
  damping_ = kronecker(A_, s, layout_.damping);
  stiffness_ = kronecker(A_squared_, s, layout_.stiffness);
  M_stages_.reserve(mass_.row.size()), C_stages_.reserve(damping_.row.size()), K_stages_.reserve(stiffness_.row.size());
  if (layout_.structure.linear_force) {
    LinearForce<double> linear = model.linear_force();
    if (!linear.K.empty()) K_ = std::move(linear.K);
    if (!linear.C.empty()) C_ = std::move(linear.C);
  }
  list_rows();
  matrix_.resize((nq_ + nr_) * s, {&mass_, &damping_, &stiffness_, &rows_});
}

void SparseStages::list_rows() {
  using Kind = RowEntry::Kind;
  const Pattern& H = layout_.rows;
  for (int l = 0; l < stages_; ++l)
    for (int r = 0; r < nr_; ++r) {
      const int own = place_of_row(r, l);
      row_entries_.push_back({Kind::own, own, own, r, r});
      for (int k = H.start[r]; k < H.start[r + 1]; ++k) {
        row_entries_.push_back({Kind::rate, own, place(H.row[k], l), k, r});
        row_entries_.push_back({Kind::push, place(H.row[k], l), own, k, r});
      }
    }
  for (const FrictionModes::Entry& friction : flow_.modes().all())
    for (int l = 0; l < stages_ * friction.rows && friction.contact >= 0; ++l) {
      const int slip = friction.row + l / stages_;
      row_entries_.push_back({Kind::slide, place_of_row(slip, l % stages_), place_of_row(friction.contact, l % stages_),
                              slip, friction.contact});
    }
  std::sort(row_entries_.begin(), row_entries_.end(),
            [](const RowEntry& a, const RowEntry& b) { return std::tie(a.column, a.row) < std::tie(b.column, b.row); });
  const int n = (nq_ + nr_) * stages_;
  rows_ = {n, n, std::vector<int>(static_cast<std::size_t>(n) + 1, 0), {}};
  for (const RowEntry& entry : row_entries_) {
    ++rows_.start[static_cast<std::size_t>(entry.column) + 1];
    rows_.row.push_back(entry.row);
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) rows_.start[j + 1] += rows_.start[j];
  row_values_.assign(row_entries_.size(), 0.0);
  holds_.assign(static_cast<std::size_t>(nr_), false);
  slides_ = zeros(nr_);
}

bool SparseStages::linearise(double t, const double* y) {
  const double *q = y, *v = y + nq_;
  model_.mass(t, q, M_.data());
  if (!layout_.structure.linear_force) model_.force_jacobians(t, q, v, y + 2 * nq_, K_.data(), C_.data());
  fill_kronecker(identity_, stages_, layout_.mass, M_, M_stages_);
  fill_kronecker(A_, stages_, layout_.damping, C_, C_stages_);
  fill_kronecker(A_squared_, stages_, layout_.stiffness, K_, K_stages_);
  const Pattern& mass = layout_.mass;
  for (int j = 0; j < nq_; ++j)
    for (int k = mass.start[j]; k < mass.start[j + 1]; ++k)
      if (mass.row[k] == j) M_diagonal_[j] = M_[k];
  if (nr_ > 0) place_rows(t, q);
  return true;
}

void SparseStages::place_rows(double t, const double* q) {
  contacts_.place_gradients(t, q);
  contacts_.place_bounds(t, q);
  for (int r = 0; r < nr_; ++r) holds_[r] = flow_.is_closed(r), slides_[r] = 0.0;
  for (int k = 0; k < flow_.modes().size(); ++k) {
    const FrictionModes::Entry& friction = flow_.modes()[k];
    for (int m = 0; m < friction.rows && flow_.acts(k); ++m) {
      const bool slides = friction.mode == FrictionMode::slide;
      holds_[friction.row + m] = !slides;
      if (slides) slides_[friction.row + m] = contacts_.bound(k) * friction.now[m];
    }
  }
  const double* H = contacts_.gradients();
  for (std::size_t k = 0; k < row_entries_.size(); ++k) {
    const RowEntry& entry = row_entries_[k];
    const bool holds = holds_[entry.of];
    switch (entry.kind) {
      case RowEntry::Kind::rate: row_values_[k] = holds ? H[entry.source] : 0.0; break;
      case RowEntry::Kind::push: row_values_[k] = holds || slides_[entry.of] != 0.0 ? -H[entry.source] : 0.0; break;
      case RowEntry::Kind::own: row_values_[k] = holds ? 0.0 : 1.0; break;
      case RowEntry::Kind::slide: row_values_[k] = slides_[entry.source]; break;
    }
  }
}

bool SparseStages::factorise(double h) {
  h_ = h;
  matrix_.set_zero();
  matrix_.add(0, M_stages_.data(), 1.0);
  matrix_.add(1, C_stages_.data(), h);
  matrix_.add(2, K_stages_.data(), h * h);
  matrix_.add(3, row_values_.data(), 1.0);
  return matrix_.factorise();
}

void SparseStages::solve(double* delta) {
  const int s = stages_, n = 2 * nq_;
  std::fill(x_.begin(), x_.end(), 0.0);
  const auto add = [&](const Pattern& B, const std::vector<double>& values, const double* y, double weight, int stage) {
    for (int j = 0; j < nq_; ++j)
      for (int k = B.start[j]; k < B.start[j + 1]; ++k) x_[place(B.row[k], stage)] += weight * (values[k] * y[j]);
  };
  for (int i = 0; i < s; ++i) {
    const double* sigma = delta + i * n + nq_;
    add(layout_.mass, M_, sigma, 1.0, i);
    for (int j = 0; j < s; ++j) add(layout_.stiffness, K_, delta + j * n, -h_ * A_[i * s + j], i);
    for (int r = 0; r < nr_; ++r)
      if (holds_[r])
        for (int k = layout_.rows.start[r]; k < layout_.rows.start[r + 1]; ++k)
          x_[place_of_row(r, i)] += contacts_.gradients()[k] * sigma[layout_.rows.row[k]];
  }
  matrix_.solve(x_.data());
  for (int i = 0; i < s; ++i)
    for (int c = 0; c < nq_; ++c) {
      double sum = 0.0;
      for (int j = 0; j < s; ++j) sum += A_[i * s + j] * x_[place(c, j)];
      delta[i * n + c] += h_ * sum;
      delta[i * n + nq_ + c] = x_[place(c, i)];
    }
}

void SparseStages::add_noise(double h, const double* size, double* noise) const {
  h = std::abs(h);
  const auto add = [&](const Pattern& B, const std::vector<double>& values, const double* sizes) {
    for (int j = 0; j < nq_; ++j)
      for (int k = B.start[j]; k < B.start[j + 1]; ++k)
        noise[nq_ + B.row[k]] += h * std::abs(values[k]) * sizes[j] / M_diagonal_[B.row[k]];
  };
  for (int i = 0; i < nq_; ++i) noise[i] += h * size[nq_ + i];
  add(layout_.stiffness, K_, size);
  add(layout_.damping, C_, size + nq_);
}

}  // namespace ricochet
