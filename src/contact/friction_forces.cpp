#include "contact/friction_forces.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double round_off = 1e-12;     // of a problem in scaled variables
constexpr double contradiction = 1e-9;  // what is held must be at rest to this share
constexpr long most_combinations = 20'000;

ComplementaritySettings dense(ComplementaritySettings settings) {
  settings.matrix = ContactMatrix::dense;
  settings.warm_start = false;
  return settings;
}

}  // namespace

FrictionForces::FrictionForces(const Layout& layout, const ComplementaritySettings& solver)
    : nc_(layout.nc()), held_(nc_ + layout.nb()), nr_(layout.rows.cols), settings_(dense(solver)), trial_(layout) {
  const std::size_t nr = static_cast<std::size_t>(nr_);
  system_.reserve(nr_);
  local_W_.reserve(nr * nr);
  for (std::vector<double>* x : {&local_b_, &local_P_, &local_bounds_}) x->reserve(nr);
  index_.reserve(nr);
  cones_.reserve(nr);
  choices_.reserve(nr);
  picked_.reserve(nr);
  options_.reserve(5 * nr);
}

// W of the rows that act, and the size of what they have to balance.
void FrictionForces::load(const Problem& problem, const FrictionModes& modes) {
  for (int j = 0; j < nr_; ++j) acting_[j] = j < nc_ ? problem.closed[j] : j < held_;
  for (int k = 0; k < modes.size(); ++k)
    for (int i = 0; i < modes[k].rows && modes.acts(k, problem.closed); ++i) acting_[modes[k].row + i] = true;
  size_ = 0.0;
  for (int j = 0; j < nr_; ++j) {
    if (!acting_[j]) continue;
    problem.delassus.each_entry(j, [&](int i, double W) { W_[static_cast<std::size_t>(j) * nr_ + i] = W; });
    scale_[j] = std::sqrt(W(j, j));
    if (scale_[j] > 0.0) size_ = std::max(size_, (std::abs(problem.b[j]) + problem.size[j]) / scale_[j]);
  }
}

double FrictionForces::pushed(int i, int j, const FrictionModes& modes, const double* bounds) const {
  double push = W(i, j);
  const int k = j < nc_ ? modes.of_contact(j) : -1;
  if (k < 0 || modes[k].mode != FrictionMode::slide) return push;
  for (int m = 0; m < modes[k].rows; ++m) push -= bounds[k] * modes[k].now[m] * W(i, modes[k].row + m);
  return push;
}

double FrictionForces::free_acceleration(int i, const Problem& problem, const FrictionModes& modes) const {
  double acceleration = problem.b[i];
  for (int k = modes.size() - 1; k >= 0 && modes[k].contact < 0; --k)
    for (int m = 0; m < modes[k].rows && modes[k].mode == FrictionMode::slide; ++m)
      acceleration -= problem.bounds[k] * modes[k].now[m] * W(i, modes[k].row + m);
  return acceleration;
}

bool FrictionForces::solve(const Problem& problem, const FrictionModes& modes, double* lambda) {
  paradox_ = {};
  load(problem, modes);
  std::fill(lambda, lambda + nr_, 0.0);
  if (solve_loaded(problem, modes, problem.closed, lambda)) return true;
  find_paradox(problem, modes);
  return false;
}

void FrictionForces::push_slides(const Problem& problem, const FrictionModes& modes, const bool* closed,
                                 double* lambda) const {
  for (int k = 0; k < modes.size(); ++k)
    for (int m = 0; m < modes[k].rows && modes[k].mode == FrictionMode::slide && modes.acts(k, closed); ++m)
      lambda[modes[k].row + m] =
          -problem.bounds[k] * modes[k].now[m] * (modes[k].contact < 0 ? 1.0 : lambda[modes[k].contact]);
}

// Γ_i of a row that acts, in units of √W_ii.
double FrictionForces::acceleration(int i, const Problem& problem, const double* lambda) const {
  double sum = problem.b[i];
  for (int j = 0; j < nr_; ++j)
    if (acting_[j]) sum += W(i, j) * lambda[j];
  return sum / scale_[i];
}

double FrictionForces::largest_push(const double* lambda) const {
  double push = 0.0;
  for (int j = 0; j < nr_; ++j)
    if (acting_[j]) push = std::max(push, std::abs(lambda[j]) * scale_[j]);
  return push;
}

