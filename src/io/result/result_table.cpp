#include "io/result/result_table.hpp"

#include <algorithm>

#include "io/format/json.hpp"
#include "ricochet/core/status.hpp"

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
                    nb = header.joints.size(), no = header.observations.size();
  std::vector<Column> columns = {series("t", "time"), matrix("q", "coordinate", nq),
                                 matrix("v", "coordinate/time", nq)};
  if (nz > 0) columns.push_back(matrix("z", "state", nz));
  columns.push_back(matrix("gap", "gap", nc));
  columns.push_back(matrix("rate", "gap/time", nc));
  columns.push_back(matrix("impulse", "impulse", nc));
  if (nb > 0) columns.push_back(matrix("reaction", "impulse/time", nb));
  for (const char* part : {"energy/kinetic", "energy/potential", "energy/total", "ledger/input", "ledger/damping",
                           "ledger/impact", "ledger/numerical"})
    columns.push_back(series(part, "energy"));
  if (no > 0) columns.push_back(matrix("observed", "coordinate", no));
  if (no > 0) columns.push_back(matrix("observed_rate", "coordinate/time", no));
  return columns;
}

std::vector<Column> impact_columns() {
  return {series("impacts/t", "time"),
          series("impacts/constraint", "index into constraints, from 0", Element::int32),
          series("impacts/rate_minus", "gap/time"),
          series("impacts/rate_plus", "gap/time"),
          series("impacts/impulse", "impulse"),
          series("impacts/energy_loss", "energy"),
          series("impacts/discontinuous", "0 or 1", Element::int32)};
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
      has_joints_(!header.joints.empty()),
      has_observations_(!header.observations.empty()) {}

void SampleTable::add(const Sample& sample) {
  const double total = sample.kinetic + sample.potential;
  std::size_t k = 0;
  put(k++, &sample.t);
  put(k++, sample.q);
  put(k++, sample.v);
  if (has_states_) put(k++, sample.z);
  put(k++, sample.gap);
  put(k++, sample.rate);
  put(k++, sample.impulse);
  if (has_joints_) put(k++, sample.reaction);
  put(k++, &sample.kinetic);
  put(k++, &sample.potential);
  put(k++, &total);
  const LedgerTerms<double>& ledger = sample.ledger;
  for (const double* part : {&ledger.input, &ledger.damping, &ledger.impact, &ledger.numerical}) put(k++, part);
  if (has_observations_) put(k++, sample.observed);
  if (has_observations_) put(k++, sample.observed_rate);
  end_row();
}

ImpactTable::ImpactTable() : Table(impact_columns()) {}

void ImpactTable::add(const Impact& impact) {
  const std::int32_t constraint = impact.constraint, discontinuous = impact.discontinuous ? 1 : 0;
  const void* const values[] = {&impact.t,       &constraint,         &impact.rate_minus, &impact.rate_plus,
                                &impact.impulse, &impact.energy_loss, &discontinuous};
  for (std::size_t k = 0; k < std::size(values); ++k) put(k, values[k]);
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
          {"units", "as in the scenario"}};
}

NamedLists header_lists(const ResultHeader& header) {
  return {{"coordinates", &header.coordinates},
          {"states", &header.states},
          {"constraints", &header.constraints},
          {"joints", &header.joints},
          {"observations", &header.observations}};
}

NamedTexts closing_texts(const Solution& solution) {
  NamedTexts texts = {{"status", std::string(name(solution.status))}};
  if (!solution.failure.message.empty()) texts.emplace_back("failure", solution.failure.message);
  return texts;
}

NamedNumbers energy_terms(const EnergyLedger& ledger) {
  NamedNumbers terms = {{"initial", ledger.initial}, {"final", ledger.final},   {"input", ledger.input},
                        {"damping", ledger.damping}, {"impact", ledger.impact}, {"numerical", ledger.numerical}};
  if (ledger.algorithmic_final) {
    terms.emplace_back("algorithmic_initial", *ledger.algorithmic_initial);
    terms.emplace_back("algorithmic_final", *ledger.algorithmic_final);
  }
  return terms;
}

}  // namespace ricochet
