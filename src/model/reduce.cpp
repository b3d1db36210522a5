#include "model/reduce.hpp"

#include <algorithm>

namespace ricochet {
namespace {

const double* shape(const ModalBasis& basis, int k) {
  return basis.shapes.data() + static_cast<std::size_t>(k) * static_cast<std::size_t>(basis.n);
}

// Φᵀx
SparseVector in_modes(const ModalBasis& basis, const SparseVector& x) {
  SparseVector result;
  for (int k = 0; k < basis.m; ++k) {
    double sum = 0.0;
    for (const auto& [i, weight] : x) sum += weight * shape(basis, k)[i];
    result.emplace_back(k, sum);
  }
  return result;
}

SparseMatrix diagonal(const std::vector<double>& values) {
  std::vector<Triplet> entries;
  for (int i = 0; i < static_cast<int>(values.size()); ++i) entries.push_back({i, i, values[i]});
  const int n = static_cast<int>(values.size());
  return sparse_from_triplets(n, n, std::move(entries));
}

// ΦᵀCΦ
SparseMatrix in_modes(const ModalBasis& basis, const SparseMatrix& C) {
  std::vector<Triplet> entries;
  for (int i = 0; i < basis.m; ++i)
    for (int j = 0; j < basis.m; ++j)
      entries.push_back({i, j, bilinear(C.pattern, C.values.data(), shape(basis, i), shape(basis, j))});
  return sparse_from_triplets(basis.m, basis.m, std::move(entries));
}

}  // namespace

LinearSystemData reduced(const LinearSystemData& system, const ModalBasis& basis, const std::vector<double>& ratios) {
  const std::size_t m = static_cast<std::size_t>(basis.m);
  std::vector<double> stiffness(m), damping(m, 0.0);
  LinearSystemData modal;
  for (std::size_t k = 0; k < m; ++k) {
    modal.coordinates.push_back("mode" + std::to_string(k + 1));
    stiffness[k] = basis.omega[k] * basis.omega[k];
    if (!ratios.empty()) damping[k] = 2.0 * ratios[std::min(k, ratios.size() - 1)] * basis.omega[k];
  }
  modal.mass = diagonal(std::vector<double>(m, 1.0));
  modal.stiffness = diagonal(stiffness);
  if (!ratios.empty()) modal.damping = diagonal(damping);
  if (system.damping.rows() > 0) {
    const SparseMatrix C = in_modes(basis, system.damping);
    modal.damping = ratios.empty() ? C : add(modal.damping, 1.0, C, 1.0);
  }
  if (!system.weight.empty()) {
    modal.weight.resize(m);
    for (int k = 0; k < basis.m; ++k) modal.weight[k] = dot(basis.n, shape(basis, k), system.weight.data());
  }
  for (const LinearLoad& load : system.loads)
    modal.loads.push_back({in_modes(basis, load.direction), load.signal, load.pieces, load.poles});
  for (const LinearGap& gap : system.gaps)
    modal.gaps.push_back({gap.name, in_modes(basis, gap.normal), gap.offset, gap.restitution, gap.compliance});
  modal.curved_gaps = in_modes(system.curved_gaps, basis);
  modal.curved_joints = in_modes(system.curved_joints, basis);
  for (const LinearJoint& joint : system.joints)
    modal.joints.push_back(
        {joint.name, in_modes(basis, joint.normal), joint.offset, joint.motion, joint.pieces, joint.poles});
  for (LinearFriction friction : system.frictions) {
    for (LinearSlip& slip : friction.slips) slip.direction = in_modes(basis, slip.direction);
    modal.frictions.push_back(std::move(friction));
  }
  for (const LinearObservation& observation : system.observations)
    modal.observations.push_back({observation.name, in_modes(basis, observation.weights)});
  return modal;
}

std::vector<double> modal_coordinates(const SparseMatrix& mass, const ModalBasis& basis, const std::vector<double>& q) {
  std::vector<double> Mq(q.size(), 0.0), result;
  multiply_add(mass.pattern, mass.values.data(), q.data(), 1.0, Mq.data());
  for (int k = 0; k < basis.m; ++k) result.push_back(dot(basis.n, shape(basis, k), Mq.data()));
  return result;
}

}  // namespace ricochet
