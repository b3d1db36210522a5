#include "io/result/result_table.hpp"

#include <algorithm>

#include "io/format/json.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/io/result/slip_columns.hpp"

namespace ricochet {

namespace {

// Rows in a block, and the bytes that a block of wide rows may take.
constexpr std::size_t most_rows = 4096;
constexpr std::size_t most_bytes = std::size_t{4} << 20;

Column series(std::string name, std::string_view units, Element element = Element::float64) {
  return {.name = std::move(name), .units = units, .element = element};
}

Column matrix(std::string name, std::string_view units, std::size_t width) {
  return {.name = std::move(name), .units = units, .width = width, .is_matrix = true};
}

std::vector<Column> sample_columns(const ResultHeader& header) {
  const std::size_t nq = header.coordinates.size(), nz = header.states.size(), nc = header.constraints.size(),
                    ns = header.slips.size(), nb = header.joints.size(), no = header.observations.size(),
                    nw = header.outputs.size();
  std::vector<Column> columns = {series("t", "time"),
                                 series("event", "0 grid, -1 before an impact, 1 after it", Element::int32),
                                 matrix("q", "coordinate", nq), matrix("v", "coordinate/time", nq)};
  if (nz > 0) columns.push_back(matrix("z", "state", nz));
  columns.push_back(matrix("gap", "gap", nc));
  columns.push_back(matrix("rate", "gap/time", nc));
  columns.push_back(matrix("impulse", "impulse", nc));
  if (ns > 0) columns.push_back(matrix("slip", "slip", ns));
  if (ns > 0) columns.push_back(matrix("friction", "impulse", ns));
  if (nb > 0) columns.push_back(matrix("reaction", "impulse/time", nb));
  for (const char* part : {"energy/kinetic", "energy/potential", "energy/total", "ledger/input", "ledger/damping",
                           "ledger/impact", "ledger/friction", "ledger/numerical"})
    columns.push_back(series(part, "energy"));
  if (no > 0) columns.push_back(matrix("observed", "coordinate", no));
  if (no > 0) columns.push_back(matrix("observed_rate", "coordinate/time", no));
  if (nw > 0) columns.push_back(matrix("output", "by display", nw));
  return columns;
}

std::vector<Column> impact_columns(const ResultHeader& header) {
  std::vector<Column> columns = {series("impacts/t", "time"),
                                 series("impacts/constraint", "index into constraints, from 0", Element::int32),
                                 series("impacts/rate_minus", "gap/time"),
                                 series("impacts/rate_plus", "gap/time"),
                                 series("impacts/impulse", "impulse"),
                                 series("impacts/energy_loss", "energy"),
                                 series("impacts/discontinuous", "0 or 1", Element::int32)};
  const std::size_t slips = contact_slips_max(header.constraints, header.slips);
  if (slips == 0) return columns;
  for (const auto& [name, units] : {std::pair("impacts/slip_minus", "slip"), std::pair("impacts/slip_plus", "slip"),
                                    std::pair("impacts/friction_impulse", "impulse")})
    columns.push_back(slips == 1 ? series(name, units) : matrix(name, units, slips));
  columns.push_back(series("impacts/status", "0 none, 1 stick, 2 slide, 3 reverse", Element::int32));
  return columns;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::size_t row_bytes = 0;
  for (const Column& column : columns_) row_bytes += column.row_bytes();
  capacity_ = std::clamp<std::size_t>(most_bytes / row_bytes, 1, most_rows);
  for (Column& column : columns_) column.block.resize(capacity_ * column.row_bytes());
}

SampleTable::SampleTable(const ResultHeader& header)
    : Table(sample_columns(header)),
      has_states_(!header.states.empty()),
      has_slips_(!header.slips.empty()),
      has_joints_(!header.joints.empty()),
      has_observations_(!header.observations.empty()),
      has_outputs_(!header.outputs.empty()) {}

void SampleTable::add(const Sample& sample) {
  const double total = sample.kinetic + sample.potential;
  const std::int32_t event = sample.event;
  std::size_t k = 0;
  put(k++, &sample.t);
  put(k++, &event);
  put(k++, sample.q);
  put(k++, sample.v);
  if (has_states_) put(k++, sample.z);
  put(k++, sample.gap);
  put(k++, sample.rate);
  put(k++, sample.impulse);
  if (has_slips_) put(k++, sample.slip);
  if (has_slips_) put(k++, sample.friction);
  if (has_joints_) put(k++, sample.reaction);
  put(k++, &sample.kinetic);
  put(k++, &sample.potential);
  put(k++, &total);
  const LedgerTerms<double>& ledger = sample.ledger;
  for (const double* part : {&ledger.input, &ledger.damping, &ledger.impact, &ledger.friction, &ledger.numerical})
    put(k++, part);
  if (has_observations_) put(k++, sample.observed);
  if (has_observations_) put(k++, sample.observed_rate);
  if (has_outputs_) put(k++, sample.output);
  end_row();
}

ImpactTable::ImpactTable(const ResultHeader& header) : Table(impact_columns(header)) {}

void ImpactTable::add(const Impact& impact) {
  const std::int32_t constraint = impact.constraint, discontinuous = impact.discontinuous ? 1 : 0,
                     status = static_cast<std::int32_t>(impact.slip.status);
  const void* const values[] = {&impact.t,
                                &constraint,
                                &impact.rate_minus,
                                &impact.rate_plus,
                                &impact.impulse,
                                &impact.energy_loss,
                                &discontinuous,
                                impact.slip.minus.data(),
                                impact.slip.plus.data(),
                                impact.slip.impulse.data(),
                                &status};
  for (std::size_t k = 0; k < columns().size(); ++k) put(k, values[k]);
  end_row();
}

std::string parameters_json(const NamedTexts& parameters) {
  Json object = Json::object();
  for (const auto& [name, value] : parameters) {
    const std::optional<Json> parsed = Json::parse(value);
    object[name] = parsed && (parsed->is_number() || parsed->is_bool()) ? *parsed : Json(value);
  }
  return object.dump();
}

NamedTexts read_parameters(const std::string& json) {
  NamedTexts parameters;
  const std::optional<Json> parsed = Json::parse(json);
  if (!parsed || parsed->as_object() == nullptr) return parameters;
  for (const auto& [name, value] : *parsed->as_object())
    parameters.emplace_back(name, value.as_text() != nullptr ? *value.as_text() : value.dump());
  return parameters;
}

NamedTexts header_texts(const ResultHeader& header) {
  return {{"scenario", header.scenario_text},
          {"version", header.version},
          {"title", header.title},
          {"scheme", header.scheme},
          {"scheme_parameters", parameters_json(header.scheme_parameters)},
          {"display", display_json(header.display)},
          {"units", "as in the scenario"}};
}

std::string display_json(const std::vector<Display>& display) {
  Json all = Json::object();
  for (const Display& one : display) all[one.name] = {{"unit", one.unit}, {"label", one.label}};
  return all.dump();
}

std::vector<Display> read_display(const std::string& json) {
  std::vector<Display> display;
  const std::optional<Json> parsed = Json::parse(json);
  if (!parsed || parsed->as_object() == nullptr) return display;
  const auto text = [](const Json& value) { return value.as_text() != nullptr ? *value.as_text() : std::string(); };
  for (const auto& [name, value] : *parsed->as_object())
    if (value.as_object() != nullptr) display.push_back({name, text(value.at("unit")), text(value.at("label"))});
  return display;
}

NamedLists header_lists(const ResultHeader& header) {
  return {{"coordinates", &header.coordinates}, {"states", &header.states},
          {"constraints", &header.constraints}, {"slips", &header.slips},
          {"joints", &header.joints},           {"observations", &header.observations},
          {"outputs", &header.outputs}};
}

NamedTexts closing_texts(const Solution& solution) {
  NamedTexts texts = {{"status", std::string(name(solution.status))}};
  if (!solution.failure.message.empty()) texts.emplace_back("failure", solution.failure.message);
  return texts;
}

NamedNumbers energy_terms(const EnergyLedger& ledger) {
  NamedNumbers terms = {{"initial", ledger.initial},    {"final", ledger.final},   {"input", ledger.input},
                        {"damping", ledger.damping},    {"impact", ledger.impact}, {"friction", ledger.friction},
                        {"numerical", ledger.numerical}};
  if (ledger.algorithmic_final) {
    terms.emplace_back("algorithmic_initial", *ledger.algorithmic_initial);
    terms.emplace_back("algorithmic_final", *ledger.algorithmic_final);
  }
  return terms;
}

namespace {

std::string unit_of_column(const std::string& column, const std::vector<Display>& display) {
  const auto unit = [&](std::string_view name) {
    const auto shown =
        std::find_if(display.begin(), display.end(), [&](const Display& one) { return one.name == name; });
    return shown == display.end() ? std::string() : shown->unit;
  };
  const auto rate_unit = [&](std::string_view name) {
    const std::string length = unit(name), time = unit("t");
    return length.empty() || time.empty() ? std::string() : length + "/" + time;
  };
  if (const std::string own = unit(column); !own.empty()) return own;
  if (column.ends_with("_dot")) return rate_unit(column.substr(0, column.size() - 4));
  const std::size_t dot = column.find('.');
  if (dot == std::string::npos) return column == "energy_lost" ? unit("energy") : "";
  const std::string head = column.substr(0, dot), tail = column.substr(dot + 1);
  for (const char* statistic : {"mean", "rms", "min", "max"})
    if (tail == statistic) return unit_of_column(head, display);
  if (head == "energy" || tail == "gap") return unit(head);
  if (tail == "rate") return rate_unit(head);
  return tail == "impulse" || tail.starts_with("friction") ? unit("impulse")
         : tail.starts_with("reaction")                    ? unit("force")
                                                           : "";
}

}  // namespace

std::vector<std::string> with_units(std::vector<std::string> names, const std::vector<Display>& display) {
  for (std::string& name : names)
    if (const std::string unit = unit_of_column(name, display); !unit.empty()) name += " [" + unit + "]";
  return names;
}

}  // namespace ricochet
