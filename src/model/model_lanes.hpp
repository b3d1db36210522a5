// Models of one layout side by side, each in its lane: every lane asks its own model, so that it gets that model's
// bits. It is for linear forces, whose matrices are asked for once.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ricochet/core/lanes.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class ModelLanes final : public Mechanics<Lanes> {
 public:
  // All lanes have the same model at first.
  explicit ModelLanes(const std::shared_ptr<const Model>& model);

  // Whether it goes into lanes at all, and into these.
  static bool is_taken(const Model& model);
  bool fits(const Model& model) const;
  void set(int lane, std::shared_ptr<const Model> model) { models_[static_cast<std::size_t>(lane)] = std::move(model); }
  void imitate(int lane, int other) { set(lane, models_[static_cast<std::size_t>(other)]); }

  void mass(Lanes t, const Lanes* q, Lanes* M) const override;
  void force(Lanes t, const Lanes* q, const Lanes* v, const Lanes* z, Lanes* F) const override;
  void force_jacobians(Lanes t, const Lanes* q, const Lanes* v, const Lanes* z, Lanes* K, Lanes* C) const override;
  void gap(Lanes t, const Lanes* q, Lanes* g) const override;
  void gap_gradient(Lanes t, const Lanes* q, Lanes* H) const override;
  void gap_time_derivative(Lanes t, const Lanes* q, Lanes* g_t) const override;
  void gap_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const override;
  void restitution(Lanes t, const Lanes* q, Lanes* e) const override;
  void joint(Lanes t, const Lanes* q, Lanes* g) const override;
  void joint_gradient(Lanes t, const Lanes* q, Lanes* H) const override;
  void joint_drift(Lanes t, const Lanes* q, Lanes* o) const override;
  void joint_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const override;
  void slip_gradient(Lanes t, const Lanes* q, Lanes* H) const override;
  void slip_drift(Lanes t, const Lanes* q, Lanes* o) const override;
  void slip_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const override;
  void friction_bound(Lanes t, const Lanes* q, Lanes* bound) const override;
  void tangential_restitution(Lanes t, const Lanes* q, Lanes* e) const override;
  LinearForce<Lanes> linear_force() const override;
  void load(Lanes t, Load<Lanes>& load) const override;

 private:
  // out = function(t, q, …) of the model of each lane.
  using AtPlace = void (Model::*)(double, const double*, double*) const;
  using InMotion = void (Model::*)(double, const double*, const double*, double*) const;
  void at_place(AtPlace function, int size, Lanes t, const Lanes* q, Lanes* out) const;
  void at_motion(InMotion function, int size, Lanes t, const Lanes* q, const Lanes* v, Lanes* out) const;
  void spread(int lane, const Lanes* all, std::vector<double>& one) const;
  void collect(int lane, int size, Lanes* out) const;

  std::array<std::shared_ptr<const Model>, lane_count> models_;
  mutable std::vector<double> q_, v_, out_;  // of one lane
};

}  // namespace ricochet