bool FrictionForces::solve_loaded(const Problem& problem, const FrictionModes& modes, const bool* closed,
                                  double* lambda) {
  index_.clear();
  for (int j = 0; j < held_; ++j)
    if (j >= nc_ || closed[j]) index_.push_back(j);
  for (int k = 0; k < modes.size(); ++k)
    for (int m = 0; m < modes[k].rows && modes[k].mode == FrictionMode::stick && modes.acts(k, closed); ++m)
      index_.push_back(modes[k].row + m);
  const int n = static_cast<int>(index_.size());
  local_W_.resize(static_cast<std::size_t>(n) * n);
  local_P_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) local_P_[i] = -free_acceleration(index_[i], problem, modes);
  for (int j = 0; j < n; ++j) {
    const double known = lambda[index_[j]];
    for (int i = 0; i < n; ++i) {
      const double W = local_W_[static_cast<std::size_t>(j) * n + i] =
          pushed(index_[i], index_[j], modes, problem.bounds);
      if (known != 0.0) local_P_[i] -= W * known;
    }
  }
  if (n > 0) {
    if (!system_.factorise(n, local_W_.data())) return false;
    system_.solve(local_P_.data());
  }
  for (int j = 0; j < n; ++j) lambda[index_[j]] += local_P_[j];
  push_slides(problem, modes, closed, lambda);
  return true;
}

// Whether what was closed may be, and what was at rest `before` obeys Coulomb's law on its accelerations.
bool FrictionForces::is_valid(const Problem& problem, const FrictionModes& before, const FrictionModes& modes,
                              const bool* closed, const double* lambda) {
  const double push = largest_push(lambda);
  if (!std::isfinite(push)) return false;
  const double slack = round_off * (size_ + push), held = contradiction * (size_ + push);
  const auto acceleration = [&](int i) { return this->acceleration(i, problem, lambda); };
  for (int j = 0; j < held_; ++j) {
    if (!acting_[j] || scale_[j] == 0.0) continue;
    if (j >= nc_ || closed[j]) {
      if (std::abs(acceleration(j)) > held) return false;
      if (j < nc_ && lambda[j] * scale_[j] < -slack) return false;
    } else if (acceleration(j) < -slack) {
      return false;
    }
  }
  for (int k = 0; k < modes.size(); ++k) {
    const FrictionModes::Entry& entry = modes[k];
    if (!modes.acts(k, closed) || before[k].mode != FrictionMode::rest || scale_[entry.row] == 0.0) continue;
    const bool spatial = entry.rows > 1;
    const FrictionModes::Direction force = entry.force(lambda);
    const double bound = problem.bounds[k] * (entry.contact < 0 ? 1.0 : lambda[entry.contact]);
    const FrictionModes::Direction Gamma{acceleration(entry.row), spatial ? acceleration(entry.row + 1) : 0.0};
    if (entry.mode == FrictionMode::stick) {
      if (FrictionModes::norm(Gamma) > held) return false;
      if ((FrictionModes::norm(force) - bound) * scale_[entry.row] > slack) return false;
    } else if (FrictionModes::dot(Gamma, entry.s) < -slack) {
      return false;
    }
  }
  return true;
}

// What each contact and each friction may do, the likeliest first.
void FrictionForces::list_options(const Problem& problem, const FrictionModes& modes) {
  choices_.clear();
  options_.clear();
  const auto begin = [&](int contact, int friction) {
    choices_.push_back({contact, friction, static_cast<int>(options_.size()), 0});
  };
  const auto add = [&](bool closed, FrictionMode mode, FrictionModes::Direction s = {}) {
    options_.push_back({closed, mode, s});
    ++choices_.back().count;
  };
  const auto add_rests = [&](const FrictionModes::Entry& entry) {
    const bool begun = FrictionModes::norm(entry.s) > 0.0;
    if (begun) add(true, FrictionMode::slide, entry.s);
    add(true, FrictionMode::stick);
    for (const double s : {1.0, -1.0})
      if (entry.rows == 1 && !(begun && entry.s[0] == s)) add(true, FrictionMode::slide, {s, 0.0});
  };
  for (int j = 0; j < nc_; ++j) {
    if (!problem.closed[j]) continue;
    const int k = modes.of_contact(j);
    begin(j, k);
    const bool opens = free_acceleration(j, problem, modes) >= 0.0;
    if (opens) add(false, FrictionMode::none);
    if (k < 0) {
      add(true, FrictionMode::none);
    } else if (modes[k].mode == FrictionMode::rest) {
      add_rests(modes[k]);
    } else {
      add(true, modes[k].mode, modes[k].now);
    }
    if (!opens) add(false, FrictionMode::none);
  }
  for (int k = 0; k < modes.size(); ++k) {
    if (modes[k].contact >= 0 || modes[k].mode != FrictionMode::rest) continue;
    begin(-1, k);
    add_rests(modes[k]);
  }
}

