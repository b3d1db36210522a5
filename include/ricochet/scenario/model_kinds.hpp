// The kinds of model besides formulas: matrices, bars, beams, beads and frames, as plain values. What each member means
// is said in src/scenario/keys/keys_model.cpp. All numbers may be formulas of the parameters.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ricochet/core/quantity.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

// Rows, or the name of a file; no rows: no matrix.
using MatrixSource = std::variant<std::vector<std::vector<Quantity>>, std::string>;

// A value for each coordinate: by name, or one for all. The one for all may be the name of a file, or on bars and beams
// a formula of the abscissa x.
struct CoordinateValues {
  CoordinateValues() = default;
  CoordinateValues(Quantity value) : for_all(std::move(value)) {}                                   // NOLINT
  CoordinateValues(NamedQuantities values) : by_name(std::move(values)) {}                          // NOLINT
  CoordinateValues(std::initializer_list<NamedQuantities::value_type> values) : by_name(values) {}  // NOLINT

  NamedQuantities by_name = {};
  std::optional<Quantity> for_all = std::nullopt;
  bool operator==(const CoordinateValues&) const = default;
};

// A function of time: a formula, or a column of a file.
struct SignalDescription {
  std::string formula = {};
  std::string file = {}, column = {};
  std::string interpolation = "linear", outside = "zero";
  Quantity factor = 1.0;
  bool operator==(const SignalDescription&) const = default;
};

struct CoordinateLoad {
  Quantity dof = 0.0;
  SignalDescription signal = {};
  bool operator==(const CoordinateLoad&) const = default;
};

struct PointLoad {
  Quantity at = 0.0;
  SignalDescription signal = {};
  bool operator==(const PointLoad&) const = default;
};

struct BaseMotion {
  SignalDescription signal = {};
  std::string unit = "m/s^2";
  NamedQuantities direction = {};
  bool operator==(const BaseMotion&) const = default;
};

// Either a restitution or a dissipation index.
struct ImpactDescription {
  std::optional<Quantity> restitution = std::nullopt, dissipation_index = std::nullopt;
  NamedQuantities compliance = {};
  bool operator==(const ImpactDescription&) const = default;
};

// Sliding velocities as rows, slip·v + slip_offset: one, or a second one for contact in space.
struct SlipRows {
  NamedQuantities slip = {}, second_slip = {};
  Quantity slip_offset = 0.0, second_slip_offset = 0.0;
  bool operator==(const SlipRows&) const = default;
};

// Coulomb's friction of a contact.
struct ContactFriction {
  std::optional<Quantity> friction = std::nullopt, tangential_restitution = std::nullopt;
  SlipRows slips = {};
  bool operator==(const ContactFriction&) const = default;
};

struct RowConstraint {
  std::string name = {};
  NamedQuantities normal = {};
  Quantity offset = 0.0;
  std::string gap = {};
  ImpactDescription impact = {};
  ContactFriction friction = {};
  bool operator==(const RowConstraint&) const = default;
};

struct RowJoint {
  std::string name = {};
  NamedQuantities normal = {};
  Quantity offset = 0.0;
  std::vector<std::string> equation = {};
  bool operator==(const RowJoint&) const = default;
};

// Dry friction with a known limit.
struct RowFriction {
  std::string name = {};
  SlipRows slips = {};
  Quantity limit = 0.0;
  bool operator==(const RowFriction&) const = default;
};

struct StopLimits {
  std::string name = {};
  std::optional<Quantity> lower = std::nullopt, upper = std::nullopt;
  ImpactDescription impact = {};
  bool operator==(const StopLimits&) const = default;
};

struct CoordinateStop {
  Quantity dof = 0.0;
  StopLimits limits = {};
  ContactFriction friction = {};
  bool operator==(const CoordinateStop&) const = default;
};

struct PointStop {
  Quantity at = 0.0;
  StopLimits limits = {};
  bool operator==(const PointStop&) const = default;
};

// A displacement that is held, or driven as a formula of t says.
struct HeldDisplacement {
  std::string name = {};
  Quantity displacement = 0.0;
  bool operator==(const HeldDisplacement&) const = default;
};

struct CoordinateJoint {
  Quantity dof = 0.0;
  HeldDisplacement held = {};
  bool operator==(const CoordinateJoint&) const = default;
};

struct PointJoint {
  Quantity at = 0.0;
  HeldDisplacement held = {};
  bool operator==(const PointJoint&) const = default;
};

struct EndStop {
  std::string end = {};
  Quantity gap = 0.0;
  ImpactDescription impact = {};
  bool operator==(const EndStop&) const = default;
};

struct RowObservation {
  std::string name = {};
  NamedQuantities normal = {};
  bool operator==(const RowObservation&) const = default;
};

struct PointObservation {
  std::string name = {};
  Quantity at = 0.0;
  bool operator==(const PointObservation&) const = default;
};

