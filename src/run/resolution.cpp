#include "run/resolution.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/kernel/failure_text.hpp"

namespace ricochet {
namespace {

// Moves by so many last digits, coordinates in turns up and down.
void nudge(const State& state, double digits, State& moved) {
  moved.t = state.t * (1.0 + epsilon * digits);
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    const double factor = 1.0 + (i % 2 == 0 ? epsilon : -epsilon) * digits;
    moved.q[i] = state.q[i] * factor, moved.v[i] = state.v[i] * factor;
  }
}

// What so many last digits of the state make of n values; values_at(at, x): the values at a state.
template <class Values>
std::vector<double> noise_of(const State& state, double digits, int n, const Values& values_at) {
  State beside = state;
  nudge(state, digits, beside);
  std::vector<double> noise = zeros(n), there = noise;
  values_at(state, noise.data());
  values_at(beside, there.data());
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = std::abs(there[i] - noise[i]);
  return noise;
}

auto forces_of(const Model& model) {
  return [&model](const State& at, double* F) { model.force(at.t, at.q.data(), at.v.data(), at.z.data(), F); };
}
std::vector<double> force_noise(const Model& model, const State& state) {
  return noise_of(state, 4.0, model.nq(), forces_of(model));
}
std::vector<double> force_at(const Model& model, const State& state) {
  std::vector<double> F = zeros(model.nq());
  forces_of(model)(state, F.data());
  return F;
}
std::vector<double> mass_of(const Model& model, const State& state) {
  std::vector<double> M(model.layout().mass.size());
  model.mass(state.t, state.q.data(), M.data());
  return M;
}
// The diagonal of M.
std::vector<double> own_masses(const Model& model, const State& state) {
  return diagonal_of(model.layout().mass, mass_of(model, state).data());
}

// Uneven, so that what swings is not seen as a slower swing.
constexpr int places = 33;
double place(int k) { return k + std::fmod(0.6180339887498949 * k * k, 1.0); }

// Of values along a way: how often each turns back and changes its sign, how far apart they are and how large.
struct Turning {
  std::vector<int> turns, signs;
  std::vector<double> range, size;
  int many = 12;  // noise turns at two places of three, what has a period in them twice
  bool is_wild(int i) const { return turns[i] >= many; }
  bool has_wild() const {
    for (int i = 0; i < static_cast<int>(turns.size()); ++i)
      if (is_wild(i)) return true;
    return false;
  }
};

// way(place(k), at): moves `at` there; values_at(at, x): the values there. Nothing if one is not finite.
template <class Way, class Values>
std::optional<Turning> turning_along(const Way& way, State at, const Values& values_at, int n) {
  std::vector<double> x = zeros(n), last = x, slope = x, least = x, most = x;
  const std::vector<int> none(x.size());
  Turning found{none, none, x, x};
  for (int k = 0; k < places; ++k) {
    way(place(k), at);
    values_at(at, x.data());
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(x[i])) return std::nullopt;  // told elsewhere
      const double change = x[i] - last[i];
      if (k > 1 && (change < 0.0) != (slope[i] < 0.0) && change != 0.0 && slope[i] != 0.0) ++found.turns[i];
      if (k > 0 && change != 0.0) slope[i] = change;
      if (k > 0 && x[i] * last[i] < 0.0) ++found.signs[i];
      least[i] = k == 0 ? x[i] : std::min(least[i], x[i]);
      most[i] = k == 0 ? x[i] : std::max(most[i], x[i]);
      found.range[i] = most[i] - least[i];
      found.size[i] = std::max(found.size[i], std::abs(x[i]));
    }
    last = x;
  }
  return found;
}

constexpr double negligible = 0.01;

// `noise`: what forces are off by. Sizes are compared as what they do to bodies, F²/M.
template <class Way>
std::optional<int> wild_force(const Model& model, const State& state, const Way& way,
                              const std::vector<double>& noise) {
  const std::optional<Turning> found = turning_along(way, state, forces_of(model), model.nq());
  if (!found || !found->has_wild()) return std::nullopt;
  State at = state;
  way(0.0, at);
  const std::vector<double> own = own_masses(model, at);
  double all = 0.0;
  for (int i = 0; i < model.nq(); ++i) all = std::hypot(all, found->size[i] / std::sqrt(own[i]));
  for (int i = 0; i < model.nq(); ++i)
    if (found->is_wild(i) && found->range[i] > 16.0 * noise[i] &&
        found->range[i] / std::sqrt(own[i]) > negligible * all)
      return i;
  return std::nullopt;
}

