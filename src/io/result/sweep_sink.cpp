// The result of a sweep as HDF5 and CSV, written in one go: trajectory after trajectory, in their order.
//
// The bytes depend on the sweep alone: there are no dates in the file, and nothing of how or how fast it was computed.
#include "ricochet/io/result/sweep_sink.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <type_traits>

#include "io/format/csv_table.hpp"
#include "io/format/hdf5_file.hpp"
#include "io/result/result_table.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result/study_file.hpp"

namespace ricochet {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;

// A dataset whose rows gather in a block; a column that this sweep does not have is none and takes nothing.
template <class Value>
class Rows {
 public:
  Rows() = default;
  Rows(Hdf5File& file, std::string name, std::uint64_t rows, std::uint64_t width = 1, bool is_matrix = false)
      : file_(&file), name_(std::move(name)), shape_{-1, is_matrix, rows, width} {
    const Hdf5Handle text = hdf5_text_type();
    if constexpr (is_text)
      shape_.type = text;
    else
      shape_.type = stored_type(Value{});
    set_ = file.create(name_, shape_);
  }

  explicit operator bool() const { return static_cast<bool>(set_); }
  const Hdf5Handle& set() const { return set_; }
  std::uint64_t width() const { return shape_.width; }
  std::uint64_t count() const { return written_ + block_.size() / shape_.width; }

  void put(const Value* values, std::size_t count) {
    if (!set_) return;
    block_.insert(block_.end(), values, values + count);
    if (block_.size() * sizeof(Value) >= block_bytes) write_out();
  }
  void put(const Value& value) { put(&value, 1); }
  // A row of the right length: a trajectory that failed may have none.
  void put_row(const std::vector<Value>& values) {
    if (values.size() == shape_.width) return put(values.data(), values.size());
    const std::vector<Value> unknown(shape_.width, std::numeric_limits<Value>::quiet_NaN());
    put(unknown.data(), unknown.size());
  }

  void write_out() {
    if (block_.empty()) return;
    const std::uint64_t rows = block_.size() / shape_.width;
    if constexpr (is_text) {
      std::vector<const char*> texts;
      for (const std::string& text : block_) texts.push_back(text.c_str());
      file_->write_rows(set_, name_, shape_, hdf5_text_type(), written_, rows, texts.data());
    } else {
      file_->write_rows(set_, name_, shape_, given_type(Value{}), written_, rows, block_.data());
    }
    written_ += rows;
    block_.clear();
  }
  void close() { set_.close(); }

 private:
  static constexpr bool is_text = std::is_same_v<Value, std::string>;

  Hdf5File* file_ = nullptr;
  std::string name_;
  Hdf5Shape shape_;
  Hdf5Handle set_;
  std::vector<Value> block_;
  std::uint64_t written_ = 0;
};

// See docs/sweep.md for what is in it.
class SweepFile {
 public:
  SweepFile(const std::filesystem::path& path, const SweepFileHeader& header) : file_(path, true) {
    const Hdf5Session session;
    write_texts(header);
    for (const SweepAxis& axis : header.axes) {
      const Hdf5Handle set = file_.put("axes/" + hdf5_name(axis.name), axis.values);
      file_.set_text(set, "parameter", axis.parameter);
      file_.set_number(set, "logarithmic", std::int32_t{axis.logarithmic});
    }
    create_columns(header);
    first_.put(0);
  }
  ~SweepFile() {
    const Hdf5Session session;
    for_all([](auto& rows) { rows.close(); });
  }
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  // What a trajectory has not is NaN, or 0 where numbers are whole.
  void add(const SweepTrajectory& trajectory, const std::vector<double>& values, std::int32_t attractor,
           std::int32_t level) {
    const Hdf5Session session;
    values_.put_row(values);
    status_.put(trajectory.failure.empty() ? 0 : 1);
    final_.put_row(trajectory.final);
    period_.put(trajectory.period);
    steps_.put(trajectory.steps);
    impacts_.put(trajectory.impacts);
    if (points_) {
      points_.put(trajectory.points.data(), trajectory.points.size() / points_.width() * points_.width());
      first_.put(points_.count());
    }
    statistics_.put_row(trajectory.statistics);
    histogram_.put_row(trajectory.histogram);
    cycle_impacts_.put(trajectory.cycle_impacts);
    settled_after_.put(trajectory.settled_after);
    lyapunov_.put(trajectory.lyapunov);
    put_spectrum(trajectory.spectrum);
    attractor_.put(attractor);
    level_.put(level);
    failure_.put(trajectory.failure);
  }

  void commit() {
    const Hdf5Session session;
    for_all([](auto& rows) {
      rows.write_out();
      rows.close();
    });
    file_.commit();
  }

 private:
  void write_texts(const SweepFileHeader& header) {
    const hid_t root = file_.root();
    for (const auto& [name, text] : header_texts(header.texts)) file_.set_text(root, name, text);
    for (const auto& [name, list] : header_lists(header.texts)) file_.set_list(root, name, *list);
    file_.set_text(root, "study", "sweep");
    file_.set_text(root, "record", header.record);
    file_.set_values(root, "shape", H5T_STD_U64LE, H5T_NATIVE_UINT64, header.shape.size(), header.shape.data());
    file_.set_number(root, "both_directions", std::int32_t{header.both_directions});
  }

