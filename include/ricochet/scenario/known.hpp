// The known answer of a scenario as numbers: what gallery tests and convergence studies compare with.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ricochet/scenario/build.hpp"

namespace ricochet {

class Formulas;

class KnownMotion {
 public:
  struct Instant {
    double t = 0.0;
    std::vector<double> q, v;                           // empty if not given
    std::vector<std::pair<int, double>> observed = {};  // by the number of the observation
    std::optional<double> energy = std::nullopt;
  };
  struct Hit {
    double t = 0.0;
    int constraint = 0;
    std::optional<double> rate_minus = std::nullopt, rate_plus = std::nullopt, impulse = std::nullopt;
  };

  // Throws InputError ("known.q.x") if the scenario has no known answer or it cannot be evaluated.
  KnownMotion(const Scenario& scenario, const Problem& problem);
  ~KnownMotion();
  KnownMotion(KnownMotion&&) noexcept;
  KnownMotion& operator=(KnownMotion&&) noexcept;

  bool has_q() const;  // formulas for every coordinate
  bool has_v() const;
  std::vector<double> q(double t) const;  // only if has_q()
  std::vector<double> v(double t) const;  // only if has_v()
  const std::vector<Instant>& samples() const { return samples_; }
  const std::vector<Hit>& impacts() const { return impacts_; }
  TimeSpan window() const { return window_; }  // where the formulas hold
  std::optional<double> error() const { return error_; }
  std::optional<double> time_error() const { return time_error_; }

 private:
  std::unique_ptr<Formulas> q_, v_;
  std::vector<Instant> samples_;
  std::vector<Hit> impacts_;
  TimeSpan window_;
  std::optional<double> error_, time_error_;
};

}  // namespace ricochet
