#include "scheme/impact_angles.hpp"

#include <algorithm>
#include <cmath>

#include "core/iteration_matrix.hpp"
#include "ricochet/scheme/impact.hpp"

namespace ricochet {
namespace {

// Less than that of the size of the coordinates touches.
constexpr double touch_tolerance = 1e-12;

bool is_diagonal(const Pattern& pattern) {
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (pattern.row[k] != j) return false;
  return true;
}

}  // namespace

struct ImpactAngles::Memory {
  explicit Memory(const Model& model)
      : layout(model.layout()),
        diagonal(is_diagonal(layout.mass)),
        g(static_cast<std::size_t>(layout.nc())),
        e(g),
        norm(g),
        M(static_cast<std::size_t>(layout.mass.size())),
        H(static_cast<std::size_t>(layout.gradient.size())),
        x(static_cast<std::size_t>(layout.nq())),
        state_of(static_cast<std::size_t>(layout.nc())) {
    closed.reserve(static_cast<std::size_t>(layout.nc()));
  }

  // The constraints of each coordinate.
  void transpose() {
    const Pattern& gradient = layout.gradient;
    row_start.assign(static_cast<std::size_t>(layout.nq()) + 1, 0);
    column.resize(gradient.row.size());
    for (const int i : gradient.row) ++row_start[static_cast<std::size_t>(i) + 1];
    for (std::size_t i = 0; i + 1 < row_start.size(); ++i) row_start[i + 1] += row_start[i];
    std::vector<int> next(row_start.begin(), row_start.end() - 1);
    for (int j = 0; j < gradient.cols; ++j)
      for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) column[next[gradient.row[k]]++] = j;
  }

  // Once, when angles are asked for.
  void prepare() {
    if (prepared) return;
    prepared = true;
    if (diagonal) {
      transpose();
    } else {
      factors.resize(layout.nq(), {&layout.mass});
    }
  }

  enum : char { open = 0, touching = 1, marked = 2 };

  const Layout& layout;
  const bool diagonal;
  std::vector<double> g, e, norm, M, H, x;
  std::vector<char> state_of;          // by constraint
  std::vector<int> closed;             // constraints
  std::vector<int> row_start, column;  // gradient by rows, for a diagonal mass
  IterationMatrix<double> factors;     // of other ones
  bool prepared = false;
};

ImpactAngles::ImpactAngles(const Model& model) : model_(model) {}
ImpactAngles::~ImpactAngles() = default;

void ImpactAngles::decide(const State& state, double h, std::span<ContactReport> contacts) {
  if (model_.nc() < 2) return;
  const bool several = gather(state, h, contacts);
  if (several) mark(state, contacts);
  for (ContactReport& contact : contacts)
    if (!contact.discontinuous)
      contact.discontinuous = several && memory_->state_of[contact.constraint] == Memory::marked;
}

void ImpactAngles::decide_impacts(const State& state, double h, std::span<ContactReport> contacts) {
  const bool any = std::any_of(contacts.begin(), contacts.end(), [](const ContactReport& contact) {
    return contact.located || -contact.rate_minus > std::abs(contact.rate_drift);
  });
  if (any) return decide(state, h, contacts);
  for (ContactReport& contact : contacts) contact.discontinuous = contact.discontinuous.value_or(false);
}

// The closed contacts; false if there is only one.
bool ImpactAngles::gather(const State& state, double h, std::span<const ContactReport> contacts) {
  if (!memory_) memory_ = std::make_unique<Memory>(model_);
  Memory& m = *memory_;
  std::fill(m.state_of.begin(), m.state_of.end(), Memory::open);
  m.closed.clear();
  const auto add = [&m](int j) {
    if (m.state_of[j] != Memory::open) return;
    m.state_of[j] = Memory::touching;
    m.closed.push_back(j);
  };
  for (const ContactReport& contact : contacts) add(contact.constraint);

  const double* q = state.q.data();
  double size = 1.0;
  for (const double x : state.q) size = std::max(size, std::abs(x));
  model_.gap(state.t, q, m.g.data());
  model_.gap_gradient(state.t, q, m.H.data());
  model_.gap_time_derivative(state.t, q, m.norm.data());
  for (int j = 0; j < model_.nc(); ++j) {
    const double U = m.norm[j] + column_dot(m.layout.gradient, m.H.data(), j, state.v.data());
    if (m.g[j] - h * std::max(U, 0.0) <= touch_tolerance * size) add(j);
  }
  return m.closed.size() > 1;
}

void ImpactAngles::mark(const State& state, std::span<const ContactReport> contacts) {
  Memory& m = *memory_;
  m.prepare();
  const double* q = state.q.data();
  model_.mass(state.t, q, m.M.data());
  model_.restitution(state.t, q, m.e.data());
  const Pattern& gradient = m.layout.gradient;
  if (m.diagonal) {
    // W_ab = Σ_i H_ia H_ib / M_i: only constraints that share a coordinate meet.
    for (const int b : m.closed) {
      double sum = 0.0;
      for (int k = gradient.start[b]; k < gradient.start[b + 1]; ++k) sum += m.H[k] * m.H[k] / m.M[gradient.row[k]];
      m.norm[b] = std::sqrt(sum);
    }
  } else {
    m.factors.set_zero();
    m.factors.add(0, m.M.data(), 1.0);
    if (!m.factors.factorise()) return;
    std::fill(m.norm.begin(), m.norm.end(), 0.0);  // not known yet
  }
  for (const ContactReport& contact : contacts)
    if (!contact.discontinuous && m.state_of[contact.constraint] != Memory::marked) compare(contact.constraint);
}

// Marks a, and those that break continuity with it.
void ImpactAngles::compare(int a) {
  Memory& m = *memory_;
  const Pattern& gradient = m.layout.gradient;
  double* x = m.x.data();
  // x = M⁻¹ H_a
  const auto solve = [&](int j) {
    std::fill(m.x.begin(), m.x.end(), 0.0);
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) x[gradient.row[k]] = m.H[k];
    m.factors.solve(x);
    return column_dot(gradient, m.H.data(), j, x);
  };
  const auto meet = [&](int b) {
    if (b == a || m.state_of[b] == Memory::open) return;
    const double cosine = column_dot(gradient, m.H.data(), b, x) / (m.norm[a] * m.norm[b]);
    if (!breaks_continuity(cosine, std::max(m.e[a], m.e[b]))) return;
    m.state_of[a] = m.state_of[b] = Memory::marked;
  };

  if (m.diagonal) {
    for (int k = gradient.start[a]; k < gradient.start[a + 1]; ++k) x[gradient.row[k]] = m.H[k] / m.M[gradient.row[k]];
    for (int k = gradient.start[a]; k < gradient.start[a + 1]; ++k)
      for (int i = m.row_start[gradient.row[k]]; i < m.row_start[gradient.row[k] + 1]; ++i) meet(m.column[i]);
    for (int k = gradient.start[a]; k < gradient.start[a + 1]; ++k) x[gradient.row[k]] = 0.0;
    return;
  }
  for (const int b : m.closed)
    if (m.norm[b] == 0.0) m.norm[b] = std::sqrt(solve(b));
  solve(a);
  for (const int b : m.closed) meet(b);
}

}  // namespace ricochet
