#include "model/row_pieces.hpp"

#include <algorithm>
#include <string>

#include "model/scratch.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

// The coordinates of a piece.
Scratch<double> own(const CurvedRows& piece, const double* x) {
  Scratch<double> values(static_cast<int>(piece.coordinates.size()));
  for (std::size_t i = 0; i < piece.coordinates.size(); ++i) values.data()[i] = x[piece.coordinates[i]];
  return values;
}

// The columns of a piece's pattern, its rows at the places of its coordinates.
void append(const Pattern& from, const CurvedRows& piece, Pattern& to) {
  const int size = to.size();
  to.cols += from.cols;
  for (const int row : from.row) to.row.push_back(piece.coordinates[row]);
  for (int j = 1; j <= from.cols; ++j) to.start.push_back(size + from.start[j]);
}

// out = method(t, x…) of each piece in its own coordinates, count(layout) values each.
template <class Count, class Method, class... Given>
void each(const std::vector<CurvedRows>& pieces, const Count& count, Method method, double* out, double t,
          const Given*... x) {
  for (const CurvedRows& piece : pieces) {
    const int n = count(piece.model->layout());
    if (n == 0) continue;
    ((*piece.model).*method)(t, own(piece, x).data()..., out);
    out += n;
  }
}

int count_gaps(const Layout& layout) { return layout.nc(); }
int count_joint_rows(const Layout& layout) { return layout.joint_gradient.cols; }
int count_slips(const Layout& layout) { return layout.slip_gradient.cols; }
int count_frictions(const Layout& layout) { return layout.nf(); }

}  // namespace

RowPieces::RowPieces(std::vector<CurvedRows> pieces, int nq, const char* field) : pieces_(std::move(pieces)) {
  for (const CurvedRows& piece : pieces_) {
    const std::vector<int>& places = piece.coordinates;
    if (!std::is_sorted(places.begin(), places.end(), std::less_equal<>()) ||
        static_cast<int>(places.size()) != piece.model->nq() || places.front() < 0 || places.back() >= nq)
      throw InputError(std::string(field) + ".coordinates", "must ascend, one a coordinate of the model of its rows");
    poles_.push_back(dynamic_cast<const KnownPoles*>(piece.model.get()));
  }
}

void RowPieces::take_gaps(Layout& layout) const {
  layout.gradient = Pattern::empty(layout.nq(), 0);
  Structure& structure = layout.structure;
  structure.linear_gaps = structure.fixed_gaps = structure.constant_restitution = true;
  for (const CurvedRows& piece : pieces_) {
    const Layout& other = piece.model->layout();
    for (const std::string& name : other.constraints)
      layout.constraints.push_back(piece.name.empty() ? name : piece.name);
    append(other.gradient, piece, layout.gradient);
    structure.linear_gaps = structure.linear_gaps && other.structure.linear_gaps;
    structure.fixed_gaps = structure.fixed_gaps && other.structure.fixed_gaps;
    structure.constant_restitution = structure.constant_restitution && other.structure.constant_restitution;
  }
}

void RowPieces::take_joints(Layout& layout) const {
  layout.joint_gradient = Pattern::empty(layout.nq(), 0);
  Structure& structure = layout.structure;
  structure.linear_joints = structure.fixed_joints = true;
  for (const CurvedRows& piece : pieces_) {
    const Layout& other = piece.model->layout();
    layout.joints.insert(layout.joints.end(), other.joints.begin(), other.joints.end());
    append(other.joint_gradient, piece, layout.joint_gradient);
    structure.linear_joints = structure.linear_joints && other.structure.linear_joints;
    structure.fixed_joints = structure.fixed_joints && other.structure.fixed_joints;
  }
}

void RowPieces::take_frictions(Layout& layout) const {
  layout.slip_gradient = Pattern::empty(layout.nq(), 0);
  Structure& structure = layout.structure;
  structure.linear_slips = structure.fixed_slips = structure.constant_friction = true;
  int first_constraint = 0;
  for (const CurvedRows& piece : pieces_) {
    const Layout& other = piece.model->layout();
    for (Friction friction : other.frictions) {
      if (friction.constraint >= 0) {
        friction.constraint += first_constraint;
        friction.name = layout.constraints[static_cast<std::size_t>(friction.constraint)];
      }
      layout.frictions.push_back(std::move(friction));
    }
    first_constraint += other.nc();
    append(other.slip_gradient, piece, layout.slip_gradient);
    structure.linear_slips = structure.linear_slips && other.structure.linear_slips;
    structure.fixed_slips = structure.fixed_slips && other.structure.fixed_slips;
    structure.constant_friction = structure.constant_friction && other.structure.constant_friction;
  }
}

