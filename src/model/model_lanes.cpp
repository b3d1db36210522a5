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

// out = call(model, q, v, ·) in every lane.
template <class Call>
void ModelLanes::gather(int size, const Lanes* q, const Lanes* v, Lanes* out, const Call& call) const {
  for (int l = 0; l < lane_count; ++l) {
    for (int i = 0; i < nq() && q != nullptr; ++i) q_[i] = q[i][l];
    for (int i = 0; i < nq() && v != nullptr; ++i) v_[i] = v[i][l];
    call(*models_[l], l, out_.data());
    for (int k = 0; k < size; ++k) out[k].set(l, out_[k]);
  }
}

void ModelLanes::mass(Lanes t, const Lanes* q, Lanes* M) const {
  gather(layout().mass.size(), q, nullptr, M,
         [&](const Model& model, int l, double* out) { model.mass(t[l], q_.data(), out); });
}
void ModelLanes::force(Lanes t, const Lanes* q, const Lanes* v, const Lanes*, Lanes* F) const {
  gather(nq(), q, v, F,
         [&](const Model& model, int l, double* out) { model.force(t[l], q_.data(), v_.data(), nullptr, out); });
}
void ModelLanes::force_jacobians(Lanes, const Lanes*, const Lanes*, const Lanes*, Lanes* K, Lanes* C) const {
  const LinearForce<Lanes> linear = linear_force();
  std::copy(linear.K.begin(), linear.K.end(), K);
  std::copy(linear.C.begin(), linear.C.end(), C);
}
void ModelLanes::gap(Lanes t, const Lanes* q, Lanes* g) const {
  gather(nc(), q, nullptr, g, [&](const Model& model, int l, double* out) { model.gap(t[l], q_.data(), out); });
}
void ModelLanes::gap_gradient(Lanes t, const Lanes* q, Lanes* H) const {
  gather(layout().gradient.size(), q, nullptr, H,
         [&](const Model& model, int l, double* out) { model.gap_gradient(t[l], q_.data(), out); });
}
void ModelLanes::gap_time_derivative(Lanes t, const Lanes* q, Lanes* g_t) const {
  gather(nc(), q, nullptr, g_t,
         [&](const Model& model, int l, double* out) { model.gap_time_derivative(t[l], q_.data(), out); });
}
void ModelLanes::gap_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const {
  gather(nc(), q, v, c, [&](const Model& model, int l, double* out) {
    model.gap_acceleration_terms(t[l], q_.data(), v_.data(), out);
  });
}
void ModelLanes::restitution(Lanes t, const Lanes* q, Lanes* e) const {
  gather(nc(), q, nullptr, e, [&](const Model& model, int l, double* out) { model.restitution(t[l], q_.data(), out); });
}
void ModelLanes::joint(Lanes t, const Lanes* q, Lanes* g) const {
  gather(nb(), q, nullptr, g, [&](const Model& model, int l, double* out) { model.joint(t[l], q_.data(), out); });
}
void ModelLanes::joint_gradient(Lanes t, const Lanes* q, Lanes* H) const {
  gather(layout().joint_gradient.size(), q, nullptr, H,
         [&](const Model& model, int l, double* out) { model.joint_gradient(t[l], q_.data(), out); });
}
void ModelLanes::joint_drift(Lanes t, const Lanes* q, Lanes* o) const {
  gather(nb(), q, nullptr, o, [&](const Model& model, int l, double* out) { model.joint_drift(t[l], q_.data(), out); });
}
void ModelLanes::joint_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const {
  gather(nb(), q, v, c, [&](const Model& model, int l, double* out) {
    model.joint_acceleration_terms(t[l], q_.data(), v_.data(), out);
  });
}
void ModelLanes::slip_gradient(Lanes t, const Lanes* q, Lanes* H) const {
  gather(layout().slip_gradient.size(), q, nullptr, H,
         [&](const Model& model, int l, double* out) { model.slip_gradient(t[l], q_.data(), out); });
}
void ModelLanes::slip_drift(Lanes t, const Lanes* q, Lanes* o) const {
  gather(ns(), q, nullptr, o, [&](const Model& model, int l, double* out) { model.slip_drift(t[l], q_.data(), out); });
}
void ModelLanes::slip_acceleration_terms(Lanes t, const Lanes* q, const Lanes* v, Lanes* c) const {
  gather(ns(), q, v, c, [&](const Model& model, int l, double* out) {
    model.slip_acceleration_terms(t[l], q_.data(), v_.data(), out);
  });
}
void ModelLanes::friction_bound(Lanes t, const Lanes* q, Lanes* bound) const {
  gather(nf(), q, nullptr, bound,
         [&](const Model& model, int l, double* out) { model.friction_bound(t[l], q_.data(), out); });
}
void ModelLanes::tangential_restitution(Lanes t, const Lanes* q, Lanes* e) const {
  gather(nf(), q, nullptr, e,
         [&](const Model& model, int l, double* out) { model.tangential_restitution(t[l], q_.data(), out); });
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
