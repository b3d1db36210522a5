#include "run/pole_watch.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/zeros.hpp"

namespace ricochet {
namespace {

// What becomes infinite, by the row of a pole.
std::string name_of_pole(const Layout& layout, int row) {
  const int nq = layout.nq(), nz = layout.nz(), nc = layout.nc();
  if (row < nq) return "acceleration of " + layout.coordinates[row];
  if ((row -= nq) < nz) return "rate of " + layout.states[row];
  if ((row -= nz) < nc) return "gap of " + layout.constraints[row];
  row -= nc;
  for (const Joint& joint : layout.joints)
    if ((row -= joint.rows) < 0) return "place that the joint " + joint.name + " holds";
  for (const Friction& friction : layout.frictions)
    if ((row -= friction.rows) < 0) return "slip of " + friction.name;
  return "rate of a row";
}

}  // namespace

PoleWatch::PoleWatch(WatchedRun& run)
    : run_(run),
      poles_(dynamic_cast<const KnownPoles*>(&run.model)),
      functions_(zeros(poles_ != nullptr ? poles_->pole_count() : 0)),
      last_functions_(functions_) {}

void PoleWatch::see(const State& state, bool pushed, Observer* observer) {
  if (functions_.empty() || told_) return;
  if (passed_.q.empty()) passed_ = state;
  const auto find = [&](const std::vector<double>& v) {
    poles_->poles(state.t, state.q.data(), v.data(), state.z.data(), functions_.data());
  };
  find(pushed ? passed_.v : state.v);
  for (std::size_t k = 0; k < functions_.size() && !told_; ++k) {
    if ((functions_[k] < 0.0) == (last_functions_[k] < 0.0)) continue;
    State to = {state.t, state.q, pushed ? passed_.v : state.v, state.z};
    std::optional<Pole> pole = pole_between(run_.model, *poles_, static_cast<int>(k), passed_, to);
    if (!pole && pushed) {  // what a wall throws away is no more near it
      for (std::size_t i = 0; i < to.q.size(); ++i) to.q[i] = passed_.q[i] + (to.t - passed_.t) * passed_.v[i];
      pole = pole_between(run_.model, *poles_, static_cast<int>(k), passed_, to);
    }
    if (pole) tell(*pole, observer);
  }
  if (pushed) find(state.v);
  passed_ = state;
  std::swap(functions_, last_functions_);
}

void PoleWatch::tell(const Pole& pole, Observer* observer) {
  told_ = true;
  run_.end_or_note(
      fmt::format("the {} becomes infinite at t = {:.6g}, and the motion went past that between its steps: "
                  "what comes then has no meaning",
                  name_of_pole(run_.layout, pole.row), pole.t),
      observer);
}

}  // namespace ricochet
