#include "io/csv_writer.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/heartbeat.hpp"

namespace ricochet {

namespace {

// The longest number is -2.2250738585072014e-308, the longest row in the buffer must fit.
constexpr std::size_t longest_number = 32;
constexpr std::size_t buffer_size = std::size_t{1} << 18;

// As RFC 4180 wants it: quoted if it holds a comma, a quote or a line end.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

// A table of numbers and names: rows gather in a buffer that holds whole rows only.
class CsvFile {
 public:
  CsvFile(const std::filesystem::path& path, const std::vector<std::string>& names, std::size_t longest_text)
      : file_(path), longest_row_(names.size() * (longest_number + 1) + longest_text) {
    for (const std::string& name : names) header_ += (header_.empty() ? "" : ",") + quoted(name);
    header_ += '\n';
    buffer_.resize(std::max(buffer_size, 2 * longest_row_));
    file_.append(header_);
  }

  void begin_row() {
    if (buffer_.size() - used_ < longest_row_) write_out();
  }

  // The fewest digits that read back to the same number, with a point in every locale.
  void number(double value) {
    char* out = buffer_.data() + used_;
    // Contact impulses are mostly zero.
    if (value == 0.0 && !std::signbit(value))
      *out++ = '0';
    else
      out = fmt::format_to(out, FMT_COMPILE("{}"), value);
    *out++ = ',';
    used_ = static_cast<std::size_t>(out - buffer_.data());
  }

  void numbers(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) number(values[i]);
  }

  void text(std::string_view text) {
    text.copy(buffer_.data() + used_, text.size());
    used_ += text.size();
    buffer_[used_++] = ',';
  }

  // In place of the last comma.
  void end_row() {
    buffer_[used_ - 1] = '\n';
    ++rows_;
  }

  void write_out() {
    if (used_ == 0) return;
    file_.append({buffer_.data(), used_});
    file_.keep();
    used_ = 0;
  }

  bool has_rows() const { return rows_ > 0; }
  AtomicFile& file() { return file_; }
  const AtomicFile& file() const { return file_; }

 private:
  AtomicFile file_;
  std::string header_;
  std::vector<char> buffer_;
  std::size_t used_ = 0, longest_row_;
  std::uint64_t rows_ = 0;
};

std::vector<std::string> sample_names(const ResultHeader& header) {
  std::vector<std::string> names = {"t"};
  for (const std::string& name : header.coordinates) names.push_back(name);
  for (const std::string& name : header.coordinates) names.push_back(name + "_dot");
  for (const std::string& name : header.states) names.push_back(name);
  for (const std::string& name : header.constraints)
    for (const char* quantity : {".gap", ".rate", ".impulse"}) names.push_back(name + quantity);
  for (const char* name : {"energy.kinetic", "energy.potential", "energy.total"}) names.emplace_back(name);
  for (const std::string& name : header.observations) names.push_back(name);
  for (const std::string& name : header.observations) names.push_back(name + "_dot");
  return names;
}

std::filesystem::path impacts_path(const std::filesystem::path& path) {
  return path.parent_path() / (path.stem().string() + ".impacts.csv");
}

std::vector<std::string> quoted_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(quoted(name));
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
        no_(header.observations.size()),
        constraints_(quoted_names(header.constraints)),
        samples_(path, sample_names(header), 0),
        impacts_(impacts_path(samples_.file().target()),
                 {"t", "constraint", "rate_minus", "rate_plus", "impulse", "energy_loss", "discontinuous"},
                 longest(constraints_)) {}

  // Without finish(), what was recorded stays under the temporary names.
  ~CsvWriter() override {
    for (CsvFile* table : {&samples_, &impacts_}) {
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
    for (std::size_t j = 0; j < constraints_.size(); ++j) {
      samples_.number(sample.gap[j]);
      samples_.number(sample.rate[j]);
      samples_.number(sample.impulse[j]);
    }
    samples_.number(sample.kinetic);
    samples_.number(sample.potential);
    samples_.number(sample.kinetic + sample.potential);
    samples_.numbers(sample.observed, no_);
    samples_.numbers(sample.observed_rate, no_);
    samples_.end_row();
    if (heartbeat_.due()) save();
  }

  void impact(const Impact& impact) override {
    impacts_.begin_row();
    impacts_.number(impact.t);
    impacts_.text(constraints_.at(static_cast<std::size_t>(impact.constraint)));
    impacts_.number(impact.rate_minus);
    impacts_.number(impact.rate_plus);
    impacts_.number(impact.impulse);
    impacts_.number(impact.energy_loss);
    impacts_.number(impact.discontinuous ? 1.0 : 0.0);
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
  void save() {
    samples_.write_out();
    impacts_.write_out();
  }

  std::size_t nq_, nz_, no_;
  std::vector<std::string> constraints_;
  CsvFile samples_, impacts_;
  Heartbeat heartbeat_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ResultWriter> open_csv(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<CsvWriter>(path, header);
}

}  // namespace ricochet
