#include "ricochet/study/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "study/orbit/numbers.hpp"

namespace ricochet {
namespace {

using namespace branches;

// Steps Δs, of which the whole range and the sizes of the motion are 1.
constexpr double first_part = 0.25;     // of the largest step: the first one
constexpr double least_step = 1e-8;     // shorter ones are not tried
constexpr double sharpest = 0.9;        // cosine between tangents: longer steps are halved
constexpr double least_turning = 1e-3;  // of the largest step: below, tangents may turn as they like
constexpr double located = 1e-13;       // where special points lie
constexpr int few_iterations = 4, many_iterations = 6;
constexpr std::size_t least_of_closed = 8;  // points of a branch that comes back to where it began
// Test functions, each relative to the size of what it tests.
constexpr double on_limit = 1e-13;       // 0 up to round-off: the branch begins on the limit
constexpr double close_to_limit = 1e-5;  // here a run cannot tell a motion from what is none
constexpr double on_circle = 1e-6;       // | |μ| − 1 | of a pair that passes the unit circle
constexpr double same_place = 1e-6;      // of the range: special points that are one

// The chain twice over.
OrbitChain doubled(const OrbitChain& chain) {
  OrbitChain twice = chain;
  twice.arcs.insert(twice.arcs.end(), chain.arcs.begin(), chain.arcs.end());
  twice.periods *= 2;
  // What comes back shifted is shifted in the second round.
  for (std::size_t k = chain.arcs.size(); k < twice.arcs.size(); ++k)
    for (std::size_t i = 0; i < chain.shift.size(); ++i) twice.arcs[k].y[i] += chain.shift[i];
  for (double& d : twice.shift) d *= 2.0;
  return twice;
}

// The tangent of a chain as one of the chain twice over.
Vector doubled(const Vector& tangent, std::size_t arcs, std::size_t width, bool has_time) {
  Vector twice(tangent.begin(), tangent.end() - 1);
  const std::size_t first = has_time ? 1 : 0;
  twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(first + arcs * width),
               tangent.begin() + static_cast<std::ptrdiff_t>(first),
               tangent.begin() + static_cast<std::ptrdiff_t>(first + arcs * width));
  twice.push_back(tangent.back());
  return twice;
}

// The blow of a contact that is just touched, while the arc holds what it holds.
OrbitBlow touching_blow(OrbitMechanics& mechanics, const OrbitArc& arc, int contact, double t, const double* y) {
  const Layout& layout = mechanics.model().layout();
  OrbitBlow blow{{contact}, arc.held.frictions};
  for (int j = 0; j < layout.nc(); ++j)
    if (arc.held.contacts[j]) blow.contacts.push_back(j);
  for (int k = 0; k < layout.nf(); ++k) {
    if (layout.frictions[k].constraint < 0) blow.frictions[k] = {};
    if (layout.frictions[k].constraint != contact) continue;
    const double slip = mechanics.impacts().slip(k, t, y);
    blow.frictions[k] = {OrbitFriction::Mode::slide, {slip < 0.0 ? -1.0 : 1.0, 0.0}};
  }
  return blow;
}

// The chain with one more impact, where a gap just closes.
std::optional<OrbitChain> with_impact(OrbitMechanics& mechanics, const OrbitChain& chain, const LowestMargin& at) {
  OrbitChain more = chain;
  OrbitArc& arc = more.arcs[at.arc];
  double t = chain.t;
  for (std::size_t k = 0; k < at.arc; ++k) t += chain.arcs[k].tau;
  OrbitArc second = arc;
  ArcFlow::Steps steps;
  if (!mechanics.flow().advance(t, at.s, arc.y.data(), arc.held, steps, second.y.data())) return std::nullopt;
  OrbitArc& first = chain.has_events() ? arc : second;
  first.end = ArcEnd::impact, first.which = at.which, first.struck = {at.which};
  first.blows = {touching_blow(mechanics, arc, at.which, t + at.s, second.y.data())};
  if (!chain.has_events()) {
    more.t = t + at.s;
    more.arcs = {second};
    return more;
  }
  second.tau = arc.tau - at.s;
  arc.tau = at.s;
  more.arcs.insert(more.arcs.begin() + static_cast<std::ptrdiff_t>(at.arc) + 1, second);
  return more;
}

// The chain without the impact that ends arc k.
OrbitChain without_impact(const OrbitChain& chain, std::size_t k) {
  OrbitChain less = chain;
  const std::size_t next = (k + 1) % chain.arcs.size();
  OrbitArc& arc = less.arcs[k];
  if (chain.arcs.size() == 1) {
    arc.end = ArcEnd::period, arc.which = -1;
    arc.struck.clear(), arc.blows.clear();
    return less;
  }
  const OrbitArc& behind = chain.arcs[next];
  arc.tau += behind.tau;
  arc.end = behind.end, arc.which = behind.which, arc.struck = behind.struck, arc.blows = behind.blows;
  if (next == 0) less.t += chain.arcs[0].tau;  // the arc goes on beyond the end of the period
  less.arcs.erase(less.arcs.begin() + static_cast<std::ptrdiff_t>(next));
  return less;
}

class Continuer {
 public:
  Continuer(const OrbitFamily& family, const ContinuationSettings& settings)
      : family_(family), settings_(settings), walker_(family, settings) {}

