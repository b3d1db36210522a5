#include <fmt/format.h>

#include <algorithm>

#include "core/place.hpp"
#include "ricochet/core/error.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/build/file_tables.hpp"
#include "scenario/checks.hpp"
#include "scenario/keys/key_path.hpp"

namespace ricochet {

namespace {

constexpr double standard_gravity = 9.80665;  // m/s²

}  // namespace

bool names_file(const std::string& text) {
  for (const std::string_view ending : {".csv", ".txt", ".npy", ".npz", ".mtx", ".h5", ".hdf5"})
    if (text.size() > ending.size() && text.ends_with(ending)) return true;
  return false;
}

bool names_result(const std::string& text) { return text.ends_with(".h5") || text.ends_with(".hdf5"); }

double Sources::value(const Quantity& quantity, const std::string& field, const Range& range) const {
  const double value = evaluate_quantity(quantity, parameters_, field);
  check_number(value, range, field);
  return value;
}

std::vector<double> Sources::values(const std::vector<Quantity>& quantities, const std::string& field,
                                    const Range& range) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < quantities.size(); ++i) result.push_back(value(quantities[i], path_to(field, i), range));
  return result;
}

double Sources::restitution(const ImpactDescription& impact, const std::string& field) const {
  if (impact.restitution && impact.dissipation_index)
    throw InputError(field + ".dissipation_index", "give restitution or dissipation_index, not both");
  if (impact.restitution) return value(*impact.restitution, field + ".restitution", zero_to_one);
  if (!impact.dissipation_index)
    throw InputError(field, "the restitution is missing: give restitution = e in [0, 1], or dissipation_index");
  const double d = value(*impact.dissipation_index, field + ".dissipation_index", zero_to_one);
  return (1.0 - d) / (1.0 + d);
}

Compliance Sources::compliance(const ImpactDescription& impact, const std::string& field) const {
  check_compliance(impact.compliance, field + ".compliance");
  Compliance law;
  for (const auto& [name, quantity] : impact.compliance) {
    double& part = name == "stiffness"  ? law.stiffness
                   : name == "exponent" ? law.exponent
                   : name == "damping"  ? law.damping
                                        : law.hysteresis;
    part = value(quantity, field + ".compliance." + name, name == "exponent" ? Range{1.0} : not_negative);
  }
  return law;
}

const Attachments& needed(const Attachments* files, const std::string& field) {
  if (files == nullptr) throw InputError(field, "names a file, and there is no folder to read it from");
  return *files;
}

SparseMatrix Sources::matrix(const MatrixSource& source, const std::string& field) const {
  if (const auto* file = std::get_if<std::string>(&source)) {
    const SparseMatrix A = files(field).matrix(*file, field);
    if (A.rows() != A.cols())
      throw InputError(field,
                       fmt::format("must be square, '{}' has {} rows and {} columns", *file, A.rows(), A.cols()));
    return A;
  }
  const auto& rows = std::get<0>(source);
  const int n = static_cast<int>(rows.size());
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i) {
    const std::string place = path_to(field, static_cast<std::size_t>(i));
    const std::vector<double> row = values(rows[i], place);
    if (row.size() != rows.size())
      throw InputError(place, fmt::format("must have {} entries, as many as there are rows, got {}", n, row.size()));
    for (int j = 0; j < n; ++j)
      if (row[j] != 0.0) entries.push_back({i, j, row[j]});
  }
  return sparse_from_triplets(n, n, std::move(entries));
}

TimeSeries Sources::series(const SignalDescription& signal, const std::string& field) const {
  const bool linear = position_of(signal.interpolation, {"linear", "cubic"}, field + ".interpolation") == 0;
  const bool zero = position_of(signal.outside, {"zero", "hold"}, field + ".outside") == 0;
  const NumberTable table = files(field + ".file").table(signal.file, field + ".file");
  std::vector<double> y = column_of(table, signal.file, signal.column, field + ".file", field + ".column");
  const double factor = value(signal.factor, field + ".factor");
  for (double& entry : y) entry *= factor;
  return TimeSeries(table.values[0], std::move(y), linear ? Interpolation::linear : Interpolation::cubic,
                    zero ? Outside::zero : Outside::hold, field + ".file");
}

LinearLoad Sources::load(SparseVector direction, const SignalDescription& signal, const std::string& field,
                         const char* key) const {
  if (signal.formula.empty() == signal.file.empty())
    throw InputError(field, fmt::format("needs {}, a formula of t, or file, a CSV file: one of the two", key));
  if (!signal.file.empty()) {
    const auto samples = std::make_shared<const TimeSeries>(series(signal, field));
    return {std::move(direction), [samples](double t) { return (*samples)(t); },
            [samples](double t) { return samples->piece(t); }};
  }
  const auto formula =
      std::make_shared<const Formulas>(std::vector<Formulas::Item>{{field + "." + key, signal.formula}}, parameters_);
  LinearLoad load{std::move(direction), [formula](double t) {
                    double value = 0.0;
                    formula->evaluate(t, 0.0, &value);
                    return value;
                  }};
  if (const std::optional<TimeSum> terms = time_sum(signal.formula, parameters_))
    load.pieces = [piece = TimePiece{*terms}](double) { return piece; };
  load.poles = time_poles(signal.formula, parameters_);
  return load;
}

LinearLoad base_load(const BaseMotion& base, const SparseMatrix& mass, const std::vector<double>& direction,
                     const Sources& sources) {
  const double unit = position_of(base.unit, {"m/s^2", "g"}, "base.unit") == 0 ? 1.0 : standard_gravity;
  std::vector<double> force(direction.size(), 0.0);
  multiply_add(mass.pattern, mass.values.data(), direction.data(), -unit, force.data());
  LinearLoad load = sources.load({}, base.signal, "base", "acceleration");
  for (std::size_t i = 0; i < force.size(); ++i)
    if (force[i] != 0.0) load.direction.emplace_back(static_cast<int>(i), force[i]);
  return load;
}

void add_stop(const StopLimits& limits, const SparseVector& weights, std::size_t number, const std::string& field,
              const Sources& sources, std::vector<LinearGap>& gaps) {
  if (!limits.lower && !limits.upper) throw InputError(field, "needs lower, upper or both");
  const std::string name = limits.name.empty() ? fmt::format("stop{}", number) : limits.name;
  check_name(name, field + ".name", true);
  const double e = sources.restitution(limits.impact, field);
  const Compliance law = sources.compliance(limits.impact, field);
  SparseVector opposite = weights;
  for (auto& [i, weight] : opposite) weight = -weight;
  if (limits.lower) gaps.push_back({name + "-lower", weights, -sources.value(*limits.lower, field + ".lower"), e, law});
  if (limits.upper) gaps.push_back({name + "-upper", opposite, sources.value(*limits.upper, field + ".upper"), e, law});
  if (limits.lower && limits.upper && gaps[gaps.size() - 2].offset + gaps.back().offset < 0.0)
    throw InputError(field, "has its lower limit above its upper one");
}

}  // namespace ricochet
