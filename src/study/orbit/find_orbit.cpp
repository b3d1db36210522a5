// From a motion that has settled to the chain of its arcs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/scheme/event_driven.hpp"
#include "study/orbit/stability.hpp"

namespace ricochet {
namespace {

constexpr double repeats = 1e-5;  // points agree to this part of their size

// A motion at even times, with its impacts, until it repeats.
class Watched final : public Observer {
 public:
  Watched(const Model& model, const OrbitSettings& settings, bool by_samples)
      : settings_(settings),
        by_samples_(by_samples),
        nq_(model.nq()),
        n_(2 * model.nq() + model.nz()),
        struck_(model.nc(), 0.0) {
    for (const int i : settings.drift) ignored_.push_back(i);
    if (!settings.known_shift.empty())
      for (int i = 0; i < nq_; ++i)
        if (settings.known_shift[i] != 0.0) ignored_.push_back(i);
  }

  void record(const Sample& sample) override {
    std::vector<double> y(sample.q, sample.q + nq_);
    y.insert(y.end(), sample.v, sample.v + nq_);
    y.insert(y.end(), sample.z, sample.z + (n_ - 2 * nq_));
    times_.push_back(sample.t);
    points_.push_back(std::move(y));
    note_lasting(sample);
    if (is_set(settings_.interrupt)) stop_ = true;
    if (settings_.guessed > 0) return;
    lag_ = by_samples_ ? sample_lag() : impact_lag();
    if (lag_ > 0) stop_ = true;
  }
  void impact(const Impact& impact) override {
    impacts_.push_back(impact);
    struck_[impact.constraint] += impact.impulse;
    if (settings_.guessed > 0 && !by_samples_ && impacts_.size() > settings_.guessed) stop_ = true;
  }

  const std::atomic<bool>* stop() const { return &stop_; }
  std::uint64_t lag() const { return lag_; }  // points, or impacts, after which all repeats; 0: it does not
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::vector<double>>& points() const { return points_; }
  const std::vector<Impact>& impacts() const { return impacts_; }
  // A contact that pressed without an impact after t; −1 if none did.
  int lasting_after(double t) const {
    for (const auto& [until, constraint] : lasting_)
      if (until > t) return constraint;
    return -1;
  }

  // How far components go.
  std::vector<double> spreads(std::size_t last) const {
    std::vector<double> low(points_.back()), high(low);
    for (std::size_t k = points_.size() - std::min(last, points_.size()); k < points_.size(); ++k)
      for (int i = 0; i < n_; ++i) {
        low[i] = std::min(low[i], points_[k][i]);
        high[i] = std::max(high[i], points_[k][i]);
      }
    for (int i = 0; i < n_; ++i) high[i] -= low[i];
    return high;
  }
  bool is_ignored(int i) const { return std::find(ignored_.begin(), ignored_.end(), i) != ignored_.end(); }

 private:
  bool agree(const std::vector<double>& a, const std::vector<double>& b) const {
    for (int i = 0; i < n_; ++i)
      if (!is_ignored(i) && !(std::abs(a[i] - b[i]) <= repeats * sizes_[i])) return false;
    return true;
  }
  void note_lasting(const Sample& sample) {
    constexpr double round_off = 1e-9;
    for (std::size_t j = 0; j < struck_.size(); ++j) {
      if (sample.impulse[j] - struck_[j] > round_off * sample.impulse[j])
        lasting_.emplace_back(sample.t, static_cast<int>(j));
      struck_[j] = 0.0;
    }
  }
  // Two rounds must agree.
  std::uint64_t sample_lag() {
    const std::size_t count = points_.size();
    sizes_.resize(n_, 0.0);
    for (int i = 0; i < n_; ++i) sizes_[i] = std::max(sizes_[i], std::abs(points_.back()[i]));
    for (std::size_t lag = 1; lag <= settings_.longest && 2 * lag + 1 < count; ++lag) {
      bool same = true;
      for (std::size_t k = 0; k <= lag && same; ++k) same = agree(points_[count - 1 - k], points_[count - 1 - k - lag]);
      if (same) return lag;
    }
    return 0;
  }
  std::uint64_t impact_lag() const {
    const std::size_t count = impacts_.size();
    for (std::size_t lag = 1; lag <= settings_.longest && 2 * lag + 1 < count; ++lag) {
      double fastest = 0.0;
      for (std::size_t k = count - lag; k < count; ++k) fastest = std::max(fastest, std::abs(impacts_[k].rate_minus));
      const double T = impacts_[count - 1].t - impacts_[count - 1 - lag].t;
      bool same = T > 0.0;
      for (std::size_t k = count - lag; k < count && same; ++k) {
        const Impact &a = impacts_[k], &b = impacts_[k - lag];
        same = a.constraint == b.constraint && std::abs(a.rate_minus - b.rate_minus) <= repeats * fastest &&
               std::abs(a.t - b.t - T) <= repeats * T;
      }
      if (same) return lag;
    }
    return 0;
  }

