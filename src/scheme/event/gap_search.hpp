// The first instant of a step at which a gap closes, from the step's dense output.
//
// On a step each gap is followed as a polynomial in θ ∈ [0, 1]: exactly, with the degree of the dense output, for gaps
// that are linear in q and fixed in time. Other gaps are interpolated at five points and compared at four in between;
// where these differ by more than the answer allows, the interval is halved (a table may swing several times within a
// step), and a root is polished on the gap itself. Positive Bernstein coefficients prove that a polynomial has no root
// in an interval; where they are not positive the interval is halved. So minima inside the step are seen as well as
// ends, and of several crossings the first one is found. A gap may have no values beyond its surface: it is then
// followed up to where they end.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "ricochet/model/model.hpp"
#include "runge_kutta/explicit.hpp"

namespace ricochet {

class GapSearch {
 public:
  enum class Watch {
    no,
    open,     // g > 0 at the begin
    bounced,  // g = 0, U > 0: g/θ is followed, so that the shortest flight is seen
    parting,  // g = 0, U = 0 and about to open: closed again where g < −tolerance
    inside,   // g < 0 at the begin: where it opens
    entered,  // g = 0, U < 0: −g/θ is followed
  };
  struct Event {
    int constraint = -1;
    double theta = 0.0;
    bool grazing = false;  // a minimum within the tolerance of 0 that does not pass it
    bool lost = false;     // behind it the gap has no finite value, and until there it does not close
  };

  explicit GapSearch(const Model& model);

  Watch& watch(int j) { return watch_[static_cast<std::size_t>(j)]; }
  Watch watch(int j) const { return watch_[static_cast<std::size_t>(j)]; }

  // The first crossing or grazing minimum of a step, with one tolerance a contact; the first components of `dense` are
  // q.
  std::optional<Event> first(const DenseOutput& dense, const double* tolerance) {
    return first(dense, tolerance, tolerance);
  }
  // The next one behind a grazing minimum: others may come to 0 as soon as they like.
  std::optional<Event> next(const DenseOutput& dense, const double* tolerance, const Event& grazing) {
    constexpr double behind = 1e-9;
    begin_[static_cast<std::size_t>(grazing.constraint)] = grazing.theta + behind;
    return search_all(dense, tolerance, tolerance, grazing.theta);
  }
  // Crossings only; the tolerance is that of contacts that part.
  std::optional<Event> first_crossing(const DenseOutput& dense, const double* tolerance) {
    return first(dense, zero_.data(), tolerance);
  }
  std::optional<Event> first_crossing(const DenseOutput& dense) { return first_crossing(dense, zero_.data()); }

  // Whether all gaps that are watched are open and stay so far from closing that a rough path is enough to say so: they
  // are larger than all they vary by, at five places, or, for linear gaps, by the Bernstein coefficients of the quintic
  // through the ends of a step.
  bool all_far(const DenseOutput& rough);
  bool is_affine() const { return affine_; }
  bool all_far(const ExplicitRungeKutta::Ends& step) const;

  // The gap along the step; the least it has up to `until`, if it closes at first and opens in the end.
  double gap(const DenseOutput& dense, int j, double theta);
  double least(const DenseOutput& dense, int j, double until);
  // Where gap j comes to 0 between θ = a, where it is positive, and b, where it is negative. Nothing if it is not, or
  // jumps there.
  std::optional<double> crossing(const DenseOutput& dense, int j, double a, double b);

 private:
  // lift: what comes nearer is grazing; shift: how far below 0 a contact that parts closes.
  std::optional<Event> first(const DenseOutput& dense, const double* lift, const double* shift) {
    if (affine_ && nothing_near(dense, lift)) return std::nullopt;
    std::fill(begin_.begin(), begin_.end(), 0.0);
    return search_all(dense, lift, shift, 0.0);
  }
  // The usual step: no gap comes within the tolerance, by the Bernstein coefficients of linear gaps.
  bool nothing_near(const DenseOutput& dense, const double* tolerance) const {
    for (int j = 0; j < nc_; ++j) {
      const Watch how = watch_[static_cast<std::size_t>(j)];
      if (how == Watch::no) continue;
      if (how != Watch::open && how != Watch::inside) return false;
      const double sign = how == Watch::open ? 1.0 : -1.0;
      if (dense.degree() > 4) {
        if (!is_far(dense, j, sign, tolerance[j])) return false;
        continue;
      }
      double p0 = sign * offset_[static_cast<std::size_t>(j)], p1 = 0.0, p2 = 0.0, p3 = 0.0, p4 = 0.0;
      for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) {
        const double *q = dense.coefficients(layout_.gradient.row[k]), H = sign * H_[static_cast<std::size_t>(k)];
        p0 += H * q[0], p1 += H * q[1], p2 += H * q[2], p3 += H * q[3], p4 += H * q[4];
      }
      p0 -= tolerance[j];
      const double half = p0 + 0.5 * p1;
      if (!(p0 > 0.0 && p0 + 0.25 * p1 > 0.0 && half + (1.0 / 6.0) * p2 > 0.0 &&
            half + 0.25 * p1 + 0.5 * p2 + 0.25 * p3 > 0.0 && p0 + p1 + p2 + p3 + p4 > 0.0))
        return false;
    }
    return true;
  }
  std::optional<Event> search_all(const DenseOutput& dense, const double* lift, const double* shift, double from);
  // What is followed for contact j: sign · gap + shift, or its quotient by θ; positive until the event.
  struct Followed {
    int constraint;
    double sign, shift, lift = 0.0;  // lift: coming closer than that is near
    bool divided = false;
    double begin_value = 0.0, begin_rate = 0.0, noise = 0.0;  // gap, h · rate and round-off at θ = 0, if divided
  };
  Followed follow(const DenseOutput& dense, int j, double lift, double shift);
  template <std::size_t n>
  std::array<double, n> polynomial(const DenseOutput& dense, const Followed& followed) const;
  bool is_far(const DenseOutput& dense, int j, double sign, double tolerance) const;  // of degree 7
  bool all_open() const {
    return std::none_of(watch_.begin(), watch_.end(), [](Watch how) { return how != Watch::no && how != Watch::open; });
  }
  double value(const DenseOutput& dense, const Followed& followed, double theta);
  double rate(const DenseOutput& dense, int j, double theta);  // h · rate, where the gap was asked for last
  std::optional<Event> search_piece(const DenseOutput& dense, const Followed& followed, double lower, double upper,
                                    int depth);
  std::optional<Event> search_halves(const DenseOutput& dense, const Followed& followed, double lower, double upper,
                                     int depth);
  Event search_end(const DenseOutput& dense, const Followed& followed, double lower, double upper);
  std::optional<double> polish(const DenseOutput& dense, const Followed& followed, double lower, double upper,
                               double theta);

  const Model& model_;
  const Layout& layout_ = model_.layout();
  const int nq_ = layout_.nq(), nc_ = layout_.nc();
  const bool affine_ = layout_.structure.linear_gaps && layout_.structure.fixed_gaps;
  ContactKinematics<double> here_{model_};  // where a step was last looked into
  std::vector<double> H_ = zeros(layout_.gradient.size()), offset_ = zeros(nc_), zero_ = offset_;  // of linear gaps
  std::vector<double> q_ = zeros(nq_), v_ = q_, begin_ = zero_;      // begin_: of each contact in the last step
  std::vector<double> smallest_ = zeros(nc_), largest_ = smallest_;  // gaps along a rough path
  std::vector<Watch> watch_;
};

}  // namespace ricochet
