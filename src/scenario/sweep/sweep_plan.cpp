#include "ricochet/scenario/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/elementary.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/checks.hpp"
#include "scenario/sweep/samples.hpp"
#include "scenario/sweep/sweep_parts.hpp"

namespace ricochet {

namespace {

// Between the ends of an axis, at a part of the way. exp and log are those of formulas: the same bits everywhere.
double between(const SweepAxis& axis, double part) {
  if (!axis.logarithmic) return axis.first + (axis.last - axis.first) * part;
  const double first = formula::elementary::log(axis.first), last = formula::elementary::log(axis.last);
  return formula::elementary::exp(first + (last - first) * part);
}

// Even steps, exact at both ends: a + (b − a) k/(count − 1).
std::vector<double> grid_values(const SweepAxis& axis, std::uint64_t count) {
  std::vector<double> values(count, axis.first);
  for (std::uint64_t k = 1; k + 1 < count; ++k)
    values[k] = axis.logarithmic
                    ? between(axis, static_cast<double>(k) / static_cast<double>(count - 1))
                    : axis.first + (axis.last - axis.first) * static_cast<double>(k) / static_cast<double>(count - 1);
  if (count > 1) values[count - 1] = axis.last;
  return values;
}

SweepAxis make_axis(const SweepAxisDescription& description, const std::string& field) {
  SweepAxis axis{.parameter = description.parameter, .name = {}};
  axis.logarithmic = description.spacing == "logarithmic";
  const bool listed = !description.values.empty();
  const std::string place = field + (listed ? ".values" : ".range");
  const std::vector<double> given = Sources({}, nullptr).values(listed ? description.values : description.range, place);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (axis.logarithmic && !(given[i] > 0.0))
      throw InputError(path_to(place, i),
                       fmt::format("must be positive for spacing = \"logarithmic\", got {}", to_text(given[i])));
  axis.first = given.front();
  axis.last = given.back();
  if (!std::isfinite(axis.last - axis.first))
    throw InputError(place, "is too wide: the difference of its ends is not a finite number");
  axis.values = listed ? given : grid_values(axis, description.count);
  return axis;
}

// The last part of the key, or the whole where two axes would share it.
void name_axes(std::vector<SweepAxis>& axes) {
  const auto last_part = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  for (SweepAxis& axis : axes) {
    const auto shares = [&](const SweepAxis& other) { return last_part(other.parameter) == last_part(axis.parameter); };
    axis.name = std::count_if(axes.begin(), axes.end(), shares) > 1 ? axis.parameter : last_part(axis.parameter);
  }
}

}  // namespace

SweepPlan::SweepPlan(const Scenario& scenario) {
  const SweepDescription& sweep = needed_sweep(scenario);
  check_sweep(sweep);
  if (sweep.sampling == "latin-hypercube") sampling_ = SweepSampling::latin_hypercube;
  if (sweep.sampling == "random") sampling_ = SweepSampling::random;
  seed_ = sweep.seed;

  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const SweepAxisDescription& axis = sweep.axes[i];
    axes_.push_back(make_axis(axis, fmt::format("sweep.axis[{}]", i)));
    if (axis.continuation == "none") continue;
    continued_ = i;
    both_ = axis.continuation == "both";
    backward_ = axis.continuation == "backward";
    pieces_ = axis.pieces, overlap_ = axis.overlap;
  }
  name_axes(axes_);

  // Sizes.
  grid_ = is_grid() ? 1 : sweep.samples;
  if (both_) shape_.push_back(2);
  if (!is_grid()) shape_.push_back(sweep.samples);
  if (is_grid())
    for (const SweepAxis& axis : axes_) {
      shape_.push_back(axis.values.size());
      grid_ *= axis.values.size();
    }
  count_ = both_ ? 2 * grid_ : grid_;
  if (!sweep.refine) return;
  budget_ = sweep.refine->budget;
  std::vector<std::uint64_t> sizes;
  for (const SweepAxis& axis : axes_) sizes.push_back(axis.values.size());
  refinement_ = std::make_shared<Refinement>(std::move(sizes), both_ ? budget_ / 2 : budget_);
}

std::uint64_t SweepPlan::count() const { return refinement_ ? refinement_->count() * (both_ ? 2 : 1) : count_; }