struct LinearDescription {
  std::vector<std::string> coordinates = {};
  NamedQuantities parameters = {};
  std::string matrices = {};
  MatrixSource mass = {}, damping = {}, stiffness = {};
  std::vector<Quantity> rayleigh = {}, damping_ratios = {};
  std::uint64_t modes = 0;
  NamedQuantities load = {};
  std::vector<CoordinateLoad> loads = {};
  std::optional<BaseMotion> base = std::nullopt;
  std::vector<CoordinateStop> stops = {};
  std::vector<CoordinateJoint> held = {};
  std::vector<RowObservation> observe = {};
  std::vector<RowConstraint> constraints = {};
  std::vector<RowJoint> joints = {};
  std::vector<RowFriction> frictions = {};
  bool operator==(const LinearDescription&) const = default;
};

// What bars and beams share.
struct LineDescription {
  NamedQuantities parameters = {};
  std::uint64_t elements = 0;
  Quantity length = 0.0, young = 0.0, area = 0.0, density = 0.0;
  std::string mass = "consistent";
  std::string left = "free", right = "free";
  std::vector<Quantity> rayleigh = {}, damping_ratios = {};
  std::uint64_t modes = 0;
  std::vector<PointLoad> loads = {};
  std::optional<BaseMotion> base = std::nullopt;
  std::vector<PointStop> stops = {};
  std::vector<PointJoint> held = {};
  std::vector<PointObservation> observe = {};
  bool operator==(const LineDescription&) const = default;
};

struct BarDescription : LineDescription {
  std::optional<EndStop> stop = std::nullopt;
  bool operator==(const BarDescription&) const = default;
};

struct BeamDescription : LineDescription {
  BeamDescription() { left = "clamped"; }
  Quantity inertia = 0.0;
  std::string method = "hermite";
  std::string boundary = "second-order";
  bool operator==(const BeamDescription&) const = default;
};

// Beads in a vertical column over a floor.
struct BeadColumnDescription {
  NamedQuantities parameters = {};
  std::uint64_t count = 0;
  Quantity radius = 0.0, mass = 0.0, gravity = 9.81, spacing = 0.0, floor = 0.0;
  Quantity restitution = 0.0;
  std::optional<Quantity> floor_restitution = std::nullopt;
  bool operator==(const BeadColumnDescription&) const = default;
};

// Beads side by side on a line; with a length they hang as the balls of a cradle.
struct BeadChainDescription {
  NamedQuantities parameters = {};
  std::uint64_t count = 0;
  Quantity mass = 0.0, restitution = 0.0, spacing = 0.0, gravity = 9.81;
  std::optional<Quantity> length = std::nullopt;
  bool operator==(const BeadChainDescription&) const = default;
};

// Points by name: [x, y].
using NamedRows = std::vector<std::pair<std::string, std::vector<Quantity>>>;

struct MemberDescription {
  std::string name = {}, from = {}, to = {};
  std::uint64_t elements = 0;
  std::optional<Quantity> young = std::nullopt, area = std::nullopt, inertia = std::nullopt, density = std::nullopt;
  Quantity poisson = 0.3, shear_factor = 5.0 / 6.0;
  std::optional<Quantity> EA = std::nullopt, GA = std::nullopt, EI = std::nullopt, rho_A = std::nullopt,
                          rho_I = std::nullopt;
  Quantity turn = 0.0, damping = 0.0;
  bool operator==(const MemberDescription&) const = default;
};

struct FrameSupport {
  std::string point = {}, kind = {};
  std::vector<Quantity> direction = {};
  std::string x = {}, y = {}, angle = {};
  bool operator==(const FrameSupport&) const = default;
};

struct PointMass {
  std::string point = {};
  Quantity mass = 0.0, inertia = 0.0;
  bool operator==(const PointMass&) const = default;
};

struct PointSpring {
  std::string point = {};
  bool angle = false;
  std::vector<Quantity> direction = {};
  Quantity stiffness = 0.0, damping = 0.0;
  bool operator==(const PointSpring&) const = default;
};

struct FrameLoad {
  std::string point = {};
  std::vector<Quantity> force = {};
  std::optional<Quantity> moment = std::nullopt;
  bool operator==(const FrameLoad&) const = default;
};

// At one place, or at all nodes of a member.
struct FrameConstraint {
  ConstraintDescription contact = {};
  std::string member = {};
  bool operator==(const FrameConstraint&) const = default;
};

// Planar beams that may turn and bend as far as they like.
struct FrameDescription {
  NamedQuantities parameters = {};
  std::vector<Quantity> gravity = {};
  NamedRows points = {};
  std::vector<MemberDescription> members = {};
  std::vector<FrameSupport> supports = {};
  std::vector<std::string> hinges = {};
  std::vector<PointMass> masses = {};
  std::vector<PointSpring> springs = {};
  std::vector<FrameLoad> loads = {};
  std::string mass = "consistent";
  Quantity mass_damping = 0.0;
  std::vector<RowObservation> observe = {};
  std::vector<FrameConstraint> constraints = {};
  std::vector<JointDescription> joints = {};
  std::vector<FrictionDescription> frictions = {};
  bool operator==(const FrameDescription&) const = default;
};

}  // namespace ricochet