  Continuation run(const Orbit& start, double p) {
    if (std::optional<Point> point = walker_.at(start.chain, p)) {
      waiting_.push_back({std::move(*point), true, -1, {}});
    } else {
      add(SpecialKind::end, p, 0, 0, no_orbit("does not hold the orbit at the start"));
      result_.branches.emplace_back();
    }
    while (!waiting_.empty() && result_.branches.size() < settings_.most_branches && !interrupted()) {
      const Start next = std::move(waiting_.front());
      waiting_.pop_front();
      follow(next);
    }
    result_.interrupted = interrupted();
    return std::move(result_);
  }

 private:
  struct Start {
    Point point;
    bool both = false;  // ways
    int parent = -1;
    std::string origin;
  };
  struct Found {
    Test test = fold;
    std::size_t index = 0;  // of the point on the way
    std::string why;        // where the branch ends
  };
  struct Way {
    std::vector<Point> points;
    std::vector<Found> found;
  };

  bool interrupted() const { return is_set(settings_.interrupt); }

  void add(SpecialKind kind, double p, std::size_t branch_number, std::size_t index, std::string sentence) {
    result_.points.push_back({kind, p, branch_number, index, std::move(sentence)});
  }

  void follow(const Start& start) {
    Way forward = walk(start.point), backward;
    if (start.both) {
      Point turned = start.point;
      for (double& entry : turned.tangent) entry = -entry;
      turned.tests[fold] = -turned.tests[fold];
      turned.tests[branch] = -turned.tests[branch];
      backward = walk(turned);
    }
    const std::size_t number = result_.branches.size();
    OrbitBranch branch_points{.parent = start.parent, .origin = start.origin};
    const std::size_t back = backward.points.size();
    for (std::size_t k = back; k-- > 0;)
      branch_points.points.push_back({backward.points[k].p, backward.points[k].orbit});
    branch_points.points.push_back({start.point.p, start.point.orbit});
    for (const Point& point : forward.points) branch_points.points.push_back({point.p, point.orbit});
    for (std::size_t k = backward.found.size(); k-- > 0;)
      tell(backward.found[k], backward.points, number, back - 1 - backward.found[k].index);
    for (const Found& found : forward.found) tell(found, forward.points, number, back + 1 + found.index);
    result_.branches.push_back(std::move(branch_points));
  }

