#include "model/model_lanes.hpp"

#include <algorithm>

namespace ricochet {
namespace {

// More coordinates have sparse factors, which lanes have not.
constexpr int most_coordinates = 16;

}  // namespace

ModelLanes::ModelLanes(const std::shared_ptr<const Model>& model) : Mechanics<Lanes>(model->layout()) {
  models_.fill(model);
  const Layout& all = layout();
  const auto n = static_cast<std::size_t>(all.nq());
  q_.resize(n), v_.resize(n);
  out_.resize(static_cast<std::size_t>(
      std::max({all.mass.size(), all.stiffness.size(), all.damping.size(), all.rows.size(), all.nr(), all.nq()})));
}

bool ModelLanes::is_taken(const Model& model) {
  const Structure& structure = model.layout().structure;
  return structure.linear_force && structure.constant_mass && model.nz() == 0 && model.nq() <= most_coordinates;
}

bool ModelLanes::fits(const Model& model) const {
  const Layout &a = layout(), &b = model.layout();
  return a.coordinates == b.coordinates && a.constraints == b.constraints && a.structure == b.structure &&
         a.mass == b.mass && a.stiffness == b.stiffness && a.damping == b.damping && a.joints == b.joints &&
         a.frictions == b.frictions && a.rows == b.rows;
}

// Each lane of some values, by itself.
void ModelLanes::spread(int lane, const Lanes* all, std::vector<double>& one) const {
  for (int i = 0; i < nq(); ++i) one[i] = all[i][lane];
}
void ModelLanes::collect(int lane, int size, Lanes* out) const {
  for (int k = 0; k < size; ++k) out[k].set(lane, out_[k]);
}

void ModelLanes::at_place(AtPlace function, int size, Lanes t, const Lanes* q, Lanes* out) const {
  for (int l = 0; l < lane_count; ++l) {
    spread(l, q, q_);
    ((*models_[l]).*function)(t[l], q_.data(), out_.data());
    collect(l, size, out);
  }
}
void ModelLanes::at_motion(InMotion function, int size, Lanes t, const Lanes* q, const Lanes* v, Lanes* out) const {
  for (int l = 0; l < lane_count; ++l) {
    spread(l, q, q_), spread(l, v, v_);
    ((*models_[l]).*function)(t[l], q_.data(), v_.data(), out_.data());
    collect(l, size, out);
  }
}

void ModelLanes::mass(Lanes t, const Lanes* q, Lanes* M) const {
  at_place(&Model::mass, layout().mass.size(), t, q, M);
}
void ModelLanes::force(Lanes t, const Lanes* q, const Lanes* v, const Lanes*, Lanes* F) const {
  for (int l = 0; l < lane_count; ++l) {
    spread(l, q, q_), spread(l, v, v_);
    models_[l]->force(t[l], q_.data(), v_.data(), nullptr, out_.data());
    collect(l, nq(), F);
  }
}
void ModelLanes::force_jacobians(Lanes, const Lanes*, const Lanes*, const Lanes*, Lanes* K, Lanes* C) const {
  const LinearForce<Lanes> linear = linear_force();
  std::copy(linear.K.begin(), linear.K.end(), K);
  std::copy(linear.C.begin(), linear.C.end(), C);
}
void ModelLanes::gap(Lanes t, const Lanes* q, Lanes* g) const { at_place(&Model::gap, nc(), t, q, g); }
void ModelLanes::gap_gradient(Lanes t, const Lanes* q, Lanes* H) const {
  at_place(&Model::gap_gradient, layout().gradient.size(), t, q, H);
}
void ModelLanes::gap_time_derivative(Lanes t, const Lanes* q, Lanes* g_t) const {
  at_place(&Model::gap_time_derivative, nc(), t, q, g_t);
}
void ModelLanes::gap_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const {
  at_motion(&Model::gap_acceleration_terms, nc(), t, q, v, c);
}
void ModelLanes::restitution(Lanes t, const Lanes* q, Lanes* e) const { at_place(&Model::restitution, nc(), t, q, e); }
void ModelLanes::joint(Lanes t, const Lanes* q, Lanes* g) const { at_place(&Model::joint, nb(), t, q, g); }
void ModelLanes::joint_gradient(Lanes t, const Lanes* q, Lanes* H) const {
  at_place(&Model::joint_gradient, layout().joint_gradient.size(), t, q, H);
}
void ModelLanes::joint_drift(Lanes t, const Lanes* q, Lanes* o) const { at_place(&Model::joint_drift, nb(), t, q, o); }
void ModelLanes::joint_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const {
  at_motion(&Model::joint_acceleration_terms, nb(), t, q, v, c);
}
void ModelLanes::slip_gradient(Lanes t, const Lanes* q, Lanes* H) const {
  at_place(&Model::slip_gradient, layout().slip_gradient.size(), t, q, H);
}
void ModelLanes::slip_drift(Lanes t, const Lanes* q, Lanes* o) const { at_place(&Model::slip_drift, ns(), t, q, o); }
void ModelLanes::slip_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const {
  at_motion(&Model::slip_acceleration_terms, ns(), t, q, v, c);
}
void ModelLanes::friction_bound(Lanes t, const Lanes* q, Lanes* bound) const {
  at_place(&Model::friction_bound, nf(), t, q, bound);
}
void ModelLanes::tangential_restitution(Lanes t, const Lanes* q, Lanes* e) const {
  at_place(&Model::tangential_restitution, nf(), t, q, e);
}

LinearForce<Lanes> ModelLanes::linear_force() const {
  LinearForce<Lanes> all;
  for (int l = 0; l < lane_count; ++l) {
    const LinearForce<double> one = models_[l]->linear_force();
    const auto put = [l](const std::vector<double>& from, std::vector<Lanes>& to) {
      to.resize(std::max(to.size(), from.size()), Lanes(0.0));
      for (std::size_t k = 0; k < from.size(); ++k) to[k].set(l, from[k]);
    };
    put(one.K, all.K), put(one.K_V, all.K_V), put(one.C, all.C), put(one.C_D, all.C_D);
  }
  return all;
}

void ModelLanes::load(Lanes t, Load<Lanes>& load) const {
  for (int l = 0; l < lane_count; ++l) {
    Load<double> one{q_.data(), v_.data(), 0.0};
    models_[l]->load(t[l], one);
    for (int i = 0; i < nq(); ++i) load.f[i].set(l, q_[i]), load.l[i].set(l, v_[i]);
    load.V0.set(l, one.V0);
  }
}

}  // namespace ricochet
