// Results as comma-separated text, for spreadsheets and quick looks.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "io/format/csv_table.hpp"
#include "io/format/heartbeat.hpp"
#include "io/result/result_formats.hpp"
#include "io/result/result_table.hpp"
#include "ricochet/io/result/slip_columns.hpp"

namespace ricochet {

std::filesystem::path io::impacts_file(const std::filesystem::path& samples) {
  return samples.parent_path() / (samples.stem().string() + ".impacts.csv");
}

namespace {

std::vector<std::string> sample_names(const ResultHeader& header) {
  std::vector<std::string> names = {"t"};
  for (const std::string& name : header.coordinates) names.push_back(name);
  for (const std::string& name : header.coordinates) names.push_back(name + "_dot");
  for (const std::string& name : header.states) names.push_back(name);
  const std::vector<SlipGroup> groups = slip_groups(header.slips);
  const auto add = [&](const SlipGroup& group) {
    const auto first = header.slips.begin() + static_cast<std::ptrdiff_t>(group.first),
               last = first + static_cast<std::ptrdiff_t>(group.count);
    names.insert(names.end(), first, last);
    std::transform(first, last, std::back_inserter(names), friction_name);
  };
  // Those of contacts come first, in the order of the constraints.
  auto group = groups.begin();
  for (const std::string& name : header.constraints) {
    for (const char* quantity : {".gap", ".rate", ".impulse"}) names.push_back(name + quantity);
    if (group != groups.end() && group->name == name) add(*group++);
  }
  std::for_each(group, groups.end(), add);
  for (const std::string& name : header.joints) names.push_back(name);
  for (const std::string& name : header.outputs) names.push_back(name);
  for (const char* name : {"energy.kinetic", "energy.potential", "energy.total"}) names.emplace_back(name);
  for (const std::string& name : header.observations) names.push_back(name);
  for (const std::string& name : header.observations) names.push_back(name + "_dot");
  names.emplace_back("event");
  return with_units(std::move(names), header.display);
}

std::vector<std::string> impact_names(std::size_t slips) {
  std::vector<std::string> names = {"t",       "constraint",  "rate_minus",   "rate_plus",
                                    "impulse", "energy_loss", "discontinuous"};
  if (slips == 0) return names;
  for (const char* quantity : {"slip_minus", "slip_plus", "friction_impulse"})
    for (std::size_t k = 1; k <= slips; ++k) names.push_back(slips == 1 ? quantity : fmt::format("{}.{}", quantity, k));
  names.emplace_back("status");
  return names;
}

std::vector<std::string> quoted_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(csv_quoted(name));
  return result;
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t result = 0;
  for (const std::string& text : texts) result = std::max(result, text.size());
  return result;
}

class CsvWriter final : public ResultWriter {
 public:
  CsvWriter(const std::filesystem::path& path, const ResultHeader& header)
      : nq_(header.coordinates.size()),
        nz_(header.states.size()),
        nb_(header.joints.size()),
        no_(header.observations.size()),
        nw_(header.outputs.size()),
        slips_(contact_slips_max(header.constraints, header.slips)),
        groups_(slip_groups(header.slips)),
        slips_of_(contact_slips(header.constraints, header.slips)),
        constraints_(quoted_names(header.constraints)),
        samples_(path, sample_names(header), 0, true),
        impacts_(io::impacts_file(samples_.file().target()), impact_names(slips_),
                 longest(constraints_) + slip_statuses.back().size(), true) {}

  // Without finish(), what was recorded stays under the temporary names.
  ~CsvWriter() override {
    for (CsvTable* table : {&samples_, &impacts_}) {
      try {
        if (!finished_ && table->has_rows()) table->write_out();
      } catch (const std::exception&) {  // the disk holds all it can
      }
    }
  }

  void record(const Sample& sample) override {
    samples_.begin_row();
    samples_.number(sample.t);
    samples_.numbers(sample.q, nq_);
    samples_.numbers(sample.v, nq_);
    samples_.numbers(sample.z, nz_);
    auto group = groups_.begin();
    for (std::size_t j = 0; j < constraints_.size(); ++j) {
      for (const double* values : {sample.gap, sample.rate, sample.impulse}) samples_.number(values[j]);
      if (slips_of_[j] > 0) slips(sample, *group++);
    }
    for (; group != groups_.end(); ++group) slips(sample, *group);
    samples_.numbers(sample.reaction, nb_);
    samples_.numbers(sample.output, nw_);
    for (const double energy : {sample.kinetic, sample.potential, sample.kinetic + sample.potential})
      samples_.number(energy);
    samples_.numbers(sample.observed, no_);
    samples_.numbers(sample.observed_rate, no_);
    samples_.number(static_cast<double>(sample.event));
    samples_.end_row();
    if (heartbeat_.due()) save();
  }

  void impact(const Impact& impact) override {
    impacts_.begin_row();
    impacts_.number(impact.t);
    impacts_.text(constraints_.at(static_cast<std::size_t>(impact.constraint)));
    for (const double value :
         {impact.rate_minus, impact.rate_plus, impact.impulse, impact.energy_loss, impact.discontinuous ? 1.0 : 0.0})
      impacts_.number(value);
    if (slips_ > 0) {
      const SlipReport& slip = impact.slip;
      for (const auto* values : {&slip.minus, &slip.plus, &slip.impulse}) impacts_.numbers(values->data(), slips_);
      impacts_.text(slip_statuses[static_cast<std::size_t>(slip.status)]);
    }
    impacts_.end_row();
  }

  void progress(std::uint64_t, std::uint64_t) override {
    if (heartbeat_.look()) save();
  }

  void finish(const Solution&) override {
    save();
    finished_ = true;
    // The impacts first: whoever waits for the main file finds both.
    impacts_.file().commit();
    samples_.file().commit();
  }

  const std::filesystem::path& path() const override { return samples_.file().target(); }

 private:
  void slips(const Sample& sample, const SlipGroup& group) {
    for (const double* values : {sample.slip, sample.friction}) samples_.numbers(values + group.first, group.count);
  }
  void save() {
    samples_.write_out();
    impacts_.write_out();
  }

  std::size_t nq_, nz_, nb_, no_, nw_, slips_;  // slips_: the most of a contact
  std::vector<SlipGroup> groups_;
  std::vector<std::size_t> slips_of_;  // each constraint
  std::vector<std::string> constraints_;
  CsvTable samples_, impacts_;
  Heartbeat heartbeat_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ResultWriter> io::open_csv(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<CsvWriter>(path, header);
}

}  // namespace ricochet