// A straight step of h from a state.
auto step_from(const State& state, double h) {
  return [&state, h](double part, State& at) {
    const double s = h * part / places;
    at.t = state.t + s;
    for (std::size_t i = 0; i < at.q.size(); ++i) at.q[i] = state.q[i] + s * state.v[i];
  };
}

// The larger noise of both ends of such a step: near 0 the way is longer than the place.
template <class Noise>
std::vector<double> noise_in_step(const State& state, double h, const Noise& noise_at) {
  State end = state;
  step_from(state, h)(places, end);
  std::vector<double> noise = noise_at(state);
  const std::vector<double> later = noise_at(end);
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = std::max(noise[i], later[i]);
  return noise;
}

}  // namespace

std::optional<int> wild_force_in_step(const Model& model, const State& state, double h) {
  const auto noise_at = [&](const State& at) { return force_noise(model, at); };
  return wild_force(model, state, step_from(state, h), noise_in_step(state, h, noise_at));
}

std::optional<int> wild_force_in_digits(const Model& model, const State& state) {
  constexpr double apart = 1024.0;  // far more than formulas are off by
  const auto way = [&](double part, State& at) { nudge(state, apart * part, at); };
  return wild_force(model, state, way, zeros(model.nq()));
}

namespace {

constexpr int few = 3;  // turns: of a gap a period and a half in a step is too much

}  // namespace

std::optional<int> wild_gap_in_step(const Model& model, const State& state, double h) {
  const auto gap = [&](const State& at, double* g) { model.gap(at.t, at.q.data(), g); };
  std::optional<Turning> found = turning_along(step_from(state, h), state, gap, model.nc());
  if (!found) return std::nullopt;
  found->many = few;
  if (!found->has_wild()) return std::nullopt;
  const std::vector<double> noise =
      noise_in_step(state, h, [&](const State& at) { return noise_of(at, 64.0, model.nc(), gap); });
  for (int j = 0; j < model.nc(); ++j)
    if (found->is_wild(j) && found->range[j] > noise[j] && found->range[j] > negligible * found->size[j]) return j;
  return std::nullopt;
}

std::optional<int> slip_returns_in_step(const Model& model, const State& state, double h,
                                        const std::vector<double>& impulse) {
  GapRates rates(model);
  const auto slip = [&](const State& at, double* s) {
    rates.measure(at);
    std::copy(rates.slip.begin(), rates.slip.end(), s);
  };
  const std::optional<Turning> found = turning_along(step_from(state, h), state, slip, model.ns());
  // Not where it only comes a little beyond 0.
  const auto returns = [&](int row) {
    const double both = std::min(found->size[row], found->range[row] - found->size[row]);
    return found->signs[row] > 1 && both > 0.1 * found->range[row];
  };
  bool any = false;
  for (int row = 0; found && row < model.ns(); ++row) any = any || returns(row);
  if (!any) return std::nullopt;
  const std::vector<double> noise =
      noise_in_step(state, h, [&](const State& at) { return noise_of(at, 64.0, model.ns(), slip); });
  int row = 0;
  for (int k = 0; k < model.nf(); ++k) {
    const Friction& friction = model.layout().frictions[k];
    const bool pushes = friction.constraint < 0 || impulse[friction.constraint] > 0.0;
    for (const int end = row + friction.rows; row < end; ++row)
      if (pushes && returns(row) && found->range[row] > noise[row]) return k;
  }
  return std::nullopt;
}