  const OrbitSettings& settings_;
  const bool by_samples_;
  const int nq_, n_;
  std::vector<int> ignored_;
  std::vector<double> times_, sizes_;
  std::vector<std::vector<double>> points_;
  std::vector<Impact> impacts_;
  std::vector<double> struck_;  // impulses of impacts since the last point
  std::vector<std::pair<double, int>> lasting_;
  std::uint64_t lag_ = 0;
  std::atomic<bool> stop_{false};
};

// The impacts of one period as a chain of arcs, from the state y at a time t before the first of them. Without impacts:
// one arc from t on.
OrbitChain chain_of(OrbitMechanics& mechanics, double t, std::vector<double> y, const std::vector<Impact>& impacts,
                    double T) {
  const std::vector<char> open(static_cast<std::size_t>(mechanics.model().nc()), 0);
  OrbitChain chain{.t = impacts.empty() ? t : impacts.front().t, .shift = std::vector<double>(y.size(), 0.0)};
  if (impacts.empty()) chain.arcs.push_back({std::move(y), T, {}, open});
  for (std::size_t i = 0; i < impacts.size();) {
    const double at = impacts[i].t;
    OrbitArc arc{.held = open};
    for (; i < impacts.size() && impacts[i].t == at; ++i) arc.struck.push_back(impacts[i].constraint);
    std::vector<double> Y = y;
    ArcFlow::Steps steps;
    double condition = 0.0;
    if (!mechanics.flow().advance(t, at - t, y.data(), open, steps, Y.data()) ||
        !mechanics.end(arc, at, Y.data(), y.data(), condition))
      return {};
    arc.y = y;
    arc.tau = (i < impacts.size() ? impacts[i].t : chain.t + T) - at;
    chain.arcs.push_back(std::move(arc));
    t = at;
  }
  // What an arc has now is the impact at its begin: each ends with that of the next one.
  for (std::size_t k = 0; k + 1 < chain.arcs.size(); ++k) chain.arcs[k].struck.swap(chain.arcs[k + 1].struck);
  return chain;
}

// Whether forces, gaps and restitutions at this state are the same at both times.
bool same_at(const Model& model, const std::vector<double>& y, double t0, double t1) {
  const int nq = model.nq(), nc = model.nc();
  const auto values = [&](double t) {
    std::vector<double> all(static_cast<std::size_t>(nq + 3 * nc));
    model.force(t, y.data(), y.data() + nq, y.data() + 2 * nq, all.data());
    if (nc == 0) return all;
    model.gap(t, y.data(), all.data() + nq);
    model.gap_time_derivative(t, y.data(), all.data() + nq + nc);
    model.restitution(t, y.data(), all.data() + nq + 2 * nc);
    return all;
  };
  const std::vector<double> a = values(t0), b = values(t1);
  double size = 0.0, off = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size = std::max({size, std::abs(a[i]), std::abs(b[i])});
    off = std::max(off, std::abs(a[i] - b[i]));
  }
  return off <= 1e-9 * size;
}

void check_system(const OrbitSystem& system, const std::vector<double>& y, double t, double step) {
  const Model& model = *system.model;
  if (model.nf() > 0) throw InputError("orbit", "orbits with friction are not followed: leave friction out");
  if (model.nb() > 0) throw InputError("orbit", "orbits with joints are not followed: use coordinates without them");
  constexpr double places[] = {0.0, 0.137, 0.411, 0.683, 0.907};
  if (system.is_forced()) {
    for (const double place : places)
      if (!same_at(model, y, t + place * system.period, t + (place + 1.0) * system.period))
        throw InputError("orbit.period", fmt::format("forces and obstacles do not repeat after {}: give the period of "
                                                     "the load, such as \"2*pi/w\"",
                                                     to_text(system.period)));
    return;
  }
  for (const double place : places)
    if (!same_at(model, y, t, t + (1.0 + 10.0 * place) * step))
      throw InputError("orbit.period",
                       "is needed, for forces or obstacles depend on time: the period of the load, such "
                       "as \"2*pi/w\"");
}

class Search {
 public:
  Search(const OrbitSystem& system, const State& start, const OrbitSettings& settings)
      : system_(system), settings_(settings), mechanics_(system), forced_(system.is_forced()), start_(start) {}

