#include "ricochet/model/frame.hpp"

#include <algorithm>
#include <cmath>

#include "core/place.hpp"
#include "model/loads.hpp"
#include "model/row_pieces.hpp"
#include "model/signal_poles.hpp"
#include "model/sparse_parts.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/formula/elementary.hpp"

namespace ricochet {
namespace {

constexpr int per_element = 6;  // x₁, y₁, φ₁, x₂, y₂, φ₂
using ElementVector = std::array<double, per_element>;

// What an element is in its loop: places of its six values among the coordinates, those that are held, those that are
// driven, and places of its 6 × 6 entries, by columns, among those of a matrix; −1: none.
struct ElementPlaces {
  std::array<int, per_element> coordinate;
  ElementVector held;
  std::array<int, per_element> drive;
  bool is_driven = false;
  std::array<int, per_element * per_element> entry;
};

// The strains (1) with B = ∂(ε, γ, κ)/∂q. The rows of B are
//     B_ε = [−c/l, −s/l, γ/2, c/l, s/l, γ/2],   B_γ = [s/l, −c/l, −(1 + ε)/2, −s/l, c/l, −(1 + ε)/2],
//     B_κ = [0, 0, −1/l, 0, 0, 1/l],   c = cos ψ, s = sin ψ.
struct Strains {
  Strains(const FrameElement& element, const ElementVector& q) {
    const double psi = 0.5 * (q[2] + q[5]) + element.direction;
    const double x = (q[3] - q[0]) / element.length, y = (q[4] - q[1]) / element.length;
    formula::elementary::sincos(psi, sine, cosine);
    stretch = cosine * x + sine * y;
    gamma = -sine * x + cosine * y;
    kappa = (q[5] - q[2]) / element.length;
  }
  double epsilon() const { return stretch - 1.0; }