std::optional<Swing> swing_of_force(const Model& model, const State& state, double h) {
  const Pattern& mass = model.layout().mass;
  const int nq = model.nq();
  const std::vector<double> F = force_at(model, state), noise = force_noise(model, state);
  const std::vector<double> M = mass_of(model, state), own = diagonal_of(mass, M.data());
  std::vector<double> a = F;
  double largest = 0.0;
  for (int i = 0; i < nq; ++i) a[i] = F[i] / own[i], largest = std::max(largest, std::abs(a[i]));
  double power = 0.0, round_off = 0.0, way = 0.0, speed = 0.0;
  for (int i = 0; i < nq; ++i) {
    a[i] /= largest;
    power += F[i] * a[i], round_off += std::abs(noise[i] * a[i]);
    way += own[i] * state.q[i] * state.q[i], speed += own[i] * state.v[i] * state.v[i];
  }
  const double m = bilinear(mass, M.data(), a.data(), a.data());
  if (!(power > 8.0 * round_off && m > 0.0)) return std::nullopt;
  // −aᵀ ∂F/∂x a, x being q or v, between two points a little apart; 0 if that is round-off.
  const auto slope = [&](std::vector<double> State::*x, double part) {
    double change = 0.0;
    for (const double side : {-1.0, 1.0}) {
      State beside = state;
      for (int i = 0; i < nq; ++i) (beside.*x)[i] += side * part * a[i];
      const std::vector<double> there = force_at(model, beside);
      for (int i = 0; i < nq; ++i) change -= side * a[i] * there[i];
    }
    return std::abs(change) > 8.0 * round_off + 64.0 * epsilon * power ? change / (2.0 * part) : 0.0;
  };
  constexpr double little = 1e-6;
  const double decay = 0.5 * slope(&State::v, little * std::max(std::sqrt(speed / m), h * largest)) / m;
  // As far apart as the swing is wide or nearer.
  double part = little * std::sqrt(way / m), stiffness = way > 0.0 ? slope(&State::q, part) : 0.0;
  if (stiffness == 0.0) stiffness = slope(&State::q, part = little * h * h * largest);
  for (int k = 0; k < 8 && stiffness > 0.0 && part > 0.1 * power / stiffness; ++k)
    stiffness = slope(&State::q, part = 0.01 * power / stiffness);
  const double square = stiffness / m - decay * decay;
  if (!(square > 0.0)) return std::nullopt;
  // As wide as coordinates tell: a stiff support is none.
  bool is_wide = false;
  for (int i = 0; i < nq; ++i) {
    const double width = power / stiffness * a[i];
    is_wide = is_wide || std::abs(width) > 1e-3 * std::max(std::abs(state.q[i]), std::abs(state.q[i] + width));
  }
  return is_wide ? std::optional(Swing{std::sqrt(square), 0.5 * power * (power / stiffness)}) : std::nullopt;
}

double gap_behind(const GapRates& rates, int j, const State& state) {
  const Model& model = rates.model;
  const Pattern& pattern = model.layout().gradient;
  const double *H = rates.contacts.gradients(), g = rates.gap[j];
  const std::vector<double> own = own_masses(model, state);
  double response = 0.0;
  for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) response += H[k] * H[k] / own[pattern.row[k]];
  std::vector<double> q = state.q, gap = rates.gap;
  for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
    double& x = q[pattern.row[k]];
    const double way = std::abs(1.5 * g * (H[k] / own[pattern.row[k]]) / response);
    if (H[k] != 0.0) x -= std::copysign(std::max(way, 4.0 * epsilon * std::abs(x)), H[k]);
  }
  model.gap(state.t, q.data(), gap.data());
  return gap[j];
}

std::string gap_lost_in_time(const Model& model, const State& state, double h) {
  GapRates rates(model);
  State later = state;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    later.t = state.t + part * h;
    rates.measure(later);
    for (int j = 0; j < model.nc(); ++j) {
      const std::string& name = model.layout().constraints[j];
      if (!std::isfinite(rates.gap[j])) return lost_gap_text(name);
      if (!std::isfinite(rates.contacts.obstacle_rate(j)))
        return "the rate of the gap of " + name + " becomes " + to_text(rates.contacts.obstacle_rate(j)) +
               " at t = " + to_text(later.t) + ": an obstacle moves at a finite speed";
    }
  }
  return {};
}

std::string force_lost_in_step(const Model& model, const State& state, double h) {
  const Layout& layout = model.layout();
  std::vector<double> rate = zeros(model.nz());
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    State at = state;
    step_from(state, h)(part * places, at);
    const std::vector<double> F = force_at(model, at);
    if (model.nz() > 0) model.state_rate(at.t, at.q.data(), at.v.data(), at.z.data(), rate.data());
    const auto lost = [&](const char* what, const std::string& name, double x) {
      return std::string(what) + name + " becomes " + to_text(x) + " at t = " + to_text(at.t);
    };
    for (std::size_t i = 0; i < F.size(); ++i)
      if (!std::isfinite(F[i])) return lost("the force on ", layout.coordinates[i], F[i]);
    for (std::size_t i = 0; i < rate.size(); ++i)
      if (!std::isfinite(rate[i])) return lost("the rate of ", layout.states[i], rate[i]);
  }
  return {};
}

namespace {

// F/M, by coordinate, and the rates of states.
std::vector<double> accelerations(const Model& model, const State& state) {
  std::vector<double> a = zeros(model.nq() + model.nz());
  forces_of(model)(state, a.data());
  const std::vector<double> own = own_masses(model, state);
  for (std::size_t i = 0; i < own.size(); ++i) a[i] /= own[i];
  if (model.nz() > 0) model.state_rate(state.t, state.q.data(), state.v.data(), state.z.data(), a.data() + model.nq());
  return a;
}

// Of gaps, joints and slips; what is round-off of its terms is 0.
void append_row_rates(GapRates& rates, const State& state, std::vector<double>& all) {
  constexpr double round_off = 1e-6;  // of terms that cancel while they become infinite
  rates.measure(state);
  for (int r = 0; r < rates.model.layout().rows.cols; ++r) {
    const double U = rates.contacts.rate(r, state.v.data()), size = rates.contacts.rate_size(r, state.v.data());
    all.push_back(std::abs(U) > round_off * size ? U : 0.0);
  }
}

}  // namespace

