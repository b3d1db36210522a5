#include "report/friction_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::report {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// 1 over the time since the row before; no number where an impact lies.
std::vector<double> frequencies(const StoredResult& result) {
  const std::vector<bool> jumps = jumps_after(result);
  std::vector<double> values(result.rows(), no_number);
  for (std::size_t row = 1; row < values.size(); ++row)
    if (!jumps[row - 1] && result.t[row] > result.t[row - 1]) values[row] = 1.0 / (result.t[row] - result.t[row - 1]);
  return values;
}

}  // namespace

std::vector<bool> jumps_after(const StoredResult& result) {
  const std::vector<double>&t = result.t, &v = result.v[0];
  std::vector<bool> jumps(t.size(), false);
  if (t.size() < 3) return jumps;
  const auto change = [&v](std::size_t row) { return std::abs(v[row + 1] - v[row]); };
  for (const Impact& impact : result.impacts) {
    const auto found = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), impact.t) - t.begin());
    const std::size_t next = std::clamp<std::size_t>(found, 1, t.size() - 1), row = next - 1;
    if (t[next] == impact.t && next + 1 < t.size() && t[next + 1] == impact.t) {
      jumps[next] = true;
      continue;
    }
    const double close = 1e-6 * (t[next] - t[row]);
    std::size_t at = std::abs(t[next] - impact.t) < close ? next : std::abs(impact.t - t[row]) < close ? row : 0;
    if (at == 0 || at + 1 >= t.size()) at = 0;
    jumps[at == 0 ? row : change(at) > change(at - 1) ? at : at - 1] = true;
  }
  return jumps;
}

FrictionRows::FrictionRows(const StoredResult& result, std::string name, std::vector<std::size_t> places)
    : result_(&result), name_(std::move(name)), places_(std::move(places)) {
  const auto place = std::find(result.constraints.begin(), result.constraints.end(), name_);
  const auto index = static_cast<std::size_t>(place - result.constraints.begin());
  if (index < result.impulse.size()) contact_ = static_cast<int>(index);
  for (const std::size_t k : places_)
    for (const double slip : result.slip[k])
      if (std::isfinite(slip)) rest_ = std::max(rest_, 1e-9 * std::abs(slip));
}

FrictionPhase FrictionRows::phase(std::size_t row) const {
  if (contact_ >= 0 && !(result_->impulse[static_cast<std::size_t>(contact_)][row] > 0.0)) return FrictionPhase::open;
  for (const std::size_t k : places_)
    if (!(std::abs(result_->slip[k][row]) <= rest_)) return FrictionPhase::slides;
  return FrictionPhase::sticks;
}

std::vector<double> FrictionRows::phases() const {
  std::vector<double> values(result_->rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = static_cast<double>(phase(row));
  return values;
}

double FrictionRows::work(std::size_t row) const {
  if (row == 0) return 0.0;
  double slip = 0.0, impulse = 0.0;
  for (const std::size_t k : places_) {
    slip = std::hypot(slip, 0.5 * (result_->slip[k][row - 1] + result_->slip[k][row]));
    impulse = std::hypot(impulse, result_->friction[k][row]);
  }
  return slip * impulse;
}

std::vector<double> FrictionRows::power() const {
  std::vector<double> values = frequencies(*result_);
  for (std::size_t row = 0; row < values.size(); ++row) values[row] *= work(row);
  return values;
}

double FrictionRows::mean_power() const {
  const double span = result_->t.back() - result_->t.front();
  double sum = 0.0;
  for (std::size_t row = 1; row < result_->rows(); ++row) sum += work(row);
  return span > 0.0 ? sum / span : 0.0;
}

std::vector<FrictionRows> frictions_of(const StoredResult& result) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> owners;
  for (std::size_t k = 0; k < std::min({result.slips.size(), result.slip.size(), result.friction.size()}); ++k) {
    const std::string name = result.slips[k].substr(0, result.slips[k].rfind(".slip"));
    if (owners.empty() || owners.back().first != name) owners.push_back({name, {}});
    owners.back().second.push_back(k);
  }
  std::vector<FrictionRows> frictions;
  for (auto& [name, places] : owners) frictions.emplace_back(result, name, places);
  return frictions;
}

const FrictionRows& owner_of(const std::vector<FrictionRows>& frictions, std::size_t slip) {
  for (const FrictionRows& one : frictions)
    if (std::find(one.places().begin(), one.places().end(), slip) != one.places().end()) return one;
  return frictions.front();
}

FrictionPhase joint_phase(const std::vector<FrictionRows>& frictions, std::size_t row) {
  FrictionPhase most = FrictionPhase::open;
  for (const FrictionRows& one : frictions) most = std::max(most, one.phase(row));
  return most;
}

std::vector<double> friction_force(const StoredResult& result, std::size_t slip) {
  std::vector<double> values = frequencies(result);
  for (std::size_t row = 0; row < values.size(); ++row) values[row] *= result.friction[slip][row];
  return values;
}

}  // namespace ricochet::report
