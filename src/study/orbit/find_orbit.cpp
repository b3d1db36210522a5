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
#include "study/orbit/watched_motion.hpp"

namespace ricochet {
namespace {

// The arcs between the events of one period, T long. Says in `failure` what cannot be told as a chain.
OrbitChain chain_of(OrbitMechanics& mechanics, const std::vector<MotionEvent>& events, double T, std::string& failure) {
  const Layout& layout = mechanics.model().layout();
  const int nq = mechanics.model().nq();
  OrbitChain chain{.t = events.front().t, .shift = std::vector<double>(events.front().y.size(), 0.0)};
  for (std::size_t i = 0; i < events.size(); ++i) {
    const MotionEvent &begin = events[i], &end = events[(i + 1) % events.size()];
    OrbitArc arc{.y = begin.y, .tau = end.t - begin.t + (i + 1 == events.size() ? T : 0.0), .held = begin.held};
    arc.end = end.end, arc.which = end.which, arc.struck = end.struck;
    const auto refuse = [&](const std::string& why) {
      failure = fmt::format("at t = {} {}: orbits with this are not followed", to_text(end.t), why);
      return OrbitChain{};
    };
    if (arc.which < 0) return refuse("contacts that are closed already are struck");
    if (arc.end == ArcEnd::stops && layout.frictions[arc.which].rows > 1) return refuse("a slip in space stops");
    if (arc.end == ArcEnd::impact) {
      // What the law does, in blows, must be what the motion did.
      std::vector<double> y = end.y;
      std::copy(end.v_minus.begin(), end.v_minus.end(), y.begin() + nq);
      const std::optional<std::vector<OrbitBlow>> blows =
          mechanics.impacts().blows(end.t, y.data(), end.touches, y.data() + nq);
      if (!blows) return refuse("an impact slides in space, or takes too many blows");
      arc.blows = *blows;
      double off = mechanics.impacts().hold(end.t, end.held, y.data()) ? 0.0 : 1.0, size = 0.0;
      for (int k = nq; k < 2 * nq; ++k) size = std::max({size, std::abs(y[k]), std::abs(end.v_minus[k - nq])});
      for (int k = nq; k < 2 * nq; ++k) off = std::max(off, std::abs(y[k] - end.y[k]) / size);
      constexpr double equal = 1e-6;
      if (!(off < equal)) return refuse("velocities jump in another way than by the impact law");
    }
    chain.arcs.push_back(std::move(arc));
  }
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
    const double h = forced_ ? system_.period : settings_.step;
    if (forced_ && settings_.guessed == 0) leave_start(EventDriven{.rtol = 1e-10});
    double span = settings_.settle > 0.0 ? settings_.settle : 1000.0 * h;
    if (settings_.guessed > 0 && forced_) span = static_cast<double>(settings_.guessed) * h;
    WatchedMotion motion(*system_.model, settings_, forced_);
    OrbitSearch result;
    result.failure = motion.run(start_, h, static_cast<std::uint64_t>(std::max(1.0, std::round(span / h))));
    result.simulated = motion.times().back() - start_.t;
    if (is_set(settings_.interrupt)) result.failure = "interrupted before the motion repeated";
    if (!result.failure.empty()) return result;
    std::optional<OrbitChain> chain = read(motion, result);
    if (!chain || !result.failure.empty()) return result;
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
    if (refined.failure.empty() && settings_.section) move_to_section(refined);
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

  std::optional<OrbitChain> read(const WatchedMotion& motion, OrbitSearch& result) {
    const std::uint64_t lag = forced_ && settings_.guessed > 0 ? settings_.guessed : motion.lag();
    if (forced_ && lag > 0) return read_forced(motion, lag, result.failure);
    if (!forced_ && lag > 0) return read_events(motion, lag, result.failure);
    if (!forced_ && (settings_.guessed > 0 ? motion.events().size() == 1
                                           : motion.events().back().t <= motion.times()[motion.times().size() / 2]))
      return settings_.section ? read_section(motion, result) : read_return(motion, result);
    result.failure = fmt::format(
        "the motion does not repeat within {} {}, after t = {}: it may be chaotic, or need longer to settle "
        "(orbit.settle), or repeat later (orbit.longest)",
        settings_.longest, forced_ ? "periods of the load" : "impacts", to_text(result.simulated));
    return std::nullopt;
  }

  // One arc from t on.
  static OrbitChain without_events(double t, const std::vector<double>& y, const OrbitHold& held, double T) {
    return {.t = t, .arcs = {{.y = y, .tau = T, .held = held}}, .shift = std::vector<double>(y.size(), 0.0)};
  }

  // The last lag periods, told in the first period after the start.
  OrbitChain read_forced(const WatchedMotion& motion, std::uint64_t lag, std::string& failure) {
    const std::size_t begin = motion.times().size() - 1 - lag;
    const double t = motion.times()[begin], T = static_cast<double>(lag) * system_.period;
    const double back = std::round((t - start_.t) / system_.period) * system_.period;
    std::vector<MotionEvent> events;
    for (const MotionEvent& event : motion.events())
      if (event.t > t && event.t <= t + T && event.end != ArcEnd::period) events.push_back(event);
    for (MotionEvent& event : events) event.t -= back;
    OrbitChain chain = events.empty() ? without_events(t - back, motion.points()[begin], motion.held_at(t), T)
                                      : chain_of(mechanics_, events, T, failure);
    chain.periods = lag;
    return chain;
  }

  // The last lag events; guessed: from the first one on.
  OrbitChain read_events(const WatchedMotion& motion, std::uint64_t lag, std::string& failure) {
    const std::vector<MotionEvent>& all = motion.events();
    const std::size_t first = settings_.guessed > 0 ? 1 : all.size() - 1 - lag;
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return chain_of(mechanics_, {begin, begin + static_cast<std::ptrdiff_t>(lag)}, all[first + lag].t - begin->t,
                    failure);
  }

  // Without events: back to where the motion last passed the plane through its end, across its own direction.
  std::optional<OrbitChain> read_return(const WatchedMotion& motion, OrbitSearch& result) {
    const std::vector<std::vector<double>>& points = motion.points();
    const std::vector<double>& end = points.back();
    const int n = static_cast<int>(end.size());
    std::vector<double> f(end.size()), spread = motion.spreads(points.size() / 2);
    const double t_end = motion.times().back();
    mechanics_.flow().rate(t_end, end.data(), motion.held_at(t_end), f.data());
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
      return without_events(t_end, end, motion.held_at(t_end), T);
    }
    result.failure = moves > rest ? "the motion does not come back to where it was: it may need longer to settle "
                                    "(orbit.settle)"
                                  : "the motion comes to rest: there is no orbit to find";
    return std::nullopt;
  }