std::optional<Pole> pole_between(const Model& model, const KnownPoles& poles, int k, const State& from,
                                 const State& to) {
  State at = from;
  std::vector<double> functions = zeros(poles.pole_count());
  const auto function_at = [&](double s) {
    const auto between = [s](double a, double b) { return a + s * (b - a); };
    at.t = between(from.t, to.t);
    for (const auto x : {&State::q, &State::v, &State::z})
      for (std::size_t i = 0; i < (at.*x).size(); ++i) (at.*x)[i] = between((from.*x)[i], (to.*x)[i]);
    poles.poles(at.t, at.q.data(), at.v.data(), at.z.data(), functions.data());
    return functions[k];
  };
  // Ever shorter parts of the way that have the change of sign in them.
  struct Part {
    double a, b, p_a, p_b;
    double width() const { return std::abs(p_b - p_a); }
    double far() const { return std::abs(p_a) > std::abs(p_b) ? a : b; }
  };
  std::vector<Part> parts = {{0.0, 1.0, function_at(0.0), function_at(1.0)}};
  if ((parts[0].p_a < 0.0) == (parts[0].p_b < 0.0)) return std::nullopt;
  while (true) {
    Part part = parts.back();
    const double s = 0.5 * (part.a + part.b);
    if (!(part.a < s && s < part.b)) break;
    const double p = function_at(s);
    if ((p < 0.0) == (part.p_a < 0.0))
      part.a = s, part.p_a = p;
    else
      part.b = s, part.p_b = p;
    parts.push_back(part);
  }
  // From a middle part to the last one the width must shrink: what jumps has no pole.
  const Part &last = parts.back(), &middle = *std::find_if(parts.begin(), parts.end(), [&](const Part&part) {
    return part.width() <= std::sqrt(parts.front().width() * parts.back().width());
  });
  if (!(last.width() < 1e-2 * middle.width())) return std::nullopt;
  // |a p|, which is c for a = F/M = c/p, and |U p|.
  GapRates rates(model);
  const auto strengths = [&](const Part& part) {
    const double p = function_at(part.far());
    std::vector<double> all = accelerations(model, at);
    append_row_rates(rates, at, all);
    for (double& x : all) x = std::abs(x * p);
    return all;
  };
  const std::vector<double> then = strengths(middle), now = strengths(last);
  const int first_gap = model.nq() + model.nz();
  for (int row = 0; row < static_cast<int>(now.size()); ++row) {
    if (!(now[row] > 0.5 * then[row])) continue;
    const int gap = row - first_gap;
    const auto is_negative = [&](double s) {
      function_at(s);
      std::vector<double> g = rates.gap;
      model.gap(at.t, at.q.data(), g.data());
      return g[gap] < 0.0;
    };
    if (gap < 0 || gap >= model.nc() || is_negative(last.a) || is_negative(last.b)) return Pole{row, at.t};
  }
  return std::nullopt;
}

std::optional<JointJump> joint_that_jumps(const Model& model, const State& from, double until) {
  std::vector<double> first(static_cast<std::size_t>(model.nb())), last = first, middle = first;
  const auto at = [&](double t, std::vector<double>& g) { model.joint(t, from.q.data(), g.data()); };
  at(from.t, first);
  at(until, last);
  std::size_t row = 0;
  for (const Joint& joint : model.layout().joints)
    for (int k = 0; k < joint.rows; ++k, ++row) {
      // What changes by itself changes by little in the end.
      double a = from.t, b = until, g_a = first[row], g_b = last[row];
      const double by = g_b - g_a;
      while (true) {
        const double t = 0.5 * (a + b);
        if (!(a < t && t < b)) break;
        at(t, middle);
        const bool early = std::abs(middle[row] - g_a) > std::abs(g_b - middle[row]);
        (early ? b : a) = t;
        (early ? g_b : g_a) = middle[row];
      }
      if (by != 0.0 && std::abs(g_b - g_a) > 0.5 * std::abs(by)) return JointJump{joint.name, b, g_b - g_a};
    }
  return std::nullopt;
}

}  // namespace ricochet