  void create_columns(const SweepFileHeader& header) {
    const std::uint64_t count = header.trajectories;
    const auto table = [&](const char* name, std::uint64_t rows, const std::vector<std::string>& columns) {
      Rows<double> result(file_, name, rows, columns.size(), true);
      file_.set_list(result.set(), "columns", columns);
      return result;
    };
    values_ = table("values", count, header.axis_names());
    status_ = {file_, "status", count};
    final_ = table("final", count, header.columns.state);
    period_ = {file_, "period", count};
    steps_ = {file_, "steps", count};
    impacts_ = {file_, "impacts", count};
    if (!header.columns.points.empty()) {
      first_ = {file_, "first", count + 1};
      points_ = table("points", header.rows, header.columns.points);
      cycle_impacts_ = {file_, "cycle_impacts", count};
    }
    if (!header.columns.statistics.empty()) statistics_ = table("statistics", count, header.columns.statistics);
    if (header.impulse_edges.size() > 1) {
      file_.put("impulse_edges", header.impulse_edges);
      histogram_ = {file_, "histogram", count, header.impulse_edges.size() - 1, true};
    }
    if (header.settles) settled_after_ = {file_, "settled_after", count};
    if (header.lyapunov) lyapunov_ = {file_, "lyapunov", count};
    trajectories_ = count;
    if (header.attractors) attractor_ = {file_, "attractor", count};
    if (header.refined) level_ = {file_, "level", count};
    if (header.failures) failure_ = {file_, "failure", count};
  }

  // There from the first trajectory on that has one; those before it failed.
  void put_spectrum(const std::vector<double>& spectrum) {
    if (!spectrum_ && !spectrum.empty()) {
      spectrum_ = {file_, "spectrum", trajectories_, spectrum.size(), true};
      for (std::uint64_t i = 1; i < status_.count(); ++i) spectrum_.put_row({});
    }
    if (spectrum_) spectrum_.put_row(spectrum);
  }

  template <class Visit>
  void for_all(const Visit& visit) {
    for (Rows<double>* rows : {&values_, &points_, &statistics_, &histogram_, &final_, &cycle_impacts_, &settled_after_,
                               &lyapunov_, &spectrum_})
      visit(*rows);
    for (Rows<std::int32_t>* rows : {&status_, &attractor_, &level_}) visit(*rows);
    for (Rows<std::uint64_t>* rows : {&first_, &steps_, &impacts_}) visit(*rows);
    visit(period_);
    visit(failure_);
  }

  Hdf5File file_;
  Rows<double> values_, points_, statistics_, histogram_, final_, cycle_impacts_, settled_after_, lyapunov_, spectrum_;
  Rows<std::int32_t> status_, attractor_, level_;
  Rows<std::int64_t> period_;
  Rows<std::uint64_t> first_, steps_, impacts_;
  Rows<std::string> failure_;
  std::uint64_t trajectories_ = 0;
};

// A row a point, or a row a trajectory if there are no points: the values on the axes, the trajectory, the columns.
// A trajectory without any has no row.
class SweepCsv {
 public:
  SweepCsv(const std::filesystem::path& path, const SweepFileHeader& header)
      : points_(!header.columns.points.empty()),
        width_(points_ ? header.columns.points.size() : header.columns.statistics.size()),
        table_(path, names(header), 0, false) {}

  void add(const SweepTrajectory& trajectory, const std::vector<double>& values) {
    const std::vector<double>& numbers = points_ ? trajectory.points : trajectory.statistics;
    for (std::size_t first = 0; width_ > 0 && first + width_ <= numbers.size(); first += width_) {
      table_.begin_row();
      table_.numbers(values.data(), values.size());
      table_.number(trajectory.index);
      table_.numbers(numbers.data() + first, width_);
      table_.end_row();
    }
  }

  void commit() {
    table_.write_out();
    table_.file().commit();
  }

 private:
  std::vector<std::string> names(const SweepFileHeader& header) const {
    const std::vector<std::string>& columns = points_ ? header.columns.points : header.columns.statistics;
    std::vector<std::string> all = header.axis_names();
    all.push_back("trajectory");
    all.insert(all.end(), columns.begin(), columns.end());
    return with_units(std::move(all), header.texts.display);
  }

  bool points_;
  std::size_t width_;
  CsvTable table_;
};

class FileSink final : public SweepSink {
 public:
  using SweepSink::SweepSink;

  void check() const override {
    if (csv().empty()) return;
    if (csv().extension() != ".csv") throw InputError("--csv", fmt::format("\"{}\" must end in .csv", csv().string()));
    const AtomicFile trial(csv());
  }
  void begin(const SweepFileHeader& header) override {
    file_.emplace(output(), header);
    if (!csv().empty()) table_.emplace(csv(), header);
  }
  void add(const SweepTrajectory& trajectory, const std::vector<double>& values, std::int32_t attractor,
           std::int32_t level) override {
    file_->add(trajectory, values, attractor, level);
    if (table_) table_->add(trajectory, values);
  }
  void commit() override {
    if (table_) table_->commit();
    file_->commit();
  }

 private:
  std::optional<SweepFile> file_;
  std::optional<SweepCsv> table_;
};

}  // namespace

std::vector<std::string> SweepFileHeader::axis_names() const {
  std::vector<std::string> names;
  for (const SweepAxis& axis : axes) names.push_back(axis.name);
  return names;
}

std::unique_ptr<SweepSink> sweep_file_sink(const std::filesystem::path& output, const std::filesystem::path& csv) {
  check_study_target(output);
  return std::make_unique<FileSink>(output, csv);
}

}  // namespace ricochet
