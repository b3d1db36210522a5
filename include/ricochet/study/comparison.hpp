// Work and precision of schemes on one problem; statistics where motion is chaotic. See docs/compare.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/study/checked_reference.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet {

// One scheme at one step or tolerance.
struct WorkPoint {
  double h = 0.0;  // step; for schemes that choose theirs, the interval at which it is recorded
  std::optional<double> tolerance = std::nullopt;  // rtol; atol is a hundredth of it
  Errors errors;                                   // means over the phases
  double seconds = 0.0;                            // CPU time of one run that keeps nothing
  double steps = 0.0;                              // made, rejected ones included
  double force_evaluations = 0.0;
  double energy_drift = 0.0;  // what the scheme itself added or took, relative to what was turned over
  double violation = 0.0;     // deepest entry into an obstacle
  std::string failure = {};   // a sentence if a run failed
};

struct SchemeComparison {
  std::string label, refused;
  bool chooses_steps = false, locates = false;  // steps of its own; impacts located, not only met
  std::vector<WorkPoint> points;
};

struct ComparisonSettings {
  std::vector<SchemeChoice> schemes;  // none: all of the catalogue
  std::vector<double> steps;          // falling
  std::vector<double> tolerances;     // falling, for schemes that choose their steps
  int phases = 4;
  TimeSpan window = {};
  StudyWork work = {};
};

struct Comparison {
  std::vector<SchemeComparison> schemes;
  Errors size;  // of the motion, to judge errors by
};

// Throws InputError as converge() does.
Comparison compare(const StudyProblem& problem, const ReferenceMotion& reference, const ComparisonSettings& settings);

// The error of q in the sup norm, relative to the size of q.
double relative_error(const Comparison& comparison, const WorkPoint& point);

// All schemes of the catalogue under their own names.
std::vector<SchemeChoice> whole_catalogue();

// The levels of a scheme: its steps, or a step for each tolerance. A tolerance that the user gave stays.
struct Level {
  Scheme scheme;
  double h = 0.0;
  std::optional<double> tolerance = std::nullopt;
};
std::vector<Level> levels_of(const SchemeChoice& choice, const ComparisonSettings& settings);

// What stays comparable when trajectories do not: means over a long motion and distributions at impacts.
struct MotionStatistics {
  double impact_rate = 0.0;     // impacts a unit of time, without those slower than a thousandth of the fastest
  double rate_deviation = 0.0;  // its standard deviation: of the means over twenty parts of the window, by √20
  std::vector<double> rms;      // of each coordinate
  std::vector<double> phases;   // of the impacts in the period, in [0, 1); without a period, times between impacts
  std::vector<double> speeds;   // |U⁻| at the impacts
};

struct StatisticsPoint {
  double h = 0.0;
  std::optional<double> tolerance = std::nullopt;
  MotionStatistics statistics;
  double agrees_until = 0.0;                 // with the reference, to a tenth of its size
  double rate_error = 0.0, rms_error = 0.0;  // relative to the reference
  double rate_deviation = 0.0;               // standard deviation of the difference of rates, relative too
  double phase_distance = 0.0,
         speed_distance = 0.0;  // between the distributions, in [0, 1] (Kuiper; Kolmogorov-Smirnov)
  double seconds = 0.0;
  std::string failure = {};
};

struct SchemeStatistics {
  std::string label, refused;
  std::vector<StatisticsPoint> points;
};

struct StatisticsComparison {
  MotionStatistics reference;
  StatisticsPoint noise;  // the reference at another tolerance: differences of this size mean nothing
  std::vector<SchemeStatistics> schemes;
};

// Over the window, without its first tenth. `period` 0: none.
StatisticsComparison compare_statistics(const StudyProblem& problem, const CheckedReference& reference,
                                        const ComparisonSettings& settings, double period);

// Largest difference of two empirical distribution functions; for values on a circle the sum of the largest ones up and
// down, which does not depend on where the circle is cut.
double distribution_distance(std::vector<double> a, std::vector<double> b, bool circle);

}  // namespace ricochet
