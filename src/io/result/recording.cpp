#include "io/result/recording.hpp"

#include "io/result/result_table.hpp"

namespace ricochet {

namespace {

using Header = ResultHeader;
constexpr std::array<RecordedField, 22> fields = {
    {{"t", &Recording::t, nullptr, nullptr, &StoredResult::t},
     {"event", &Recording::event, nullptr, nullptr, &StoredResult::event},
     {"q", &Recording::q, &Header::coordinates, &StoredResult::q},
     {"v", &Recording::v, &Header::coordinates, &StoredResult::v},
     {"z", &Recording::z, &Header::states, &StoredResult::z},
     {"gap", &Recording::gap, &Header::constraints, &StoredResult::gap},
     {"rate", &Recording::rate, &Header::constraints, &StoredResult::rate},
     {"impulse", &Recording::impulse, &Header::constraints, &StoredResult::impulse},
     {"slip", &Recording::slip, &Header::slips, &StoredResult::slip},
     {"friction", &Recording::friction, &Header::slips, &StoredResult::friction},
     {"reaction", &Recording::reaction, &Header::joints, &StoredResult::reaction},
     {"observed", &Recording::observed, &Header::observations, &StoredResult::observed},
     {"observed_rate", &Recording::observed_rate, &Header::observations, &StoredResult::observed_rate},
     {"output", &Recording::output, &Header::outputs, &StoredResult::output},
     {"kinetic", &Recording::kinetic, nullptr, nullptr, &StoredResult::kinetic},
     {"potential", &Recording::potential, nullptr, nullptr, &StoredResult::potential},
     {"total", &Recording::total, nullptr},
     {"input", &Recording::input, nullptr, nullptr, &StoredResult::input},
     {"damping", &Recording::damping, nullptr, nullptr, &StoredResult::damping},
     {"impact", &Recording::impact, nullptr, nullptr, &StoredResult::impact},
     {"friction_work", &Recording::friction_work, nullptr, nullptr, &StoredResult::friction_work},
     {"numerical", &Recording::numerical, nullptr, nullptr, &StoredResult::numerical}}};

StoredResult::Columns columns(const std::vector<double>& rows, std::size_t count) {
  StoredResult::Columns result(count);
  for (std::size_t k = 0; k < rows.size(); ++k) result[k % count].push_back(rows[k]);
  return result;
}

}  // namespace

const std::array<RecordedField, 22>& recorded_fields() { return fields; }

std::size_t Recording::width() const {
  std::size_t sum = 0;
  for (const RecordedField& field : fields) sum += field.width(header);
  return sum;
}

void Recording::reserve(std::size_t count) {
  for (const RecordedField& field : fields) (this->*field.values).reserve(count * field.width(header));
}

void Recording::add(const Sample& sample) {
  const auto append = [](std::vector<double>& to, const double* from, std::size_t n) {
    to.insert(to.end(), from, from + n);
  };
  const std::size_t nq = header.coordinates.size(), nc = header.constraints.size();
  t.push_back(sample.t);
  event.push_back(sample.event);
  append(q, sample.q, nq);
  append(v, sample.v, nq);
  append(z, sample.z, header.states.size());
  append(gap, sample.gap, nc);
  append(rate, sample.rate, nc);
  append(impulse, sample.impulse, nc);
  append(slip, sample.slip, header.slips.size());
  append(friction, sample.friction, header.slips.size());
  append(reaction, sample.reaction, header.joints.size());
  append(observed, sample.observed, header.observations.size());
  append(observed_rate, sample.observed_rate, header.observations.size());
  append(output, sample.output, header.outputs.size());
  kinetic.push_back(sample.kinetic);
  potential.push_back(sample.potential);
  total.push_back(sample.kinetic + sample.potential);
  input.push_back(sample.ledger.input);
  damping.push_back(sample.ledger.damping);
  impact.push_back(sample.ledger.impact);
  friction_work.push_back(sample.ledger.friction);
  numerical.push_back(sample.ledger.numerical);
}

Sample Recording::sample(std::size_t i) const {
  const std::size_t nq = header.coordinates.size(), nc = header.constraints.size(), no = header.observations.size();
  const auto row = [i](const std::vector<double>& values, std::size_t n) { return values.data() + i * n; };
  return {.t = t[i],
          .event = static_cast<int>(event[i]),
          .q = row(q, nq),
          .v = row(v, nq),
          .z = row(z, header.states.size()),
          .gap = row(gap, nc),
          .rate = row(rate, nc),
          .impulse = row(impulse, nc),
          .slip = row(slip, header.slips.size()),
          .friction = row(friction, header.slips.size()),
          .reaction = row(reaction, header.joints.size()),
          .kinetic = kinetic[i],
          .potential = potential[i],
          .observed = row(observed, no),
          .observed_rate = row(observed_rate, no),
          .ledger = {input[i], damping[i], impact[i], friction_work[i], numerical[i]},
          .output = row(output, header.outputs.size())};
}

StoredResult stored(const Recording& recording) {
  const ResultHeader& header = recording.header;
  const Solution& solution = recording.solution;
  StoredResult result;
  result.title = header.title;
  result.version = header.version;
  result.scheme = header.scheme;
  result.scheme_parameters = parameters_json(header.scheme_parameters);
  result.scenario_text = header.scenario_text;
  result.status = std::string(name(solution.status));
  result.failure = solution.failure.message;
  result.steps = solution.statistics.steps;
  result.coordinates = header.coordinates;
  result.states = header.states;
  result.constraints = header.constraints;
  result.slips = header.slips;
  result.joints = header.joints;
  result.observations = header.observations;
  result.outputs = header.outputs;
  result.display = header.display;
  for (const RecordedField& field : fields) {
    const std::vector<double>& values = recording.*field.values;
    if (field.columns != nullptr) result.*field.columns = columns(values, field.width(header));
    if (field.series != nullptr) result.*field.series = values;
  }
  result.impacts = recording.impacts;
  for (const auto& [name, term] : ledger_terms) result.energy.emplace_back(name, solution.energy.*term);
  return result;
}

void replay(const Recording& recording, ResultWriter& writer) {
  for (std::size_t i = 0; i < recording.rows(); ++i) writer.record(recording.sample(i));
  for (const Impact& impact : recording.impacts) writer.impact(impact);
  writer.finish(recording.solution);
}

}  // namespace ricochet