  double cosine, sine;
  double stretch, gamma, kappa;  // 1 + ε, γ, κ
};

// Something for each of ε, γ and κ: rates of strain, or forces N, Q, M.
struct Triple {
  double epsilon = 0.0, gamma = 0.0, kappa = 0.0;
};

// B x
Triple strain_rates(const Strains& at, double l, const ElementVector& x) {
  const double dx = (x[3] - x[0]) / l, dy = (x[4] - x[1]) / l, turn = 0.5 * (x[2] + x[5]);
  return {at.cosine * dx + at.sine * dy + at.gamma * turn, -at.sine * dx + at.cosine * dy - at.stretch * turn,
          (x[5] - x[2]) / l};
}

// N, Q and M: those of the strains and, with damping, those of their rates.
Triple section_forces(const FrameElement& element, const Strains& at, const Triple& rates) {
  return {element.EA * (at.epsilon() + element.damping * rates.epsilon),
          element.GA * (at.gamma + element.damping * rates.gamma),
          element.EI * (at.kappa + element.damping * rates.kappa)};
}

double product(const FrameElement& element, const Triple& a, const Triple& b) {
  return element.EA * a.epsilon * b.epsilon + element.GA * a.gamma * b.gamma + element.EI * a.kappa * b.kappa;
}

// l Bᵀ f
ElementVector nodal_forces(const Strains& at, double l, const Triple& f) {
  const double X = at.cosine * f.epsilon - at.sine * f.gamma, Y = at.sine * f.epsilon + at.cosine * f.gamma;
  const double turn = 0.5 * l * (at.gamma * f.epsilon - at.stretch * f.gamma);
  return {-X, -Y, turn - f.kappa, X, Y, turn + f.kappa};
}

using ElementMatrix = std::array<double, per_element * per_element>;  // by columns

// K of an element with section forces f = (N, Q, M) and S = diag(EA, GA, EI):
//     K = l Bᵀ S (B + η ∂(B v)/∂q) + l (N ∂²ε/∂q² + Q ∂²γ/∂q²),                                                     (4)
// where, with e_x = [−1, 0, 0, 1, 0, 0]/l, e_y likewise and m = [0, 0, ½, 0, 0, ½],
//     a = c e_x + s e_y,   b = −s e_x + c e_y,   B_ε = a + γ m,   B_γ = b − (1 + ε) m,
//     ∂²ε/∂q² = b mᵀ + m bᵀ − (1 + ε) m mᵀ,   ∂²γ/∂q² = −a mᵀ − m aᵀ − γ m mᵀ.
// Without damping v is not asked for.
void tangent(const FrameElement& element, const Strains& at, const Triple& f, const ElementVector& v,
             ElementMatrix& K) {
  const double l = element.length, c = at.cosine / l, s = at.sine / l, eta = element.damping;
  const ElementVector a = {-c, -s, 0.0, c, s, 0.0}, b = {s, -c, 0.0, -s, c, 0.0};
  double a_v = 0.0, b_v = 0.0, m_v = 0.0;
  if (eta != 0.0) {
    a_v = c * (v[3] - v[0]) + s * (v[4] - v[1]);
    b_v = -s * (v[3] - v[0]) + c * (v[4] - v[1]);
    m_v = 0.5 * (v[2] + v[5]);
  }
  const double bend = f.epsilon * at.stretch + f.gamma * at.gamma;
  for (int j = 0; j < per_element; ++j) {
    // Column j of B + η ∂(B v)/∂q.
    const double m = j % 3 == 2 ? 0.5 : 0.0, k = j == 2 ? -1.0 / l : j == 5 ? 1.0 / l : 0.0;
    const double epsilon = a[j] + at.gamma * m + eta * (b[j] * m_v + m * (b_v - at.stretch * m_v));
    const double gamma = b[j] - at.stretch * m - eta * (a[j] * m_v + m * (a_v + at.gamma * m_v));
    ElementVector column = nodal_forces(at, l, {element.EA * epsilon, element.GA * gamma, element.EI * k});
    // The forces turn with the element: l (w mᵀ + m wᵀ − (N (1 + ε) + Q γ) m mᵀ), w = N b − Q a.
    const double turn = 0.5 * l * (f.epsilon * b[j] - f.gamma * a[j] - bend * m);
    column[2] += turn;
    column[5] += turn;
    if (m != 0.0)
      for (const int i : {0, 1, 3, 4}) column[i] += l * m * (f.epsilon * b[i] - f.gamma * a[i]);
    std::copy(column.begin(), column.end(), K.begin() + per_element * j);
  }
  // Without damping it is symmetric: to the bit, so that it is factorised as such.
  if (eta != 0.0) return;
  for (int j = 0; j < per_element; ++j)
    for (int i = 0; i < j; ++i) K[per_element * j + i] = K[per_element * i + j];
}

// The columns of η l Bᵀ S B.
void damping_of(const FrameElement& element, const Strains& at, ElementMatrix& C) {
  for (int j = 0; j < per_element; ++j) {
    ElementVector unit = {};
    unit[j] = 1.0;
    const Triple rates = strain_rates(at, element.length, unit);
    const double eta = element.damping;
    const ElementVector column = nodal_forces(
        at, element.length,
        {eta * element.EA * rates.epsilon, eta * element.GA * rates.gamma, eta * element.EI * rates.kappa});
    std::copy(column.begin(), column.end(), C.begin() + per_element * j);
  }
}

void require(bool valid, double value, const std::string& field, const char* what) {
  if (!valid || !std::isfinite(value))
    throw InputError(field, std::string("must be ") + what + ", got " + to_text(value));
}

void check_element(const FrameElement& element, int nodes, const std::string& field) {
  for (const int node : element.node)
    if (node < 0 || node >= nodes)
      throw InputError(field + ".node", "there is no node " + std::to_string(node) + ": they count from 0 to " +
                                            std::to_string(nodes - 1));
  if (element.node[0] == element.node[1]) throw InputError(field + ".node", "joins a node with itself");
  for (const auto& [key, value] :
       {std::pair{".length", element.length}, {".EA", element.EA}, {".GA", element.GA}, {".EI", element.EI}})
    require(value > 0.0, value, field + key, "positive");
  for (const auto& [key, value] :
       {std::pair{".rho_A", element.rho_A}, {".rho_I", element.rho_I}, {".damping", element.damping}})
    require(value >= 0.0, value, field + key, "at least 0");
  require(true, element.direction, field + ".direction", "a finite number");
}

void check_data(const FrameData& data) {
  if (data.coordinates.empty()) throw InputError("coordinates", "is empty: nothing can move");
  const int nodes = static_cast<int>(data.nodes.size()), nq = static_cast<int>(data.coordinates.size());
  for (std::size_t i = 0; i < data.nodes.size(); ++i)
    for (const FrameValue& value : data.nodes[i])
      if (value.coordinate < -1 || value.coordinate >= nq || !std::isfinite(value.held) || value.drive < -1 ||
          value.drive >= static_cast<int>(data.drives.size()))
        throw InputError(path_to("nodes", i), "needs coordinates from 0 to " + std::to_string(nq - 1) +
                                                  ", or -1 with a finite value that is held");
  for (std::size_t i = 0; i < data.elements.size(); ++i) check_element(data.elements[i], nodes, path_to("elements", i));
  for (std::size_t i = 0; i < data.masses.size(); ++i) {
    const FrameMass& mass = data.masses[i];
    if (mass.node < 0 || mass.node >= nodes) throw InputError(path_to("masses", i, "node"), "there is no such node");
    require(mass.mass >= 0.0, mass.mass, path_to("masses", i, "mass"), "at least 0");
    require(mass.inertia >= 0.0, mass.inertia, path_to("masses", i, "inertia"), "at least 0");
  }
  require(data.mass_damping >= 0.0, data.mass_damping, "mass_damping", "at least 0");
}

// (3), and the masses at nodes: add(row, column, entry) over all pairs of values.
template <class Add>
void each_mass(const FrameData& data, const Add& add) {
  const double same = data.lumped ? 1.0 / 2.0 : 1.0 / 3.0, other = data.lumped ? 0.0 : 1.0 / 6.0;
  for (const FrameElement& element : data.elements) {
    const FrameNode &first = data.nodes[element.node[0]], &second = data.nodes[element.node[1]];
    for (int k = 0; k < 3; ++k) {
      const double whole = element.length * (k == 2 ? element.rho_I : element.rho_A);
      add(first[k], first[k], same * whole);
      add(second[k], second[k], same * whole);
      add(first[k], second[k], other * whole);
      add(second[k], first[k], other * whole);
    }
  }
  for (const FrameMass& mass : data.masses)
    for (int k = 0; k < 3; ++k) {
      const FrameValue& value = data.nodes[mass.node][k];
      add(value, value, k == 2 ? mass.inertia : mass.mass);
    }
}

SparseMatrix mass_of(const FrameData& data) {
  std::vector<Triplet> entries;
  each_mass(data, [&](const FrameValue& row, const FrameValue& col, double value) {
    if (row.coordinate >= 0 && col.coordinate >= 0 && value != 0.0)
      entries.push_back({row.coordinate, col.coordinate, value});
  });
  const int nq = static_cast<int>(data.coordinates.size());
  return sparse_from_triplets(nq, nq, std::move(entries));
}

// Weight of the elements, half of it at each node, and of the masses at nodes: add(value, force).
template <class Add>
void each_weight(const FrameData& data, const Add& add) {
  const auto at_node = [&](int node, double mass) {
    for (int k = 0; k < 2; ++k) add(data.nodes[node][k], mass * data.gravity[k]);
  };
  for (const FrameElement& element : data.elements)
    for (const int node : element.node) at_node(node, 0.5 * element.length * element.rho_A);
  for (const FrameMass& mass : data.masses) at_node(mass.node, mass.mass);
}

std::vector<double> weight_of(const FrameData& data) {
  std::vector<double> weight(data.coordinates.size(), 0.0);
  each_weight(data, [&](const FrameValue& value, double force) {
    if (value.coordinate >= 0) weight[value.coordinate] += force;
  });
  return weight;
}

// What drives see of the mass and the weight: M_qd by columns, M_dd, and the weight of what is driven.
struct DrivenMass {
  explicit DrivenMass(const FrameData& data)
      : coupling(data.drives.size()), own(data.drives.size()), weight(data.drives.size(), 0.0) {
    each_mass(data, [&](const FrameValue& row, const FrameValue& col, double value) {
      if (col.drive < 0 || value == 0.0) return;
      if (row.coordinate >= 0) coupling[col.drive].emplace_back(row.coordinate, value);
      if (row.drive >= 0) own[col.drive].emplace_back(row.drive, value);
    });
    each_weight(data, [&](const FrameValue& value, double force) {
      if (value.drive >= 0) weight[value.drive] += force;
    });
  }