void RowPieces::gap(double t, const double* q, double* g) const { each(pieces_, count_gaps, &Model::gap, g, t, q); }
void RowPieces::gap_gradient(double t, const double* q, double* H) const {
  each(
      pieces_, [](const Layout& layout) { return layout.gradient.size(); }, &Model::gap_gradient, H, t, q);
}
void RowPieces::gap_time_derivative(double t, const double* q, double* g_t) const {
  each(pieces_, count_gaps, &Model::gap_time_derivative, g_t, t, q);
}
void RowPieces::gap_acceleration_terms(double t, const double* q, const double* v, double* c) const {
  each(pieces_, count_gaps, &Model::gap_acceleration_terms, c, t, q, v);
}
void RowPieces::restitution(double t, const double* q, double* e) const {
  each(pieces_, count_gaps, &Model::restitution, e, t, q);
}

void RowPieces::compliance(Compliance* laws) const {
  for (const CurvedRows& piece : pieces_) {
    for (const Compliance& law : compliances_of(*piece.model)) *laws++ = law;
  }
}

void RowPieces::joint(double t, const double* q, double* g) const {
  each(pieces_, count_joint_rows, &Model::joint, g, t, q);
}
void RowPieces::joint_gradient(double t, const double* q, double* H) const {
  each(
      pieces_, [](const Layout& layout) { return layout.joint_gradient.size(); }, &Model::joint_gradient, H, t, q);
}
void RowPieces::joint_drift(double t, const double* q, double* o) const {
  each(pieces_, count_joint_rows, &Model::joint_drift, o, t, q);
}
void RowPieces::joint_acceleration_terms(double t, const double* q, const double* v, double* c) const {
  each(pieces_, count_joint_rows, &Model::joint_acceleration_terms, c, t, q, v);
}

void RowPieces::slip_gradient(double t, const double* q, double* H) const {
  each(
      pieces_, [](const Layout& layout) { return layout.slip_gradient.size(); }, &Model::slip_gradient, H, t, q);
}
void RowPieces::slip_drift(double t, const double* q, double* o) const {
  each(pieces_, count_slips, &Model::slip_drift, o, t, q);
}
void RowPieces::slip_acceleration_terms(double t, const double* q, const double* v, double* c) const {
  each(pieces_, count_slips, &Model::slip_acceleration_terms, c, t, q, v);
}
void RowPieces::friction_bound(double t, const double* q, double* bound) const {
  each(pieces_, count_frictions, &Model::friction_bound, bound, t, q);
}
void RowPieces::tangential_restitution(double t, const double* q, double* e) const {
  each(pieces_, count_frictions, &Model::tangential_restitution, e, t, q);
}

int RowPieces::pole_count() const {
  int count = 0;
  for (const KnownPoles* known : poles_) count += known != nullptr ? known->pole_count() : 0;
  return count;
}
void RowPieces::poles(double t, const double* q, const double* v, const double* z, double* functions) const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (poles_[i] == nullptr) continue;
    poles_[i]->poles(t, own(pieces_[i], q).data(), own(pieces_[i], v).data(), z, functions);
    functions += poles_[i]->pole_count();
  }
}

bool RowPieces::add_terms(double t, bool joints, LinearTerms& terms) const {
  for (const CurvedRows& piece : pieces_) {
    const std::optional<LinearTerms> own = piece.model->linear_terms(t);
    if (!own) return false;
    terms.until = std::min(terms.until, own->until);
    const auto first = own->rows.begin() + (joints ? piece.model->nc() : 0);
    terms.rows.insert(terms.rows.end(), first, first + (joints ? piece.model->nb() : piece.model->nc()));
  }
  return true;
}

}  // namespace ricochet