  OrbitSearch find() {
    std::vector<double> y = start_.q;
    y.insert(y.end(), start_.v.begin(), start_.v.end());
    y.insert(y.end(), start_.z.begin(), start_.z.end());
    check_system(system_, y, start_.t, settings_.step);
    Watched motion(*system_.model, settings_, forced_);
    const double h = forced_ ? system_.period : settings_.step;
    const Scheme scheme = EventDriven{.rtol = 1e-10};
    if (forced_ && settings_.guessed == 0) leave_start(scheme);
    double span = settings_.settle > 0.0 ? settings_.settle : 1000.0 * h;
    if (settings_.guessed > 0 && forced_) span = static_cast<double>(settings_.guessed) * h;
    span = std::max(1.0, std::round(span / h)) * h;
    const RunSettings run{.h = h * (1.0 + 1e-12), .keep = false, .account = false, .interrupt = motion.stop()};
    const Solution solution = simulate(*system_.model, start_, {start_.t, start_.t + span}, scheme, run, &motion);
    OrbitSearch result;
    result.simulated = solution.final.t - start_.t;
    if (is_set(settings_.interrupt)) {
      result.failure = "interrupted before the motion repeated";
      return result;
    }
    if (solution.status == Status::failed) {
      result.failure = solution.failure.message;
      return result;
    }
    std::optional<OrbitChain> chain = read(motion, result);
    if (!chain) return result;
    if (const int j = motion.lasting_after(last_begin_); j >= 0) {
      result.failure = fmt::format("the motion rests on {} for a while: orbits with lasting contact are not followed",
                                   system_.model->layout().constraints[j]);
      return result;
    }
    set_shifts(*chain);
    OrbitSearch refined = refine_orbit(system_, *chain);
    // A motion that still swings may seem to repeat after a multiple of its period only.
    if (refined.failure.empty() && settings_.guessed == 0)
      if (const std::optional<OrbitChain> part = shortest(refined.orbit.chain)) {
        const double moved = refined.moved;
        refined = refine_orbit(system_, *part);
        refined.moved = moved;
      }
    refined.simulated = result.simulated;
    constexpr double far = 0.05;
    if (refined.failure.empty() && settings_.guessed == 0 && refined.moved > far)
      refined.failure =
          "Newton's method led away from the motion that was simulated: it may need longer to settle (orbit.settle)";
    return refined;
  }

 private:
  // A start may be an impact of the orbit, and points once a period would then be now before it, now after it: they are
  // taken from a part of a period on that no ratio of small numbers gives.
  void leave_start(const Scheme& scheme) {
    const double part = 0.5 * (3.0 - std::sqrt(5.0)) * system_.period;
    const Solution way = simulate(*system_.model, start_, {start_.t, start_.t + part}, scheme,
                                  {.h = part, .keep = false, .account = false, .interrupt = settings_.interrupt});
    if (way.status == Status::completed) start_ = way.final;
  }

  std::optional<OrbitChain> read(const Watched& motion, OrbitSearch& result) {
    const std::uint64_t lag = settings_.guessed > 0 ? settings_.guessed : motion.lag();
    if (forced_ && lag > 0) return read_forced(motion, lag);
    if (!forced_ && lag > 0 && motion.impacts().size() > lag) return read_impacts(motion, lag);
    if (!forced_ && motion.impacts().empty()) return read_return(motion, result);
    result.failure = fmt::format(
        "the motion does not repeat within {} {}, after t = {}: it may be chaotic, or need longer to settle "
        "(orbit.settle), or repeat later (orbit.longest)",
        settings_.longest, forced_ ? "periods of the load" : "impacts", to_text(result.simulated));
    return std::nullopt;
  }