  std::vector<SparseVector> coupling, own;
  std::vector<double> weight;
};

void refuse_massless(const FrameData& data, const SparseMatrix& mass) {
  for (int i = 0; i < mass.rows(); ++i)
    if (!(mass.at(i, i) > 0.0))
      throw InputError("", "the coordinate '" + data.coordinates[i] +
                               "' has no mass: give the members that meet there a density (rho_A and rho_I), or the "
                               "point a mass and an inertia");
}

// Entries of elements, springs and the mass.
Pattern stiffness_pattern(const FrameData& data, const SparseMatrix& mass) {
  std::vector<Triplet> entries;
  const auto add = [&](int row, int col) {
    if (row >= 0 && col >= 0) entries.push_back({row, col, 1.0});
  };
  for (const FrameElement& element : data.elements)
    for (const int node : element.node)
      for (const int other : element.node)
        for (const FrameValue& row : data.nodes[node])
          for (const FrameValue& col : data.nodes[other]) add(row.coordinate, col.coordinate);
  for (const FrameSpring& spring : data.springs)
    for (const auto& [row, row_weight] : spring.direction)
      for (const auto& [col, col_weight] : spring.direction) add(row, col);
  for (int j = 0; j < mass.cols(); ++j)
    for (int k = mass.pattern.start[j]; k < mass.pattern.start[j + 1]; ++k) add(mass.pattern.row[k], j);
  return sparse_from_triplets(mass.rows(), mass.cols(), std::move(entries)).pattern;
}

bool is_damped(const FrameData& data) {
  const auto has = [](const auto& part) { return part.damping != 0.0; };
  return data.mass_damping != 0.0 || std::any_of(data.elements.begin(), data.elements.end(), has) ||
         std::any_of(data.springs.begin(), data.springs.end(), has);
}

class FrameModel final : public Model, public CompliantContacts, public KnownPoles {
 public:
  FrameModel(FrameData data, SparseMatrix mass, RowPieces rows)
      : Model(layout_of(data, mass, rows)),
        data_(std::move(data)),
        weight_(weight_of(data_)),
        M_(std::move(mass.values)),
        rows_(std::move(rows)),
        driven_(data_),
        damped_(is_damped(data_)) {
    const Pattern& K = layout().stiffness;
    for (const FrameElement& element : data_.elements) places_.push_back(places_of(element, K));
    mass_place_ = places_in(K, layout().mass);
    poles_.add_all(data_.loads);
    for (const TimePoles& poles : data_.drive_poles) poles_.add(poles);
  }

