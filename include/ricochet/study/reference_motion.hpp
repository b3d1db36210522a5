// A motion that others are compared with: from formulas, from a file, or computed at tight tolerances.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/run/solution.hpp"
#include "ricochet/scheme/scheme.hpp"
#include "ricochet/study/hausdorff.hpp"

namespace ricochet {

// Whether a part lies in a whole, up to round-off of the whole's own times.
bool lies_in(TimeSpan part, TimeSpan whole);

// States at some times, row after row; velocities are right limits. v and z are empty if not known.
struct MotionSamples {
  std::vector<double> t, q, v, z;
};

// Const and thread-safe.
class ReferenceMotion {
 public:
  virtual ~ReferenceMotion() = default;
  virtual TimeSpan window() const = 0;  // where it holds
  virtual bool has_velocity() const { return true; }
  // At times of the window that rise.
  virtual MotionSamples sample(const std::vector<double>& t) const = 0;
  // Times of impacts, rising.
  virtual const std::vector<double>& impacts() const = 0;
  virtual std::string description() const = 0;  // "event-driven at rtol 1e-13"
  // The graphs of the velocities, one a coordinate, with vertices at least every `spacing`.
  virtual std::vector<Graph> velocity_graphs(TimeSpan window, double spacing) const;
};

// A system with its start, and how far it goes.
struct StudyProblem {
  const Model* model = nullptr;
  State start = {};
  TimeSpan span = {};
  double h = 0.0;  // the scenario's own step
  ComplementaritySettings solver = {};
  std::function<void(const std::string&)> note = {};  // is told at once why a reference may take very long
};

// Computed: asked for states at some times, the scheme goes from one to the next.
class ComputedMotion final : public ReferenceMotion {
 public:
  // Runs once with the step h for its impacts. Throws InputError("reference") if that fails.
  ComputedMotion(StudyProblem problem, Scheme scheme, double h, std::string description);

  TimeSpan window() const override { return problem_.span; }
  MotionSamples sample(const std::vector<double>& t) const override;
  const std::vector<double>& impacts() const override { return impact_times_; }
  std::string description() const override { return description_; }
  // With a vertex before and one after each impact that the scheme has located.
  std::vector<Graph> velocity_graphs(TimeSpan window, double spacing) const override;

  const Solution& solution() const { return solution_; }  // of that one run, recorded at every step

 private:
  MotionSamples computed_at(const std::vector<double>& t) const;
  std::size_t go_through(const std::vector<double>& t, const std::vector<double>& delay, MotionSamples& samples) const;

  StudyProblem problem_;
  Scheme scheme_;
  double h_;
  std::string description_;
  Solution solution_;
  std::vector<double> impact_times_;
  // Several schemes ask for the same times: the last answers are kept.
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const MotionSamples>> kept_;
};

// Recorded: cubic between nodes (Hermite's, from q and v). Where the states at impacts are not among them, from either
// side up to an impact between two.
class RecordedMotion final : public ReferenceMotion {
 public:
  // Rows of nq values at rising times, the states before and after impacts among them at equal ones; throws
  // InputError("reference") otherwise.
  RecordedMotion(MotionSamples nodes, std::vector<double> impacts, std::string description);

  TimeSpan window() const override { return {nodes_.t.front(), nodes_.t.back()}; }
  bool has_velocity() const override { return !nodes_.v.empty(); }
  MotionSamples sample(const std::vector<double>& t) const override;
  const std::vector<double>& impacts() const override { return impacts_; }
  std::string description() const override { return description_; }

 private:
  void at(double t, std::size_t i, double* q, double* v) const;

  MotionSamples nodes_;
  std::size_t nq_ = 0;
  bool has_jumps_ = false;  // nodes before and after impacts
  std::vector<double> impacts_;
  std::string description_;
};

// The time from which two motions differ by more than `distance` in a coordinate; the end of the window if they never
// do.
double agreement(const ReferenceMotion& a, const ReferenceMotion& b, TimeSpan window, double distance,
                 std::size_t nodes = 4000);

}  // namespace ricochet