// The first combination that is valid is left in trial_.
bool FrictionForces::enumerate(const Problem& problem, const FrictionModes& before, double* lambda) {
  list_options(problem, before);
  double combinations = 1.0;
  for (const Choice& choice : choices_) combinations *= choice.count;
  if (combinations > static_cast<double>(most_combinations)) return false;
  picked_.assign(choices_.size(), 0);
  trial_ = before;
  while (true) {
    for (std::size_t c = 0; c < choices_.size(); ++c) {
      const Choice& choice = choices_[c];
      const Option& option = options_[static_cast<std::size_t>(choice.first + picked_[c])];
      if (choice.contact >= 0) trial_closed_[choice.contact] = option.closed;
      if (choice.friction < 0) continue;
      FrictionModes::Entry& entry = trial_[choice.friction];
      entry.mode = option.mode;
      entry.s = entry.now = option.s;
    }
    std::fill(lambda, lambda + nr_, 0.0);
    if (solve_loaded(problem, trial_, trial_closed_.data(), lambda) &&
        is_valid(problem, before, trial_, trial_closed_.data(), lambda))
      return true;
    std::size_t c = 0;
    while (c < choices_.size() && ++picked_[c] == choices_[c].count) picked_[c++] = 0;
    if (c == choices_.size()) return false;
  }
}

// Many contacts, or slides in space that begin in an unknown direction: by the solvers for cones.
bool FrictionForces::solve_cones(const Problem& problem, FrictionModes& modes, double* lambda) {
  index_.clear();
  cones_.clear();
  local_bounds_.clear();
  const auto add = [&](int row, Cone cone, double bound = 0.0) {
    index_.push_back(row);
    cones_.push_back(cone);
    local_bounds_.push_back(bound);
  };
  for (int j = 0; j < held_; ++j) {
    if (!acting_[j]) continue;
    const int k = j < nc_ ? modes.of_contact(j) : -1;
    const bool rests = k >= 0 && modes[k].mode == FrictionMode::rest;
    add(j, j >= nc_ ? Cone::free : rests ? Cone::coulomb : Cone::nonnegative, rests ? problem.bounds[k] : 0.0);
    for (int m = 0; rests && m < modes[k].rows; ++m) add(modes[k].row + m, Cone::tangent);
  }
  for (int k = 0; k < modes.size(); ++k)
    for (int m = 0; modes[k].contact < 0 && modes[k].mode == FrictionMode::rest && m < modes[k].rows; ++m)
      add(modes[k].row + m, m == 0 ? Cone::disc : Cone::tangent, problem.bounds[k]);
  const int n = static_cast<int>(index_.size());
  local_W_.resize(static_cast<std::size_t>(n) * n);
  local_b_.resize(static_cast<std::size_t>(n));
  local_P_.assign(static_cast<std::size_t>(n), 0.0);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      local_W_[static_cast<std::size_t>(j) * n + i] = pushed(index_[i], index_[j], modes, problem.bounds);
    local_b_[j] = free_acceleration(index_[j], problem, modes);
  }
  const ComplementarityResult result =
      ricochet::solve({n, DenseForm{local_W_.data()}, local_b_.data(), cones_.data(), local_bounds_.data()}, settings_,
                      workspace_, local_P_.data());
  if (result.status != ComplementarityStatus::solved) return false;
  // The modes as they are read from the forces, then the forces brought nearer, to round-off.
  constexpr double inside = 1.0 - 1e-9;
  std::fill(lambda, lambda + nr_, 0.0);
  for (int i = 0; i < n; ++i) lambda[index_[i]] = local_P_[i];
  for (int j = 0; j < nc_; ++j) {
    trial_closed_[j] = problem.closed[j] && lambda[j] * scale_[j] > round_off * size_;
    if (!trial_closed_[j]) lambda[j] = 0.0;
  }
  push_slides(problem, modes, trial_closed_.data(), lambda);
  const double moves = contradiction * (size_ + largest_push(lambda));
  for (int k = 0; k < modes.size(); ++k) {
    FrictionModes::Entry& entry = modes[k];
    if (entry.contact >= 0 && !trial_closed_[entry.contact]) std::fill_n(lambda + entry.row, entry.rows, 0.0);
    if (entry.mode != FrictionMode::rest) continue;
    const FrictionModes::Direction force = entry.force(lambda);
    const double size = FrictionModes::norm(force),
                 bound = problem.bounds[k] * (entry.contact < 0 ? 1.0 : lambda[entry.contact]);
    const bool rests = std::abs(acceleration(entry.row, problem, lambda)) <= moves &&
                       (entry.rows == 1 || std::abs(acceleration(entry.row + 1, problem, lambda)) <= moves);
    entry.mode = rests || size <= inside * bound ? FrictionMode::stick : FrictionMode::slide;
    entry.s = entry.now = size > 0.0 ? FrictionModes::divided(force, -size) : FrictionModes::Direction{1.0, 0.0};
  }
  return solve_loaded(problem, modes, trial_closed_.data(), lambda);
}