  void mass(double, const double*, double* M) const override { std::copy(M_.begin(), M_.end(), M); }

  void force(double t, const double* q, const double* v, const double*, double* F) const override {
    std::copy(weight_.begin(), weight_.end(), F);
    add_loads(data_.loads, t, F);
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const ElementVector forces = forces_of(e, t, q, v);
      for (int i = 0; i < per_element; ++i)
        if (const int place = places_[e].coordinate[i]; place >= 0) F[place] -= forces[i];
    }
    for (const FrameSpring& spring : data_.springs) {
      const double force = pull(spring, t, q, v);
      for (const auto& [i, weight] : spring.direction) F[i] -= weight * force;
    }
    if (data_.mass_damping != 0.0) multiply_add(layout().mass, M_.data(), v, -data_.mass_damping, F);
    for (std::size_t d = 0; d < data_.drives.size(); ++d) {
      const OffsetMotion drive = data_.drives[d](t);
      const double acceleration = drive.acceleration + data_.mass_damping * drive.rate;
      for (const auto& [i, mass] : driven_.coupling[d]) F[i] -= mass * acceleration;
    }
  }

  void force_jacobians(double t, const double* q, const double* v, const double*, double* K, double* C) const override {
    std::fill(K, K + layout().stiffness.size(), 0.0);
    std::fill(C, C + layout().damping.size(), 0.0);
    ElementMatrix matrix;
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const FrameElement& element = data_.elements[e];
      const Strains at(element, values_at(e, t, q));
      const bool damped = element.damping != 0.0;
      const ElementVector speeds = damped ? speeds_at(e, t, v) : ElementVector{};
      const Triple rates = damped ? strain_rates(at, element.length, speeds) : Triple{};
      tangent(element, at, section_forces(element, at, rates), speeds, matrix);
      add_entries(e, matrix, K);
      if (!damped) continue;
      damping_of(element, at, matrix);
      add_entries(e, matrix, C);
    }
    for (const FrameSpring& spring : data_.springs)
      for (const auto& [row, row_weight] : spring.direction)
        for (const auto& [col, col_weight] : spring.direction) {
          const int place = layout().stiffness.place(row, col);
          K[place] += spring.stiffness * (row_weight * col_weight);
          if (damped_) C[place] += spring.damping * (row_weight * col_weight);
        }
    if (data_.mass_damping != 0.0)
      for (std::size_t k = 0; k < M_.size(); ++k) C[mass_place_[k]] += data_.mass_damping * M_[k];
  }

