#include "study/check/bounded_numbers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/zeros.hpp"

namespace ricochet {

const NumberBounds& bounds_of(BoundedKind kind) {
  static constexpr NumberBounds bounds[] = {
      {"restitution", "restitution of", 0.0, 1.0, "in [0, 1]"},
      {"friction", "coefficient of friction of", 0.0, HUGE_VAL, "at least 0"},
      {"friction", "limit of", 0.0, HUGE_VAL, "at least 0"},
      {"restitution", "tangential restitution of", 0.0, 1.0, "in [0, 1]"},
  };
  return bounds[static_cast<int>(kind)];
}

BoundedNumbers::BoundedNumbers(const Model& model)
    : model_(model), e_(zeros(model.nc())), bound_(zeros(model.nf())), e_T_(zeros(model.nf())) {
  const Layout& layout = model.layout();
  const auto add = [&](BoundedKind kind, int i, const std::string& name) {
    numbers_[static_cast<std::size_t>(kind)].push_back({kind, i, name});
  };
  for (int j = 0; j < model.nc(); ++j) add(BoundedKind::restitution, j, layout.constraints[j]);
  for (int k = 0; k < model.nf(); ++k) {
    const Friction& friction = layout.frictions[k];
    add(friction.constraint >= 0 ? BoundedKind::friction : BoundedKind::limit, k, friction.name);
    if (friction.constraint >= 0) add(BoundedKind::tangential_restitution, k, friction.name);
  }
}

bool BoundedNumbers::are_constant(BoundedKind kind) const {
  const Structure& structure = model_.layout().structure;
  return of(kind).empty() ||
         (kind == BoundedKind::restitution ? structure.constant_restitution : structure.constant_friction);
}

void BoundedNumbers::place(double t, const std::vector<double>& q) {
  if (model_.nc() > 0) model_.restitution(t, q.data(), e_.data());
  if (model_.nf() == 0) return;
  model_.friction_bound(t, q.data(), bound_.data());
  model_.tangential_restitution(t, q.data(), e_T_.data());
}

double BoundedNumbers::value(const BoundedNumber& number) const {
  switch (number.kind) {
    case BoundedKind::restitution: return e_[number.index];
    case BoundedKind::tangential_restitution: return e_T_[number.index];
    default: return bound_[number.index];
  }
}

const BoundedNumber* BoundedNumbers::violated(BoundedKind kind) const {
  for (const BoundedNumber& number : of(kind))
    if (!(bounds_of(kind).allow(value(number)) && std::isfinite(value(number)))) return &number;
  return nullptr;
}

std::string figure_beyond(double value, const NumberBounds& bounds) {
  if (std::isnan(value)) return to_text(value);  // without a sign
  const auto written = [](double x, int digits) { return fmt::format("{:.{}g}", x, digits); };
  int digits = 4;
  while (digits < 17 && (written(value, digits) == written(bounds.least, digits) ||
                         written(value, digits) == written(bounds.most, digits)))
    ++digits;
  return written(value, digits);
}

std::string violation(const BoundedNumber& number, double value, const std::string& where) {
  const NumberBounds& bounds = bounds_of(number.kind);
  return fmt::format("The {} {} is {}{}; it must be {}.", bounds.what, number.name, figure_beyond(value, bounds), where,
                     bounds.words);
}

}  // namespace ricochet
