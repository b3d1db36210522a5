#include "run/slide_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/zeros.hpp"

namespace ricochet {

SlideWatch::SlideWatch(const Model& model, double h)
    : model_(model),
      h_(h),
      touching_(zeros<char>(model.nc())),
      touched_(touching_),
      slides_(model.layout().frictions.size()),
      slid_(slides_) {
  const std::vector<Friction>& frictions = model.layout().frictions;
  if (!frictions.empty() && frictions.front().constraint >= 0) forces_.emplace(model);
}

std::string SlideWatch::see(const State& state, const GapRates& rates, const std::vector<double>& impulse) {
  if (!forces_) return {};
  const bool is_first = v_.empty();
  find_touching(state, rates, impulse);
  find_slides(state, rates);
  bool changes = false;
  for (int k = 0; k < forces_->modes().size() && !is_first; ++k) {
    const int j = forces_->modes()[k].contact;
    if (j < 0 || !touched_[j] || !touching_[j] || slid_[k].speed == 0.0) continue;
    const double on = slides_[k].speed * FrictionModes::dot(slides_[k].friction.s, slid_[k].friction.s);
    changes = changes || on < 0.1 * slid_[k].speed;
  }
  std::string text;
  if (is_first)
    text = look(state, state.v, slides_);
  else if (changes && state.t - t_ < 1.5 * h_)
    text = look(state, v_, slid_);
  v_ = state.v, t_ = state.t;
  std::swap(touched_, touching_);
  std::swap(slid_, slides_);
  return text;
}

void SlideWatch::find_touching(const State& state, const GapRates& rates, const std::vector<double>& impulse) {
  std::fill(touching_.begin(), touching_.end(), 0);
  if (v_.empty()) {
    for (const int j : contacts_at_start(model_, state, rates).closed) touching_[j] = 1;
    return;
  }
  for (int j = 0; j < model_.nc(); ++j) touching_[j] = impulse[j] > 0.0;
}

void SlideWatch::find_slides(const State& state, const GapRates& rates) {
  constexpr double round_off = 1e-10;
  for (std::size_t k = 0; k < slides_.size(); ++k) {
    slides_[k].friction = forces_->modes()[static_cast<int>(k)];
    slides_[k].speed = FrictionModes::begin(slides_[k].friction, rates.contacts, state.v.data(), round_off);
  }
}

// With the velocities and slides that led here.
std::string SlideWatch::look(const State& state, const std::vector<double>& v, const std::vector<Slide>& slides) {
  if (std::count(touching_.begin(), touching_.end(), 1) > most_touching) return {};
  forces_->open_all();
  for (int j = 0; j < model_.nc(); ++j) forces_->close(j, touching_[j] != 0);
  FrictionModes& modes = forces_->modes();
  for (int k = 0; k < modes.size(); ++k) modes[k] = slides[static_cast<std::size_t>(k)].friction;
  forces_->solve(state.t, state.q.data(), v.data(), state.z.data());
  const FrictionForces::Paradox paradox = forces_->any_closed() ? forces_->paradox() : FrictionForces::Paradox{};
  if (paradox.contact < 0 || !(paradox.A < 0.0)) return {};
  return fmt::format(
      "{} slides at t = {:.6g} where {} (Painlevé: A = {:.4g}, b = {:.4g}): the scheme passes that with "
      "a jump of the velocity within a step; event-driven says what happens there",
      model_.layout().constraints[paradox.contact], state.t,
      paradox.b < 0.0 ? "no acceleration obeys Coulomb's law" : "two accelerations obey Coulomb's law", paradox.A,
      paradox.b);
}

}  // namespace ricochet