std::uint64_t SweepPlan::node(std::uint64_t trajectory) const {
  if (trajectory < count_) return trajectory % grid_;
  return grid_ + (trajectory - count_) / (both_ ? 2 : 1);
}

std::uint64_t SweepPlan::trajectory(std::uint64_t node, bool backward) const {
  if (node < grid_) return node + (backward ? grid_ : 0);
  return both_ ? count_ + 2 * (node - grid_) + (backward ? 1 : 0) : node;
}

std::optional<std::uint64_t> SweepPlan::predecessor(std::uint64_t trajectory) const {
  if (!continued_ || trajectory < count_) return std::nullopt;
  const auto [low, high] = refinement_->ends(node(trajectory));
  const bool back = both_ && (trajectory - count_) % 2 == 1;
  return this->trajectory(back || backward_ ? high : low, back);
}

// Between two values of the first grid.
double SweepPlan::refined_value(std::size_t axis, std::uint64_t place) const {
  const std::vector<double>& values = axes_[axis].values;
  const std::uint64_t k = place / Refinement::unit;
  const double part = static_cast<double>(place % Refinement::unit) / static_cast<double>(Refinement::unit);
  if (part == 0.0) return values[k];
  SweepAxis piece{.parameter = {}, .name = {}, .logarithmic = axes_[axis].logarithmic};
  piece.first = values[k], piece.last = values[k + 1];
  return between(piece, part);
}

bool SweepPlan::has_same_parameters(std::uint64_t a, std::uint64_t b) const {
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (!is_start(k) && refinement_->place(a)[k] != refinement_->place(b)[k]) return false;
  return true;
}

SweepPlan::Listing SweepPlan::listing() const {
  Listing listing{.axes = axes_, .shape = shape_, .is_grid = is_grid() && (!refinement_ || axes_.size() == 1)};
  if (!listing.is_grid)
    for (SweepAxis& axis : listing.axes) axis.values.clear();
  if (!refinement_) {
    for (std::uint64_t i = 0; i < count_; ++i) listing.order.push_back(i);
    return listing;
  }
  std::vector<std::uint64_t> nodes(refinement_->count());
  std::iota(nodes.begin(), nodes.end(), std::uint64_t{0});
  if (listing.is_grid) {
    std::sort(nodes.begin(), nodes.end(),
              [&](std::uint64_t a, std::uint64_t b) { return refinement_->place(a) < refinement_->place(b); });
    listing.axes[0].values.clear();
    for (const std::uint64_t i : nodes) listing.axes[0].values.push_back(refined_value(0, refinement_->place(i)[0]));
  }
  listing.shape.assign(both_ ? 2 : 1, nodes.size());
  if (both_) listing.shape[0] = 2;
  for (int direction = 0; direction < (both_ ? 2 : 1); ++direction)
    for (const std::uint64_t i : nodes) {
      listing.order.push_back(trajectory(i, direction == 1));
      if (!listing.is_grid) listing.levels.push_back(refinement_->level(i));
    }
  return listing;
}

std::vector<double> SweepPlan::values(std::uint64_t trajectory) const {
  std::vector<double> values(axes_.size());
  if (trajectory >= count_) {
    const Refinement::Place& place = refinement_->place(node(trajectory));
    for (std::size_t k = 0; k < axes_.size(); ++k) values[k] = refined_value(k, place[k]);
    return values;
  }
  std::uint64_t rest = trajectory % grid_;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const SweepAxis& axis = axes_[k];
    const std::uint64_t seed = mix(seed_, k);
    switch (sampling_) {
      case SweepSampling::grid:
        values[k] = axis.values[rest % axis.values.size()];
        rest /= axis.values.size();
        break;
      case SweepSampling::latin_hypercube: values[k] = between(axis, stratified_sample(seed, rest, grid_)); break;
      case SweepSampling::random: values[k] = between(axis, unit_sample(seed, rest)); break;
    }
  }
  return values;
}

std::uint64_t SweepPlan::first_chains() const {
  return continued_ ? grid_ / axes_[*continued_].values.size() * pieces_ : count_;
}
std::uint64_t SweepPlan::chain_count() const { return first_chains() + (count() - count_); }

