// A linear model from matrices:
//
//     M v' = f(t) − l − K q − C v + H dI + H_B dI_B + H_S dI_S,
//     g = normalᵀ q + offset ≥ 0,   g_B = normalᵀ q + offset(t) = 0,   U_S = directionᵀ v + offset(t).
//
// Bars, beams, columns of beads and matrices from files all end here.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/model/compliance.hpp"
#include "ricochet/model/curved_rows.hpp"
#include "ricochet/model/time_piece.hpp"

namespace ricochet {

// A sparse vector: coordinates, counted from 0, with their weights.
using SparseVector = std::vector<std::pair<int, double>>;

// f(t) += direction · signal(t). The signal may be called from several threads at once.
struct LinearLoad {
  SparseVector direction;
  std::function<double(double)> signal;
  TimePieces pieces = {};  // the signal from a time on, if it is made of such sums
  TimePoles poles = {};    // of the signal
};

struct LinearGap {
  std::string name;
  SparseVector normal;
  double offset = 0.0;
  double restitution = 0.0;
  Compliance compliance = {};
  bool operator==(const LinearGap&) const = default;
};

// An offset that depends on time, with its derivatives.
struct OffsetMotion {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

// One row. The motion, if there is one, is in place of the offset; it may be called from several threads at once.
struct LinearJoint {
  std::string name;
  SparseVector normal;
  double offset = 0.0;
  std::function<OffsetMotion(double)> motion = {};
  TimePieces pieces = {};  // of the value of the motion, as those of a load
  TimePoles poles = {};    // the same
};

// A slip, U = directionᵀ v + offset. The motion, if there is one, is in place of the offset: −v_b(t) of a surface that
// moves with v_b.
struct LinearSlip {
  SparseVector direction;
  double offset = 0.0;
  std::function<OffsetMotion(double)> motion = {};
  TimePieces pieces = {};
  TimePoles poles = {};
};

// Coulomb's friction of a contact, or dry friction with a limit of its own.
struct LinearFriction {
  int constraint = -1;            // whose force bounds it, by its place among the gaps; −1: a limit of its own
  std::string name = {};          // of one with a limit; one of a contact has the name of its constraint
  std::vector<LinearSlip> slips;  // one, or two: Cartesian components of one velocity in the plane of contact
  double bound = 0.0;             // μ ≥ 0, or the limit L ≥ 0
  std::function<OffsetMotion(double)> bound_motion = {};  // in place of the bound, if it depends on time
  double tangential_restitution = 0.0;                    // e_T in [0, 1]
};

// A displacement to look at, weightsᵀ q.
struct LinearObservation {
  std::string name;
  SparseVector weights;
};

struct LinearSystemData {
  std::vector<std::string> coordinates;
  SparseMatrix mass;            // symmetric, positive definite
  SparseMatrix stiffness = {};  // without rows: none
  SparseMatrix damping = {};
  std::vector<double> weight = {};  // constant forces that belong to the potential, −l; none or one a coordinate
  std::vector<LinearLoad> loads = {};
  std::vector<LinearGap> gaps = {};
  CurvedRows curved_gaps = {};  // in place of gaps
  std::vector<LinearJoint> joints = {};
  CurvedRows curved_joints = {};  // in place of joints
  std::vector<LinearFriction> frictions = {};
  std::vector<LinearObservation> observations = {};
};

// Throws InputError with the field of the data ("mass", "gaps[3].normal", …) if it is not a model.
std::unique_ptr<Model> linear(LinearSystemData data);

}  // namespace ricochet
