// From the description of a model to the model, one function a kind.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/model/finite_elements.hpp"
#include "ricochet/model/linear.hpp"
#include "ricochet/model/modal.hpp"
#include "ricochet/model/time_series.hpp"
#include "ricochet/scenario/attachments.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "scenario/build/formulas.hpp"
#include "scenario/keys/key.hpp"

namespace ricochet {

struct BuiltModel {
  std::unique_ptr<Model> model;
  Parameters parameters = {};
  std::vector<double> rest = {};  // where the coordinates are if [initial] does not say; 0 if empty
  std::vector<double> states = {};

  // The coordinates that [initial] speaks of: those of the model, or before a reduction to modes those of the system.
  std::vector<std::string> coordinates = {};
  std::vector<double> abscissa = {};  // of each, on bars and beams
  std::vector<bool> is_slope = {};
  std::optional<ModalBasis> basis = std::nullopt;
  SparseMatrix mass = {};  // of the system, where it is reduced
  // Throws InputError if the model cannot begin at rest at this time, where [initial] does not say how else.
  std::function<void(double t)> check_start = {};
};

// Runs a function of model/, whose fields count from the model.
template <class Function>
auto in_model(Function function) {
  try {
    return function();
  } catch (const InputError& error) {
    throw InputError(error.field().empty() ? "model" : "model." + error.field(), error.message());
  }
}

// The values of a file with one a coordinate, a single column or the last one; none if `values` names no file.
std::optional<std::vector<double>> coordinate_file(const CoordinateValues& values, std::size_t count,
                                                   const Attachments* files, const std::string& field);

// The last row of a table, the file of a result, as a state; the time `t` where it has no column of it.
State last_row(const NumberTable& table, const Layout& layout, const std::string& file, const std::string& field,
               double t);

// The last state of a result that [initial] names for q: it gives v and the states too, and the time.
std::optional<State> last_state(const Initial& initial, const Layout& layout, const Attachments* files);

ComplementaritySettings solver_settings(const Solver& solver, const Parameters& parameters);

// Throws InputError where a scenario names a file and there is nobody to read it.
const Attachments& needed(const Attachments* files, const std::string& field);

// The parameters and files of a scenario at hand. Fields count from the model, except that `file` and `signal`
// functions take them as they are.
class Sources {
 public:
  Sources(const NamedQuantities& parameters, const Attachments* files)
      : parameters_(evaluate_parameters(parameters)), files_(files) {}

  const Parameters& parameters() const { return parameters_; }
  double value(const Quantity& quantity, const std::string& field, const Range& range = {}) const;
  std::vector<double> values(const std::vector<Quantity>& quantities, const std::string& field,
                             const Range& range = {}) const;
  double restitution(const ImpactDescription& impact, const std::string& field) const;
  Compliance compliance(const ImpactDescription& impact, const std::string& field) const;
  SparseMatrix matrix(const MatrixSource& source, const std::string& field) const;
  // direction · signal(t); `key` is the name of the formula in its place.
  LinearLoad load(SparseVector direction, const SignalDescription& signal, const std::string& field,
                  const char* key) const;
  const Attachments& files(const std::string& field) const { return needed(files_, field); }

 private:
  TimeSeries series(const SignalDescription& signal, const std::string& field) const;

  Parameters parameters_;
  const Attachments* files_;
};

// True for a text that names a file of numbers.
bool names_file(const std::string& text);
bool names_result(const std::string& text);  // of ricochet

// Damping and the reduction to modes, which all systems with a stiffness share.
struct DampingChoice {
  const std::vector<Quantity>& rayleigh;
  const std::vector<Quantity>& ratios;
  std::uint64_t modes;
};
void finish(LinearSystemData system, const DampingChoice& choice, const Sources& sources, BuiltModel& built);

// −M·direction·acceleration
LinearLoad base_load(const BaseMotion& base, const SparseMatrix& mass, const std::vector<double>& direction,
                     const Sources& sources);

// The constraints of a stop with one or two limits: lower ≤ weights·q ≤ upper.
void add_stop(const StopLimits& limits, const SparseVector& weights, std::size_t number, const std::string& field,
              const Sources& sources, std::vector<LinearGap>& gaps);

// The names of gaps, joints and frictions, which share the columns of results: each is taken once.
class RowNames {
 public:
  RowNames() = default;
  explicit RowNames(const LinearSystemData& system);  // its gaps have theirs
  void take(const std::string& name, const std::string& field);
  std::vector<std::string> all() const { return {taken_.begin(), taken_.end()}; }

 private:
  std::set<std::string> taken_;
};

// normal·q + factor·offset = 0, the offset a number or a formula of t.
// s, s' and s'' of a formula of t, times a factor; none if it does not depend on t.
std::function<OffsetMotion(double)> motion_of(const Quantity& offset, double factor, const Parameters& parameters,
                                              const std::string& field);

LinearJoint row_joint(std::string name, SparseVector normal, const Quantity& offset, double factor,
                      const Sources& sources, const std::string& field);
// weights·q = displacement; `number` is for the name, if none is given.
LinearJoint held_joint(const HeldDisplacement& held, SparseVector weights, std::size_t number, RowNames& names,
                       const Sources& sources, const std::string& field);

// All throw InputError with fields that count from the model.
BuiltModel build_model(const LagrangianDescription& description, const Attachments* files);
BuiltModel build_model(const LinearDescription& description, const Attachments* files);
BuiltModel build_model(const BarDescription& description, const Attachments* files);
BuiltModel build_model(const BeamDescription& description, const Attachments* files);
BuiltModel build_model(const BeadColumnDescription& description, const Attachments* files);
BuiltModel build_model(const BeadChainDescription& description, const Attachments* files);
BuiltModel build_model(const FrameDescription& description, const Attachments* files);

}  // namespace ricochet