bool FrictionForces::choose(const Problem& problem, FrictionModes& modes, double* lambda) {
  paradox_ = {};
  trial_closed_.assign(static_cast<std::size_t>(nc_));
  for (int k = 0; k < modes.size(); ++k) modes[k].now = modes[k].s;
  load(problem, modes);
  if (enumerate(problem, modes, lambda)) {
    note_opened_slide(problem, modes);
    modes = trial_;
  } else if (!solve_cones(problem, modes, lambda)) {
    find_paradox(problem, modes);
    return false;
  }
  for (int k = 0; k < modes.size(); ++k)
    if (modes[k].contact >= 0 && !trial_closed_[modes[k].contact]) modes[k].mode = FrictionMode::none;
  return true;
}

// Of two solutions.
void FrictionForces::note_opened_slide(const Problem& problem, const FrictionModes& before) {
  for (int j = 0; j < nc_; ++j) {
    const int k = before.of_contact(j);
    if (!problem.closed[j] || trial_closed_[j] || k < 0 || before[k].mode != FrictionMode::slide) continue;
    const double A = pushed(j, j, before, problem.bounds);
    if (A < 0.0) paradox_ = {j, A, free_acceleration(j, problem, before)};
  }
}

// A and b_N of a contact that slides, the joints eliminated.
void FrictionForces::find_paradox(const Problem& problem, const FrictionModes& modes) {
  for (int j = 0; j < nc_; ++j) {
    const int k = modes.of_contact(j);
    if (!problem.closed[j] || k < 0 || modes[k].mode != FrictionMode::slide) continue;
    double A = pushed(j, j, modes, problem.bounds), b = free_acceleration(j, problem, modes);
    const int n = held_ - nc_;
    local_W_.resize(static_cast<std::size_t>(n) * n);
    local_P_.assign(static_cast<std::size_t>(n), 0.0);
    local_b_.assign(static_cast<std::size_t>(n), 0.0);
    for (int i = 0; i < n; ++i) {
      for (int m = 0; m < n; ++m) local_W_[static_cast<std::size_t>(m) * n + i] = W(nc_ + i, nc_ + m);
      local_P_[i] = pushed(nc_ + i, j, modes, problem.bounds);
      local_b_[i] = free_acceleration(nc_ + i, problem, modes);
    }
    if (n > 0 && system_.factorise(n, local_W_.data())) {
      system_.solve(local_P_.data());
      system_.solve(local_b_.data());
      for (int i = 0; i < n; ++i) A -= W(j, nc_ + i) * local_P_[i], b -= W(j, nc_ + i) * local_b_[i];
    }
    if (paradox_.contact < 0 || A < paradox_.A) paradox_ = {j, A, b};
  }
}

}  // namespace ricochet
