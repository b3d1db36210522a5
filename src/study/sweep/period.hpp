// After how many points a motion repeats.
//
// The points of a settled motion repeat after p of them up to a scatter, which depends on the scheme; those of a motion
// that still settles come closer and closer, and those of one that never repeats do neither. Points are compared class
// by class: x_k, x_{k+p}, x_{k+2p} … are one class, and its spread is the largest difference in it, so that a slow
// drift adds up. With n points,
//   1. the period is the smallest p ≤ n/2 for which the spreads of the last max(n/2, 2p) points are within the
//      tolerance: what came before may have been the transient;
//   2. that is looked at once more: if points come closer all along after a part of p, they have not settled;
//   3. if there is no p, the motion has not settled if the last quarter alone repeats, or if points p apart come closer
//      all along;
//   4. otherwise it does not repeat.
#pragma once

#include <cstdint>
#include <vector>

namespace ricochet {

// The period, 0 if the points do not repeat, SweepTrajectory::not_settled if they are about to. The columns are those
// of q (nq), v (nq) and z (nz) behind `first` others, the first of which is t, and before `behind` more; points agree
// if every difference is below `tolerance` times the largest |q| or |v| of all, or |z| of its own column. `motion`: the
// largest |q|, |v|, |z| of the whole motion, if known; points smaller than the part `least_part` of it have no size of
// their own.
constexpr double least_part = 1e-3;
std::int64_t find_period(const std::vector<double>& points, int first, int nq, int nz, double tolerance,
                         const std::vector<double>& motion = {}, int behind = 0);

// Mean time between points, of two or more; t is their first column.
double mean_interval(const std::vector<double>& points, std::size_t count);

}  // namespace ricochet