std::vector<std::uint64_t> SweepPlan::chain(std::uint64_t chain) const {
  if (!continued_) return {chain};
  if (chain >= first_chains()) return {count_ + (chain - first_chains())};
  return continued(chain / pieces_, begin_of_piece(chain % pieces_), begin_of_piece(chain % pieces_ + 1));
}

std::vector<std::uint64_t> SweepPlan::lead(std::uint64_t chain) const {
  if (!continued_ || chain >= first_chains()) return {};
  const std::uint64_t begin = begin_of_piece(chain % pieces_);
  return continued(chain / pieces_, begin - std::min(begin, overlap_), begin);
}

std::uint64_t SweepPlan::begin_of_piece(std::uint64_t piece) const {
  const std::uint64_t length = axes_[*continued_].values.size() * (both_ ? 2 : 1);
  return length / pieces_ * piece + std::min(piece, length % pieces_);
}

std::vector<std::uint64_t> SweepPlan::continued(std::uint64_t whole, std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t length = axes_[*continued_].values.size();
  // Neighbours on the axis are `stride` apart.
  std::uint64_t stride = 1;
  for (std::size_t k = *continued_ + 1; k < axes_.size(); ++k) stride *= axes_[k].values.size();
  const std::uint64_t first = whole / stride * stride * length + whole % stride, last = first + stride * (length - 1);
  std::vector<std::uint64_t> trajectories;
  for (std::uint64_t j = begin; j < end; ++j) {
    // The way back starts where the way there ended.
    if (j >= length)
      trajectories.push_back(grid_ + last - stride * (j - length));
    else
      trajectories.push_back(backward_ ? last - stride * j : first + stride * j);
  }
  return trajectories;
}

std::uint64_t SweepPlan::cell(std::uint64_t trajectory) const {
  if (refinement_) {
    const std::uint64_t i = node(trajectory);
    std::size_t starts = 0, parameter = 0;
    for (std::size_t k = 0; k < axes_.size(); ++k) is_start(k) ? ++starts : parameter = k;
    return starts == axes_.size() ? 0 : starts > 0 ? refinement_->place(i)[parameter] : i;
  }
  std::uint64_t rest = trajectory % grid_;
  if (!is_grid()) return axes_.size() == 1 && !is_start(0) ? rest : 0;
  std::uint64_t cell = 0, stride = 1;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const std::uint64_t values = axes_[k].values.size();
    if (!is_start(k)) cell += rest % values * stride;
    rest /= values;
    if (!is_start(k)) stride *= values;
  }
  return cell;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> SweepPlan::cell_neighbours() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  if (refinement_ && std::any_of(axes_.begin(), axes_.end(),
                                 [](const SweepAxis& axis) { return axis.parameter.starts_with("initial."); })) {
    // Beside starts there is one parameter: its values in their order.
    std::set<std::uint64_t> cells;
    for (std::uint64_t i = 0; i < count(); ++i) cells.insert(cell(i));
    for (auto next = cells.begin(), last = next++; next != cells.end(); last = next++) pairs.emplace_back(*last, *next);
    return pairs;
  }
  if (!is_grid()) {
    if (axes_.size() != 1 || is_start(0)) return pairs;
    std::vector<std::pair<double, std::uint64_t>> sorted;
    for (std::uint64_t i = 0; i < grid_; ++i) sorted.emplace_back(values(i)[0], i);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) pairs.emplace_back(sorted[i - 1].second, sorted[i].second);
    return pairs;
  }
  std::uint64_t cells = 1, stride = 1;
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (!is_start(k)) cells *= axes_[k].values.size();
  for (std::size_t k = axes_.size(); k-- > 0;) {
    if (is_start(k)) continue;
    const std::uint64_t values = axes_[k].values.size();
    for (std::uint64_t cell = 0; cell < cells; ++cell)
      if (cell / stride % values > 0) pairs.emplace_back(cell - stride, cell);
    stride *= values;
  }
  for (std::uint64_t i = grid_; refinement_ && i < refinement_->count(); ++i) {
    pairs.emplace_back(refinement_->ends(i).first, i);
    pairs.emplace_back(i, refinement_->ends(i).second);
  }
  return pairs;
}

}  // namespace ricochet