  // The last lag periods, told in the first period after the start.
  OrbitChain read_forced(const Watched& motion, std::uint64_t lag) {
    const std::size_t begin = motion.times().size() - 1 - lag;
    last_begin_ = motion.times()[begin];
    const double t = last_begin_, T = static_cast<double>(lag) * system_.period;
    std::vector<Impact> impacts;
    for (const Impact& impact : motion.impacts())
      if (impact.t > t && impact.t <= t + T) impacts.push_back(impact);
    const double back = std::round((t - start_.t) / system_.period) * system_.period;
    for (Impact& impact : impacts) impact.t -= back;
    OrbitChain chain = chain_of(mechanics_, t - back, motion.points()[begin], impacts, T);
    chain.periods = lag;
    return chain;
  }

  // From the impact that is lag before the last one.
  OrbitChain read_impacts(const Watched& motion, std::uint64_t lag) {
    const std::vector<Impact>& all = motion.impacts();
    const std::size_t last = all.size() - 1, first = last - lag;
    std::vector<Impact> impacts(all.begin() + static_cast<std::ptrdiff_t>(first),
                                all.begin() + static_cast<std::ptrdiff_t>(last));
    const auto after = std::lower_bound(motion.times().begin(), motion.times().end(), impacts.front().t);
    const auto before = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - motion.times().begin() - 1));
    // Impacts between that point and the first one of the chain are passed on the way.
    std::vector<Impact> with_way;
    for (std::size_t k = 0; k < first; ++k)
      if (all[k].t > motion.times()[before]) with_way.push_back(all[k]);
    const std::size_t way = with_way.size();
    last_begin_ = motion.times()[before];
    with_way.insert(with_way.end(), impacts.begin(), impacts.end());
    const double T = all[last].t - all[first].t;
    OrbitChain chain = chain_of(mechanics_, motion.times()[before], motion.points()[before], with_way, T);
    chain.arcs.erase(chain.arcs.begin(), chain.arcs.begin() + static_cast<std::ptrdiff_t>(way));
    chain.t = impacts.front().t;
    if (way > 0) chain.arcs.back().struck = {impacts.front().constraint};
    chain.arcs.back().tau = chain.t + T - impacts.back().t;
    return chain;
  }

  // Without impacts: back to where the motion last passed the plane through its end, across its own direction.
  std::optional<OrbitChain> read_return(const Watched& motion, OrbitSearch& result) {
    const std::vector<std::vector<double>>& points = motion.points();
    const std::vector<double>& end = points.back();
    const int n = static_cast<int>(end.size());
    std::vector<double> f(end.size()), spread = motion.spreads(points.size() / 2);
    const double t_end = motion.times().back();
    mechanics_.flow().rate(t_end, end.data(), std::vector<char>(system_.model->nc(), 0), f.data());
    std::vector<double> whole = motion.spreads(points.size());
    const auto across = [&](const std::vector<double>& y) {
      double sum = 0.0;
      for (int i = 0; i < n; ++i)
        if (!motion.is_ignored(i) && spread[i] > 0.0) sum += f[i] * (y[i] - end[i]) / (spread[i] * spread[i]);
      return sum;
    };
    const auto is_near = [&](const std::vector<double>& y) {
      for (int i = 0; i < n; ++i)
        if (!motion.is_ignored(i) && std::abs(y[i] - end[i]) > 0.1 * spread[i]) return false;
      return true;
    };
    constexpr double rest = 1e-4;  // of how far the motion went before
    double moves = 0.0;
    for (int i = 0; i < n; ++i)
      if (whole[i] > 0.0) moves = std::max(moves, spread[i] / whole[i]);
    bool left = false;
    for (std::size_t k = points.size() - 1; moves > rest && k-- > 1;) {
      const double now = across(points[k]), before = across(points[k - 1]);
      left = left || !is_near(points[k]);
      if (!left || !(before < 0.0 && now >= 0.0) || !is_near(points[k])) continue;
      const double dt = motion.times()[k] - motion.times()[k - 1];
      const double T = t_end - (motion.times()[k - 1] + dt * (before / (before - now)));
      return chain_of(mechanics_, t_end, end, {}, T);
    }
    result.failure = moves > rest ? "the motion does not come back to where it was: it may need longer to settle "
                                    "(orbit.settle)"
                                  : "the motion comes to rest: there is no orbit to find";
    return std::nullopt;
  }

  // The first part of the chain, if all of it is that part again and again.
  std::optional<OrbitChain> shortest(const OrbitChain& chain) {
    constexpr double same = 1e-9;
    const std::size_t arcs = chain.arcs.size(), n = forced_ ? chain.periods : arcs;
    const std::vector<double> sizes = ChainEquations(mechanics_, chain).sizes().y;
    const auto agrees = [&](const std::vector<double>& a, const std::vector<double>& b, double part) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] + part * chain.shift[i] - b[i]) <= same * sizes[i])) return false;
      return true;
    };
    for (std::size_t part = 1; part < n; ++part) {
      if (n % part != 0 || (chain.has_impacts() && arcs * part % n != 0)) continue;
      const double share = static_cast<double>(part) / static_cast<double>(n);
      OrbitChain less = chain;
      less.periods = forced_ ? part : 1;
      for (double& d : less.shift) d *= share;
      bool repeats_itself = true;
      if (chain.has_impacts()) {
        const std::size_t length = arcs * part / n;
        for (std::size_t k = 0; k + length < arcs && repeats_itself; ++k)
          repeats_itself = chain.arcs[k].struck == chain.arcs[k + length].struck &&
                           std::abs(chain.arcs[k].tau - chain.arcs[k + length].tau) <= same * chain.period() &&
                           agrees(chain.arcs[k].y, chain.arcs[k + length].y, share);
        less.arcs.resize(length);
      } else {
        less.arcs[0].tau = static_cast<double>(part) * system_.period;
        std::vector<double> Y(chain.arcs[0].y);
        ArcFlow::Steps steps;
        repeats_itself = mechanics_.flow().advance(chain.t, less.arcs[0].tau, chain.arcs[0].y.data(),
                                                   chain.arcs[0].held, steps, Y.data()) &&
                         agrees(chain.arcs[0].y, Y, share);
      }
      if (repeats_itself) return less;
    }
    return std::nullopt;
  }

  void set_shifts(OrbitChain& chain) const {
    chain.unknown_shifts = settings_.drift;
    for (std::size_t i = 0; i < settings_.known_shift.size(); ++i) chain.shift[i] = settings_.known_shift[i];
    // What is found begins with what the last arc makes of it.
    if (settings_.drift.empty() || chain.arcs.empty()) return;
    OrbitMechanics mechanics(system_);
    const OrbitArc& last = chain.arcs.back();
    std::vector<double> Y(last.y);
    ArcFlow::Steps steps;
    mechanics.flow().advance(chain.t + chain.period() - last.tau, last.tau, last.y.data(), last.held, steps, Y.data());
    for (const int i : settings_.drift) chain.shift[i] = Y[i] - chain.arcs.front().y[i];
  }

  const OrbitSystem& system_;
  const OrbitSettings& settings_;
  OrbitMechanics mechanics_;
  const bool forced_;
  State start_;
  double last_begin_ = std::numeric_limits<double>::infinity();  // of the part that was read
};

}  // namespace

