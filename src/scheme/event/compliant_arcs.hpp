// Motions with compliant contacts in closed form, where the model is linear: contacts in touch are springs and dampers
// of LinearFlow, and the first gap that closes, or opens again, is found by EventSearch. Works and impulses are the
// integrals of what CompliantContactsOde says, by quadrature.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/interrupt.hpp"
#include "flow/event_search.hpp"
#include "flow/linear_flow.hpp"
#include "flow/quadrature.hpp"
#include "ricochet/core/status.hpp"
#include "scheme/kernel/compliant_contacts_ode.hpp"

namespace ricochet {

class CompliantArcs {
 public:
  CompliantArcs(const Model& model, CompliantContactsOde& ode) : model_(model), ode_(ode), flow_(model) {}

  void touch(int j, double k, double kappa) { flow_.set_spring(j, {k, kappa}); }
  void part(int j) { flow_.set_spring(j, {}); }
  std::uint64_t steps() const { return steps_; }

  // y at t := y a time of at most `longest` later, where a gap passes 0; that contact or −1, and how deep the deepest
  // was on the way. `zero`: what round-off makes of each gap.
  struct End {
    double s = 0.0, depth = 0.0;
    int contact = -1;
    FailureKind kind = FailureKind::none;
  };
  End fly(double t, double longest, const std::vector<double>& zero, std::vector<double>& y) {
    End end{.s = longest};
    if (!flow_.begin(t, 0.0, y.data(), y.data() + nq_, closed_, 0.0)) return {.kind = FailureKind::not_finite};
    set_watches(zero);
    end.s = std::min(longest, flow_.length());
    for (int idle = 0; search_.s() < end.s;) {
      const double before = search_.s();
      if (++steps_ % 64 == 0 && is_interrupted()) return {.kind = FailureKind::interrupted};
      const std::optional<EventSearch::Event> event = search_.step(flow_.arc(), end.s);
      if (event && !event->grazing) {
        end.s = event->s;
        end.contact = event->channel;
        break;
      }
      if (!event && !(search_.s() > before)) return {.kind = FailureKind::not_finite};
      idle = (search_.s() - before) * flow_.fastest() < negligible ? idle + 1 : 0;
      if (idle > most_idle) return {.kind = FailureKind::step_too_small};
    }
    if (!add_works(t, end)) return {.kind = is_interrupted() ? FailureKind::interrupted : FailureKind::not_finite};
    for (int i = ode_.motion_size(); i < ode_.size(); ++i) y[i] += works_[i];
    flow_.arc().place(end.s);
    flow_.arc().values(nq_, y.data(), y.data() + nq_);
    return end;
  }

 private:
  // So many steps in a row so much shorter than what the rates change in would never end.
  static constexpr int most_idle = 100'000;
  static constexpr double negligible = 1e-8;

  // Open gaps, and what contacts in touch are deep.
  void set_watches(const std::vector<double>& zero) {
    using Watch = EventSearch::Watch;
    search_.begin();
    flow_.arc().place(0.0);
    for (int j = 0; j < nc_; ++j) {
      const ExponentialArc::Jet jet = flow_.arc().jet(j);
      if (jet.f > zero[j])
        search_.set(j, Watch::open);
      else if (!rises_past(zero[j], jet, flow_.arc().third(j, 0.0)))
        search_.set(j, Watch::open, 4.0 * zero[j]);  // rests at 0: when it falls by more than round-off
      else
        search_.set(j, jet.f1 > 0.0 ? Watch::leaving : Watch::touching);
    }
  }
  // Whether f = 0 is sure to pass `zero` before it may fall again: f'τ + ½f''τ² − Bτ³/6 does.
  static bool rises_past(double zero, const ExponentialArc::Jet& jet, double B) {
    if (!(jet.f1 > 0.0) && !(jet.f1 == 0.0 && jet.f2 > 0.0)) return false;
    const double root = std::sqrt(jet.f2 * jet.f2 + 2.0 * B * jet.f1);  // the maximum is at (f'' + root)/B
    const double top = jet.f2 < 0.0 ? 2.0 * jet.f1 / (root - jet.f2) : (jet.f2 + root) / B;
    return !(jet.f1 * top + top * top * (0.5 * jet.f2 - top * (B / 6.0)) <= zero);
  }

  // False if it was interrupted, or a force has no value.
  bool add_works(double t, End& end) {
    bool good = true;
    std::fill(works_.begin(), works_.end(), 0.0);
    const auto add = [&](double s, double weight) {
      flow_.arc().place(s);
      flow_.arc().values(nq_, now_.data(), now_.data() + nq_);
      good = ode_(t + s, now_.data(), dy_.data()) && !is_interrupted();
      for (int i = ode_.motion_size(); i < ode_.size(); ++i) works_[i] += weight * dy_[i];
      for (int j = 0; j < nc_; ++j) {
        if (!ode_.touches(j)) continue;
        flow_.arc().place(s);
        end.depth = std::max(end.depth, largest_depth(j, s, end.s));
      }
      return good;
    };
    for_each_gauss_place(0.0, end.s, flow_.fastest(), flow_.lasting(), add);
    return good;
  }

  // At s or where contact j turns close by; the arc stays there.
  double largest_depth(int j, double s, double end) {
    ExponentialArc::Jet jet = flow_.arc().jet(j);
    double depth = jet.f;
    if (!(jet.f2 < 0.0 && std::abs(jet.f1) * flow_.fastest() <= 0.5 * -jet.f2)) return depth;
    for (int k = 0; k < 4; ++k) {
      s = std::clamp(s - jet.f1 / jet.f2, 0.0, end);
      flow_.arc().place(s);
      jet = flow_.arc().jet(j);
      depth = std::max(depth, jet.f);
    }
    return depth;
  }

  const Model& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc();
  CompliantContactsOde& ode_;
  LinearFlow flow_;
  EventSearch search_{flow_.watched()};
  const std::vector<char> closed_ = zeros<char>(nc_);
  std::vector<double> now_ = zeros(ode_.size()), dy_ = now_, works_ = now_;
  std::uint64_t steps_ = 0;
};

}  // namespace ricochet
