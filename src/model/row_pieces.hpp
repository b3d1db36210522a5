// Rows that are taken from other models, piece by piece: the contacts of all pieces, the joints of all, the slips of
// all, each piece in coordinates of its own. A formula over three of a thousand coordinates costs three.
#pragma once

#include <vector>

#include "ricochet/model/compliance.hpp"
#include "ricochet/model/curved_rows.hpp"
#include "ricochet/model/poles.hpp"

namespace ricochet {

class RowPieces {
 public:
  RowPieces() = default;
  // Throws InputError (`field`) if a piece does not fit into nq coordinates.
  RowPieces(std::vector<CurvedRows> pieces, int nq, const char* field);

  bool empty() const { return pieces_.empty(); }

  // Their names, patterns and structure become the layout's.
  void take_gaps(Layout& layout) const;
  void take_joints(Layout& layout) const;
  void take_frictions(Layout& layout) const;  // after the gaps

  void gap(double t, const double* q, double* g) const;
  void gap_gradient(double t, const double* q, double* H) const;
  void gap_time_derivative(double t, const double* q, double* g_t) const;
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const;
  void restitution(double t, const double* q, double* e) const;
  void compliance(Compliance* laws) const;
  void joint(double t, const double* q, double* g) const;
  void joint_gradient(double t, const double* q, double* H) const;
  void joint_drift(double t, const double* q, double* o) const;
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const;
  void slip_gradient(double t, const double* q, double* H) const;
  void slip_drift(double t, const double* q, double* o) const;
  void slip_acceleration_terms(double t, const double* q, const double* v, double* c) const;
  void friction_bound(double t, const double* q, double* bound) const;
  void tangential_restitution(double t, const double* q, double* e) const;

  // As those of models (ricochet/model/poles.hpp).
  int pole_count() const;
  void poles(double t, const double* q, const double* v, const double* z, double* functions) const;

  // Of linear rows; false if a piece is not made of such sums.
  bool add_gap_terms(double t, LinearTerms& terms) const { return add_terms(t, false, terms); }
  bool add_joint_terms(double t, LinearTerms& terms) const { return add_terms(t, true, terms); }

 private:
  bool add_terms(double t, bool joints, LinearTerms& terms) const;

  std::vector<CurvedRows> pieces_;
  std::vector<const KnownPoles*> poles_;  // of each; null: it tells none
};

}  // namespace ricochet