OrbitSearch find_orbit(const OrbitSystem& system, const State& start, const OrbitSettings& settings) {
  return Search(system, start, settings).find();
}

std::vector<State> orbit_motion(const OrbitSystem& system, const OrbitChain& chain, std::size_t points) {
  const auto nq = static_cast<std::ptrdiff_t>(system.model->nq());
  ArcFlow flow(system.model);
  std::vector<State> motion;
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    std::vector<double> y = arc.y;
    for (std::size_t k = 0; k < points; ++k) {
      const double s = arc.tau * static_cast<double>(k) / static_cast<double>(points - 1);
      ArcFlow::Steps steps;
      if (!flow.advance(t, s, arc.y.data(), arc.held, steps, y.data())) break;
      motion.push_back(
          {t + s, {y.begin(), y.begin() + nq}, {y.begin() + nq, y.begin() + 2 * nq}, {y.begin() + 2 * nq, y.end()}});
    }
    t += arc.tau;
  }
  return motion;
}

OrbitSearch refine_orbit(const OrbitSystem& system, const OrbitChain& chain) {
  OrbitSearch result;
  if (chain.arcs.empty()) {
    result.failure = "the motion could not be followed along its arcs";
    return result;
  }
  OrbitMechanics mechanics(system);
  ChainEquations equations(mechanics, chain);
  OrbitChain found = chain;
  const std::optional<NewtonEnd> end = solve_chain(equations, found);
  DenseMatrix J(equations.size(), equations.size());
  if (!end || !equations.jacobian(found, J)) {
    result.failure = "Newton's method finds no orbit close to this motion";
    return result;
  }
  result.orbit = describe_orbit(equations, found, *end);
  result.moved = end->moved;
  return result;
}

}  // namespace ricochet