  int pole_count() const override { return poles_.count() + rows_.pole_count(); }
  void poles(double t, const double* q, const double* v, const double* z, double* functions) const override {
    poles_.at(t, functions);
    rows_.poles(t, q, v, z, functions + poles_.count());
  }

  Energy<double> energy(double t, const double* q, const double* v) const override {
    double potential = -dot(nq(), weight_.data(), q);
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const Strains at(data_.elements[e], values_at(e, t, q));
      const Triple strains = {at.epsilon(), at.gamma, at.kappa};
      potential += 0.5 * data_.elements[e].length * product(data_.elements[e], strains, strains);
    }
    for (const FrameSpring& spring : data_.springs)
      potential += 0.5 * spring.stiffness * extension(spring, t, q) * extension(spring, t, q);
    for (std::size_t d = 0; d < data_.drives.size(); ++d) {
      const OffsetMotion drive = data_.drives[d](t);
      potential -= driven_.weight[d] * drive.value;
      for (const auto& [other, mass] : driven_.own[d])
        potential -= 0.5 * mass * drive.rate * data_.drives[other](t).rate;
    }
    return {0.5 * bilinear(layout().mass, M_.data(), v, v), potential};
  }

  Power<double> power(double t, const double* q, const double* v, const double*) const override {
    Power<double> power{power_of(data_.loads, t, v), 0.0};
    if (!damped_ && data_.drives.empty()) return power;
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const FrameElement& element = data_.elements[e];
      if (places_[e].is_driven) power.input += work_of_drives(e, t, q, v);
      if (element.damping == 0.0) continue;
      const Triple rates = strain_rates(Strains(element, values_at(e, t, q)), element.length, speeds_at(e, t, v));
      power.damping -= element.damping * element.length * product(element, rates, rates);
    }
    for (const FrameSpring& spring : data_.springs) {
      const double rate = extension_rate(spring, t, v);
      power.damping -= spring.damping * rate * rate;
      for (const auto& [d, weight] : spring.driven)
        power.input += weight * data_.drives[d](t).rate * pull(spring, t, q, v);
    }
    power.damping -= data_.mass_damping * bilinear(layout().mass, M_.data(), v, v);
    for (std::size_t d = 0; d < data_.drives.size(); ++d) add_inertia_power(d, t, v, power);
    return power;
  }

  void gap(double t, const double* q, double* g) const override { rows_.gap(t, q, g); }
  void gap_gradient(double t, const double* q, double* H) const override { rows_.gap_gradient(t, q, H); }
  void gap_time_derivative(double t, const double* q, double* g_t) const override {
    rows_.gap_time_derivative(t, q, g_t);
  }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    rows_.gap_acceleration_terms(t, q, v, c);
  }
  void restitution(double t, const double* q, double* e) const override { rows_.restitution(t, q, e); }
  void compliance(Compliance* laws) const override { rows_.compliance(laws); }
  void joint(double t, const double* q, double* g) const override { rows_.joint(t, q, g); }
  void joint_gradient(double t, const double* q, double* H) const override { rows_.joint_gradient(t, q, H); }
  void joint_drift(double t, const double* q, double* o) const override { rows_.joint_drift(t, q, o); }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    rows_.joint_acceleration_terms(t, q, v, c);
  }
  void slip_gradient(double t, const double* q, double* H) const override { rows_.slip_gradient(t, q, H); }
  void slip_drift(double t, const double* q, double* o) const override { rows_.slip_drift(t, q, o); }
  void slip_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    rows_.slip_acceleration_terms(t, q, v, c);
  }
  void friction_bound(double t, const double* q, double* bound) const override { rows_.friction_bound(t, q, bound); }
  void tangential_restitution(double t, const double* q, double* e) const override {
    rows_.tangential_restitution(t, q, e);
  }

 private:
  static Layout layout_of(const FrameData& data, const SparseMatrix& mass, const RowPieces& rows) {
    Layout layout;
    layout.coordinates = data.coordinates;
    layout.structure.constant_mass = true;
    layout.mass = mass.pattern;
    layout.stiffness = stiffness_pattern(data, mass);
    layout.damping = is_damped(data) ? layout.stiffness : Pattern::empty(layout.nq(), layout.nq());
    rows.take_gaps(layout);
    rows.take_joints(layout);
    rows.take_frictions(layout);
    for (const LinearObservation& observation : data.observations) layout.observations.push_back(observation.name);
    layout.observation = columns(layout.nq(), data.observations,
                                 [](const LinearObservation& observation) { return observation.weights; });
    return layout;
  }

  ElementPlaces places_of(const FrameElement& element, const Pattern& pattern) const {
    ElementPlaces places;
    for (int i = 0; i < per_element; ++i) {
      const FrameValue& value = data_.nodes[element.node[i / 3]][i % 3];
      places.coordinate[i] = value.coordinate;
      places.held[i] = value.held;
      places.drive[i] = value.drive;
      places.is_driven = places.is_driven || value.drive >= 0;
    }
    for (int j = 0; j < per_element; ++j)
      for (int i = 0; i < per_element; ++i) {
        const int row = places.coordinate[i], col = places.coordinate[j];
        places.entry[per_element * j + i] = row >= 0 && col >= 0 ? pattern.place(row, col) : -1;
      }
    return places;
  }

  ElementVector values_at(std::size_t e, double t, const double* q) const {
    ElementVector values = places_[e].held;
    for (int i = 0; i < per_element; ++i)
      if (const int place = places_[e].coordinate[i]; place >= 0) values[i] = q[place];
    if (places_[e].is_driven) [[unlikely]]
      for (int i = 0; i < per_element; ++i)
        if (const int d = places_[e].drive[i]; d >= 0) values[i] = data_.drives[d](t).value;
    return values;
  }
  ElementVector speeds_at(std::size_t e, double t, const double* v) const {
    ElementVector speeds = {};
    for (int i = 0; i < per_element; ++i)
      if (const int place = places_[e].coordinate[i]; place >= 0) speeds[i] = v[place];
    if (places_[e].is_driven) [[unlikely]]
      for (int i = 0; i < per_element; ++i)
        if (const int d = places_[e].drive[i]; d >= 0) speeds[i] = data_.drives[d](t).rate;
    return speeds;
  }
  ElementVector forces_of(std::size_t e, double t, const double* q, const double* v) const {
    const FrameElement& element = data_.elements[e];
    const Strains at(element, values_at(e, t, q));
    const Triple rates = element.damping != 0.0 ? strain_rates(at, element.length, speeds_at(e, t, v)) : Triple{};
    return nodal_forces(at, element.length, section_forces(element, at, rates));
  }
  // x_d′ᵀ(∂V/∂x_d + ∂D/∂x_d′) of an element.
  double work_of_drives(std::size_t e, double t, const double* q, const double* v) const {
    const ElementVector forces = forces_of(e, t, q, v);
    double work = 0.0;
    for (int i = 0; i < per_element; ++i)
      if (const int d = places_[e].drive[i]; d >= 0) work += forces[i] * data_.drives[d](t).rate;
    return work;
  }
  // The rest of (5): inertia, weight, and what damping by the mass takes.
  void add_inertia_power(std::size_t d, double t, const double* v, Power<double>& power) const {
    const OffsetMotion drive = data_.drives[d](t);
    const double alpha = data_.mass_damping, shared = alpha * drive.rate - drive.acceleration;
    power.input -= driven_.weight[d] * drive.rate;
    for (const auto& [i, mass] : driven_.coupling[d]) {
      power.input += mass * v[i] * shared;
      power.damping -= 2.0 * alpha * mass * v[i] * drive.rate;
    }
    for (const auto& [other, mass] : driven_.own[d]) {
      const double rate = data_.drives[other](t).rate;
      power.input += mass * rate * shared;
      power.damping -= alpha * mass * rate * drive.rate;
    }
  }
  void add_entries(std::size_t e, const ElementMatrix& matrix, double* A) const {
    for (int k = 0; k < per_element * per_element; ++k)
      if (const int place = places_[e].entry[k]; place >= 0) A[place] += matrix[k];
  }
  double extension(const FrameSpring& spring, double t, const double* q) const {
    double sum = along(spring.direction, q) + spring.offset;
    for (const auto& [d, weight] : spring.driven) sum += weight * data_.drives[d](t).value;
    return sum;
  }
  double extension_rate(const FrameSpring& spring, double t, const double* v) const {
    double sum = along(spring.direction, v);
    for (const auto& [d, weight] : spring.driven) sum += weight * data_.drives[d](t).rate;
    return sum;
  }
  double pull(const FrameSpring& spring, double t, const double* q, const double* v) const {
    return spring.stiffness * extension(spring, t, q) + spring.damping * extension_rate(spring, t, v);
  }

  FrameData data_;
  std::vector<double> weight_, M_;
  std::vector<ElementPlaces> places_;
  std::vector<int> mass_place_;  // of the entries of M among those of K
  RowPieces rows_;
  DrivenMass driven_;
  bool damped_;
  SignalPoles poles_;
};

}  // namespace

std::unique_ptr<Model> frame(FrameData data) {
  check_data(data);
  SparseMatrix mass = mass_of(data);
  refuse_massless(data, mass);
  RowPieces rows(data.rows, mass.rows(), "rows");
  return std::make_unique<FrameModel>(std::move(data), std::move(mass), std::move(rows));
}

}  // namespace ricochet
