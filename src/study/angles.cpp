#include "study/angles.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

Angles::Angles(const Model& model)
    : law_(model),
      diagonal_(is_diagonal(model.layout().mass)),
      nc_(model.nc()),
      column_(static_cast<std::size_t>(nc_), 0.0) {
  law_.clear();
  for (int j = 0; j < nc_; ++j) law_.include(j);
}

bool Angles::place(double t, const double* q) {
  if (law_.place(t, q) != FailureKind::none) return false;
  const double* H = gradient();
  if (!std::all_of(H, H + law_.gradient_size(), [](double entry) { return std::isfinite(entry); })) return false;
  law_.respond();
  return true;
}

Angles::Angle Angles::angle(int a, int b, double product) const {
  Angle result{.product = product, .e = std::max(law_.contacts().restitution(a), law_.contacts().restitution(b))};
  const double lengths = std::sqrt(law_.problem().diagonal(a)) * std::sqrt(law_.problem().diagonal(b));
  if (lengths > 0.0) result.cosine = std::clamp(product / lengths, -1.0, 1.0);
  return result;
}

std::vector<Angles::Angle> Angles::of(const std::vector<ConstraintPair>& pairs) {
  std::vector<Angle> result;
  result.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int a = pairs[i].a;
    if (i == 0 || a != pairs[i - 1].a) {
      std::fill(column_.begin(), column_.end(), 0.0);
      law_.problem().each_entry(a, [&](int k, double W) { column_[k] = W; });
    }
    result.push_back(angle(a, pairs[i].b, column_[pairs[i].b]));
  }
  return result;
}

Angles::Angle Angles::of(int a, int b) { return of({ConstraintPair{.a = a, .b = b}}).front(); }

}  // namespace ricochet