  // Where the section function passes 0, rising, within an arc that is `length` long: how long after its begin.
  std::optional<double> passage(double t, double length, const OrbitArc& arc, std::size_t looks) {
    double s0 = 0.0, f0 = section_at(t, 0.0, arc);
    for (std::size_t k = 1; k <= looks; ++k) {
      double s1 = length * static_cast<double>(k) / static_cast<double>(looks), f1 = section_at(t, s1, arc);
      if (f0 < 0.0 && f1 >= 0.0) {
        // bisection: what is between is known to round-off of the arc
        for (int round = 0; round < 60; ++round) {
          const double s = 0.5 * (s0 + s1);
          (section_at(t, s, arc) < 0.0 ? s0 : s1) = s;
        }
        return s1;
      }
      s0 = s1, f0 = f1;
    }
    return std::nullopt;
  }
  State state_at(double t, double s, const OrbitArc& arc) {
    const std::vector<double> y = state_along(mechanics_, arc, t, s);
    const auto nq = static_cast<std::ptrdiff_t>(mechanics_.model().nq());
    return {t + s, {y.begin(), y.begin() + nq}, {y.begin() + nq, y.begin() + 2 * nq}, {y.begin() + 2 * nq, y.end()}};
  }
  double section_at(double t, double s, const OrbitArc& arc) { return settings_.section(state_at(t, s, arc)); }