  void tell(const Found& found, const std::vector<Point>& points, std::size_t number, std::size_t place) {
    const Point* point = found.index < points.size() ? &points[found.index] : nullptr;
    const double p = point != nullptr ? point->p : std::numeric_limits<double>::quiet_NaN();
    add(kinds[found.test], p, number, place, point != nullptr ? sentence(found, *point) : found.why);
    if (settings_.branches && point != nullptr && found.why.empty()) branch_off(found.test, *point, number);
  }

  std::string sentence(const Found& found, const Point& point) {
    if (!found.why.empty()) return found.why;
    const Layout& layout = walker_.layout(point.p);
    switch (found.test) {
      case fold: return "the branch turns, and a multiplier passes 1";
      case flip: return "a multiplier passes -1: an orbit of twice the period comes off";
      case torus: return "a pair of multipliers leaves the unit circle: motions with two frequencies come off";
      case branch: return "two branches of orbits cross";
      case grazing:
        return fmt::format(
            "{} is touched between impacts: beyond, the orbit would enter it; one with one impact more "
            "begins here",
            layout.constraints[point.lowest.which]);
      case lost: return "an impact becomes as slow as 0 and is lost: the orbit without it begins here";
      case meeting: return "two impacts meet, or another constraint closes at an impact: the chain of arcs ends here";
      case sticking:
        return "lasting contact begins or ends, or an arc with it breaks in two: the chain of arcs ends here";
      default: return "the end of the range";
    }
  }

  // One way along a branch.
  Way walk(const Point& from) {
    Way way;
    Point now = from;
    double ds = first_part * settings_.largest_step;
    while (way.points.size() < settings_.most_points) {
      std::optional<Point> next = next_point(now, ds);
      if (!next) return ended(std::move(way), now, interrupted() ? "interrupted" : no_orbit("finds no orbit beyond"));
      if (look_between(now, *next, ds, way)) return way;
      if (!next->orbit.inadmissible.empty() && is_clear(*next))
        return ended(std::move(way), now, "beyond, " + next->orbit.inadmissible);
      way.points.push_back(*next);
      now = std::move(*next);
      if (now.iterations <= few_iterations) ds = std::min(1.5 * ds, settings_.largest_step);
      if (now.iterations > many_iterations) ds *= 0.6;
      if (way.points.size() > least_of_closed && comes_back(from, now))
        return ended(std::move(way), now, "the branch is closed: it comes back to where it began");
    }
    return ended(std::move(way), now,
                 fmt::format("{} points: more are allowed by continue.points", settings_.most_points));
  }

  // A step whose tangent turns little, half as long each time; none: Newton's method ends here, or the user.
  std::optional<Point> next_point(const Point& now, double& ds) {
    for (; ds >= least_step && !interrupted(); ds *= 0.5) {
      std::optional<Point> next = walker_.step(now, ds);
      if (next && (next->cosine >= sharpest || ds <= least_turning * settings_.largest_step)) return next;
    }
    return std::nullopt;
  }

  Way ended(Way way, const Point& now, std::string why) const {
    if (way.points.empty()) way.points.push_back(now);
    way.found.push_back({lower_end, way.points.size() - 1, std::move(why)});
    return way;
  }

  std::string no_orbit(const char* what) const {
    return fmt::format("Newton's method {}{}{}", what, walker_.why().empty() ? "" : ": ", walker_.why());
  }

  // Far from grazing and from losing an impact a chain must be a motion.
  static bool is_clear(const Point& point) {
    return std::min({point.tests[grazing], point.tests[lost], point.tests[sticking]}) > close_to_limit;
  }

  bool comes_back(const Point& from, const Point& now) const {
    if (std::abs(now.p - from.p) > settings_.largest_step * walker_width()) return false;
    if (now.chain.arcs.size() != from.chain.arcs.size()) return false;
    for (std::size_t k = 0; k < now.chain.arcs.size(); ++k)
      for (std::size_t i = 0; i < now.chain.shift.size(); ++i) {
        const double a = now.chain.arcs[k].y[i], b = from.chain.arcs[k].y[i];
        if (std::abs(a - b) > settings_.largest_step * std::max(std::abs(a), std::abs(b))) return false;
      }
    return std::signbit(now.tests[fold]) == std::signbit(from.tests[fold]);
  }
  double walker_width() const { return std::abs(settings_.until - settings_.from); }

