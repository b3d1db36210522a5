#include "study/angles.hpp"

#include <algorithm>
#include <cmath>

#include "core/definiteness.hpp"

namespace ricochet {
namespace {

bool is_diagonal(const Pattern& pattern) {
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (pattern.row[k] != j) return false;
  return true;
}

bool all_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

Angles::Angles(const Model& model)
    : model_(model),
      layout_(model.layout()),
      diagonal_(is_diagonal(layout_.mass)),
      M_(static_cast<std::size_t>(layout_.mass.size())),
      H_(static_cast<std::size_t>(layout_.gradient.size())),
      e_(static_cast<std::size_t>(layout_.nc())),
      x_(static_cast<std::size_t>(layout_.nq()), 0.0) {
  factors_.resize(layout_.nq(), {&layout_.mass});
}

bool Angles::place(double t, const double* q) {
  model_.mass(t, q, M_.data());
  model_.gap_gradient(t, q, H_.data());
  model_.restitution(t, q, e_.data());
  factors_.set_zero();
  factors_.add(0, M_.data(), 1.0);
  return all_finite(M_) && all_finite(H_) && DefinitenessTest<double>()(layout_.mass, M_.data()) &&
         factors_.factorise();
}

double Angles::respond(int j) {
  const Pattern& gradient = layout_.gradient;
  std::fill(x_.begin(), x_.end(), 0.0);
  for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) x_[gradient.row[k]] = H_[k];
  factors_.solve(x_.data());
  return column_dot(gradient, H_.data(), j, x_.data());
}

Angles::Angle Angles::angle(int a, int b, double W_aa, double W_bb) const {
  Angle result;
  result.product = column_dot(layout_.gradient, H_.data(), b, x_.data());
  const double lengths = std::sqrt(W_aa) * std::sqrt(W_bb);
  if (lengths > 0.0) result.cosine = std::clamp(result.product / lengths, -1.0, 1.0);
  result.e = std::max(e_[a], e_[b]);
  return result;
}

std::vector<Angles::Angle> Angles::of(const std::vector<ConstraintPair>& pairs) {
  std::vector<double> self(static_cast<std::size_t>(layout_.nc()), -1.0);
  for (const ConstraintPair& pair : pairs)
    for (const int j : {pair.a, pair.b})
      if (self[j] < 0.0) self[j] = respond(j);
  std::vector<Angle> result;
  result.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].a != pairs[i - 1].a) respond(pairs[i].a);
    result.push_back(angle(pairs[i].a, pairs[i].b, self[pairs[i].a], self[pairs[i].b]));
  }
  return result;
}

Angles::Angle Angles::of(int a, int b) {
  const double W_bb = respond(b), W_aa = respond(a);
  return angle(a, b, W_aa, W_bb);
}

}  // namespace ricochet