  // The state of an orbit that was found is told where it first passes the section.
  void move_to_section(OrbitSearch& found) {
    constexpr std::size_t looks = 200;
    double t = found.orbit.chain.t;
    for (const OrbitArc& arc : found.orbit.chain.arcs) {
      if (const std::optional<double> s = passage(t, arc.tau, arc, looks)) {
        found.orbit.state = state_at(t, *s, arc);
        found.orbit.returns = {found.orbit.state};
        return;
      }
      t += arc.tau;
    }
    found.failure = "the orbit does not pass its section: orbit.section never rises through 0 along it";
  }

  // Without events: the last rounds from section to section, after which the motion repeats; guessed: the first ones.
  std::optional<OrbitChain> read_section(const WatchedMotion& motion, OrbitSearch& result) {
    std::vector<OrbitArc> passages;
    std::vector<double> times;
    for (std::size_t k = 0; k + 1 < motion.times().size(); ++k) {
      const double t = motion.times()[k], length = motion.times()[k + 1] - t;
      const OrbitArc piece{.y = motion.points()[k], .tau = length, .held = motion.held_at(t)};
      const std::optional<double> s = passage(t, length, piece, 1);
      if (!s) continue;
      times.push_back(t + *s);
      passages.push_back({.y = state_along(mechanics_, piece, t, *s), .held = piece.held});
      if (settings_.guessed > 0 && passages.size() > settings_.guessed) break;
    }
    const std::size_t count = passages.size();
    const auto chain = [&](std::size_t first, std::size_t last) {
      return without_events(times[first], passages[first].y, passages[first].held, times[last] - times[first]);
    };
    if (settings_.guessed > 0 && count > settings_.guessed) return chain(0, settings_.guessed);
    for (std::size_t lag = 1; settings_.guessed == 0 && lag <= settings_.longest && lag < count; ++lag)
      if (motion.agree(passages[count - 1].y, passages[count - 1 - lag].y)) return chain(count - 1 - lag, count - 1);
    result.failure = count < 2 ? fmt::format(
                                     "the motion passes its section {} until t = {}: orbit.section must rise "
                                     "through 0 in every round",
                                     count == 0 ? "nowhere" : "only once", to_text(result.simulated))
                               : fmt::format(
                                     "the motion does not repeat within {} passages of its section: it may "
                                     "need longer to settle (orbit.settle), or repeat later (orbit.longest)",
                                     settings_.guessed > 0 ? settings_.guessed : settings_.longest);
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
      if (n % part != 0 || (chain.has_events() && arcs * part % n != 0)) continue;
      const double share = static_cast<double>(part) / static_cast<double>(n);
      OrbitChain less = chain;
      less.periods = forced_ ? part : 1;
      for (double& d : less.shift) d *= share;
      bool repeats_itself = true;
      if (chain.has_events()) {
        const std::size_t length = arcs * part / n;
        for (std::size_t k = 0; k + length < arcs && repeats_itself; ++k)
          repeats_itself = chain.arcs[k].end == chain.arcs[k + length].end &&
                           chain.arcs[k].which == chain.arcs[k + length].which &&
                           chain.arcs[k].held == chain.arcs[k + length].held &&
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
};

}  // namespace

OrbitSearch find_orbit(const OrbitSystem& system, const State& start, const OrbitSettings& settings) {
  return Search(system, start, settings).find();
}

std::vector<State> orbit_motion(const OrbitSystem& system, const OrbitChain& chain, std::size_t points) {
  const auto nq = static_cast<std::ptrdiff_t>(system.model->nq());
  OrbitMechanics mechanics(system);
  const ChainEquations sizes(mechanics,
                             chain);  // by which errors of steps are measured: what rests has none of its own
  std::vector<State> motion;
  double t = chain.t;
  for (const OrbitArc& arc : chain.arcs) {
    const double ds = arc.tau / static_cast<double>(points - 1);
    std::vector<double> y = arc.y;
    for (std::size_t k = 0; k < points; ++k) {
      const double s = ds * static_cast<double>(k);
      ArcFlow::Steps steps;
      if (k > 0 && !mechanics.flow().advance(t + s - ds, ds, y.data(), arc.held, steps, y.data())) break;
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