  // Special points between two points; true if the branch ends there.
  bool look_between(const Point& a, const Point& b, double ds, Way& way) {
    struct Place {
      Test test;
      double ds;
      Point point;
    };
    std::vector<Place> places;
    for (int k = 0; k < test_count; ++k) {
      const auto test = static_cast<Test>(k);
      const double before = a.tests[test], after = b.tests[test];
      if (test >= grazing ? !(before > on_limit && after < 0.0) : !(before * after < 0.0)) {
        if (test >= grazing && after < 0.0) {
          // from the very point where it begins, the wrong way
          if (way.points.empty()) way.points.push_back(a);
          way.found.push_back({test, way.points.size() - 1, "the end of the range"});
          return true;
        }
        continue;
      }
      double where = 0.0;
      std::optional<Point> point = locate(test, a, b, ds, where);
      if (point && is_real(test, *point)) places.push_back({test, where, std::move(*point)});
    }
    std::sort(places.begin(), places.end(), [](const Place& x, const Place& y) { return x.ds < y.ds; });
    for (Place& place : places) {
      way.points.push_back(std::move(place.point));
      way.found.push_back({place.test, way.points.size() - 1, {}});
      if (place.test >= grazing) return true;
    }
    return false;
  }

  static bool is_real(Test test, const Point& point) {
    if (test != torus) return true;
    return std::any_of(point.orbit.multipliers.begin(), point.orbit.multipliers.end(),
                       [](const auto& mu) { return mu.imag() != 0.0 && std::abs(std::abs(mu) - 1.0) < on_circle; });
  }

  // Regula falsi with halved weights (Illinois) in Δs, bisection where it is slow.
  std::optional<Point> locate(Test test, const Point& a, const Point& b, double ds, double& where) {
    double s0 = 0.0, s1 = ds, f0 = a.tests[test], f1 = b.tests[test];
    std::optional<Point> best = b;
    where = ds;
    int side = 0;
    const double zero = std::numeric_limits<double>::epsilon() * std::max(std::abs(f0), std::abs(f1));
    for (int k = 0; k < 60 && s1 - s0 > located; ++k) {
      const double s = k < 25 ? s0 + (s1 - s0) * (f0 / (f0 - f1)) : 0.5 * (s0 + s1);
      std::optional<Point> point = walker_.step(a, s);
      if (!point) return best;
      const double f = point->tests[test];
      best = std::move(point);
      where = s;
      if (std::abs(f) <= zero) break;
      if ((f > 0.0) == (f1 > 0.0)) {
        if (side == 1) f0 *= 0.5;
        s1 = s, f1 = f, side = 1;
      } else {
        if (side == -1) f1 *= 0.5;
        s0 = s, f0 = f, side = -1;
      }
    }
    return best;
  }

  // Orbits that begin at a special point. Each point is used once, from whatever side it was found.
  void branch_off(Test test, const Point& point, std::size_t number) {
    if (test != flip && test != grazing && test != lost) return;
    for (const double used : used_[test == flip ? 0 : 1])
      if (std::abs(used - point.p) < same_place * walker_width()) return;
    used_[test == flip ? 0 : 1].push_back(point.p);
    const std::string origin = fmt::format("{} at {}", name(kinds[test]), to_text(point.p));
    if (test == flip) return off_flip(point, number, origin);
    OrbitMechanics mechanics(family_(point.p));
    std::optional<OrbitChain> chain;
    if (test == grazing) {
      chain = with_impact(mechanics, point.chain, point.lowest);
    } else {
      const auto slowest =
          std::max_element(point.orbit.impacts.begin(), point.orbit.impacts.end(),
                           [](const OrbitImpact& x, const OrbitImpact& y) { return x.rate_minus < y.rate_minus; });
      chain = without_impact(point.chain, slowest->arc);
    }
    if (!chain || chain->arcs.size() > settings_.most_arcs) return;
    const std::optional<Vector> tangent = walker_.second_tangent(*chain, point.p, {});
    if (!tangent) return;
    for (const double sign : {1.0, -1.0}) {
      Vector towards = *tangent;
      for (double& entry : towards) entry *= sign;
      std::optional<Point> begin = walker_.at(*chain, point.p, towards);
      if (!begin) continue;
      const std::optional<Point> ahead = walker_.step(*begin, 0.05 * settings_.largest_step);
      if (!ahead || !(ahead->tests[grazing] > 0.0) || !(ahead->tests[lost] > 0.0)) continue;
      if (test == grazing) begin->tests[flip] = 0.0;  // its factor U⁻ is round-off here
      waiting_.push_back({std::move(*begin), false, static_cast<int>(number), origin});
      return;
    }
  }

  void off_flip(const Point& point, std::size_t number, const std::string& origin) {
    if (2 * point.chain.arcs.size() > settings_.most_arcs) return;
    const OrbitChain chain = doubled(point.chain);
    const std::size_t arcs = point.chain.arcs.size(), width = point.chain.shift.size() + 1;
    const bool has_time = point.tangent.size() > arcs * width + 1 + point.chain.unknown_shifts.size();
    const Vector known = doubled(point.tangent, arcs, width, has_time);
    const std::optional<Vector> tangent = walker_.second_tangent(chain, point.p, known);
    if (!tangent) return;
    if (std::optional<Point> begin = walker_.at(chain, point.p, *tangent)) {
      begin->tests[fold] = 0.0;  // p' = 0 up to round-off, which is no fold
      waiting_.push_back({std::move(*begin), false, static_cast<int>(number), origin});
    }
  }

  const OrbitFamily& family_;
  const ContinuationSettings& settings_;
  Walker walker_;
  std::deque<Start> waiting_;
  std::array<std::vector<double>, 2> used_;
  Continuation result_;
};

}  // namespace

namespace branches {

namespace {

// Nothing, or a point; and what Newton's method complained about.
struct StepResult {
  bool found = false;
  Point point = {};
  std::string why = {};
};
void members(StepResult& x, auto&& pass) {
  pass(x.found, x.why);
  if (x.found) pass(x.point);
}

}  // namespace

std::optional<Point> Walker::step(const Point& from, double ds) { return solved(from, from.tangent, ds); }

std::optional<Point> Walker::at(const OrbitChain& chain, double p, const Vector& towards) {
  Point point;
  point.chain = chain;
  point.p = p;
  return solved(point, towards, 0.0);
}

std::optional<Point> Walker::solved(const Point& from, const Vector& direction, double ds) {
  StepResult result = remembered<StepResult>(settings_.memory, settings_.interrupt, [&] {
    std::optional<Point> point = correct(from, direction, ds);
    return point ? StepResult{true, std::move(*point), why_} : StepResult{false, {}, why_};
  });
  why_ = result.why;
  return result.found ? std::optional(std::move(result.point)) : std::nullopt;
}

}  // namespace branches

OrbitSearch find_orbit(const OrbitSystem& system, const State& start, const OrbitSettings& settings,
                       StepMemory* memory) {
  return branches::remembered<OrbitSearch>(memory, settings.interrupt,
                                           [&] { return find_orbit(system, start, settings); });
}

std::string_view name(SpecialKind kind) {
  constexpr std::array<std::string_view, 9> names = {"fold", "flip",    "torus",    "branch", "grazing",
                                                     "lost", "meeting", "sticking", "end"};
  return names[static_cast<std::size_t>(kind)];
}

Continuation continue_orbit(const OrbitFamily& family, const Orbit& start, double parameter,
                            const ContinuationSettings& settings) {
  return Continuer(family, settings).run(start, parameter);
}

}  // namespace ricochet
