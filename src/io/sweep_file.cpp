#include "io/sweep_file.hpp"

#include <algorithm>

#include "io/result_table.hpp"

namespace ricochet {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;

hid_t stored_type(double) { return H5T_IEEE_F64LE; }
hid_t stored_type(std::int32_t) { return H5T_STD_I32LE; }
hid_t stored_type(std::int64_t) { return H5T_STD_I64LE; }
hid_t stored_type(std::uint64_t) { return H5T_STD_U64LE; }
hid_t given_type(double) { return H5T_NATIVE_DOUBLE; }
hid_t given_type(std::int32_t) { return H5T_NATIVE_INT32; }
hid_t given_type(std::int64_t) { return H5T_NATIVE_INT64; }
hid_t given_type(std::uint64_t) { return H5T_NATIVE_UINT64; }

std::vector<std::string> names_of(const std::vector<SweepAxis>& axes) {
  std::vector<std::string> names;
  for (const SweepAxis& axis : axes) names.push_back(axis.name);
  return names;
}

// '/' would begin a group.
std::string entry(std::string name) {
  std::replace(name.begin(), name.end(), '/', '|');
  return name;
}

}  // namespace

template <class Number>
SweepFile::Rows<Number> SweepFile::create(const std::string& name, std::uint64_t rows, std::uint64_t width,
                                          bool is_matrix) {
  Rows<Number> result{name, {stored_type(Number{}), is_matrix, rows, width}};
  result.set = file_.create(name, result.shape);
  return result;
}

template <class Visit>
void SweepFile::for_all(const Visit& visit) {
  for (Rows<double>* rows : {&values_, &points_, &statistics_, &histogram_, &final_, &lyapunov_}) visit(*rows);
  for (Rows<std::int32_t>* rows : {&status_, &attractor_}) visit(*rows);
  for (Rows<std::uint64_t>* rows : {&first_, &steps_, &impacts_}) visit(*rows);
  visit(period_);
  visit(failure_);
}

SweepFile::SweepFile(const std::filesystem::path& path, const SweepFileHeader& header) : file_(path, true) {
  const Hdf5Session session;
  write_texts(header);
  write_axes(header);
  create_columns(header);
  if (first_.set) put(first_, std::uint64_t{0});
}

SweepFile::~SweepFile() {
  const Hdf5Session session;
  for_all([](auto& rows) { rows.set.close(); });
}

void SweepFile::write_texts(const SweepFileHeader& header) {
  const hid_t root = file_.root();
  for (const auto& [name, text] : header_texts(header.texts)) file_.set_text(root, name, text);
  for (const auto& [name, list] : header_lists(header.texts)) file_.set_list(root, name, *list);
  file_.set_text(root, "study", "sweep");
  file_.set_text(root, "record", header.record);
  file_.set_values(root, "shape", H5T_STD_U64LE, H5T_NATIVE_UINT64, header.shape.size(), header.shape.data());
  const std::int32_t both = header.both_directions ? 1 : 0;
  file_.set_value(root, "both_directions", H5T_STD_I32LE, H5T_NATIVE_INT32, &both);
}

void SweepFile::create_columns(const SweepFileHeader& header) {
  const std::uint64_t count = header.trajectories;
  const auto table = [&](const char* name, std::uint64_t rows, const std::vector<std::string>& columns) {
    Rows<double> result = create<double>(name, rows, columns.size(), true);
    file_.set_list(result.set, "columns", columns);
    return result;
  };
  values_ = table("values", count, names_of(header.axes));
  status_ = create<std::int32_t>("status", count);
  final_ = table("final", count, header.columns.state);
  period_ = create<std::int64_t>("period", count);
  steps_ = create<std::uint64_t>("steps", count);
  impacts_ = create<std::uint64_t>("impacts", count);
  if (!header.columns.points.empty()) {
    first_ = create<std::uint64_t>("first", count + 1);
    points_ = table("points", header.rows, header.columns.points);
  }
  if (!header.columns.statistics.empty()) statistics_ = table("statistics", count, header.columns.statistics);
  if (header.impulse_edges.size() > 1) {
    Rows<double> edges = create<double>("impulse_edges", header.impulse_edges.size());
    put(edges, header.impulse_edges.data(), header.impulse_edges.size());
    write_out(edges);
    histogram_ = create<double>("histogram", count, header.impulse_edges.size() - 1, true);
  }
  if (header.lyapunov) lyapunov_ = create<double>("lyapunov", count);
  if (header.attractors) attractor_ = create<std::int32_t>("attractor", count);
  if (header.failures) {
    const Hdf5Handle type = hdf5_text_type();
    failure_ = {"failure", {type, false, count}};
    failure_.set = file_.create("failure", failure_.shape);
  }
}

void SweepFile::write_axes(const SweepFileHeader& header) {
  for (const SweepAxis& axis : header.axes) {
    const std::string path = "axes/" + entry(axis.name);
    const Hdf5Shape shape{H5T_IEEE_F64LE, false, axis.values.size()};
    const Hdf5Handle set = file_.create(path, shape);
    file_.write_rows(set, path, shape, H5T_NATIVE_DOUBLE, 0, shape.rows, axis.values.data());
    file_.set_text(set, "parameter", axis.parameter);
    const std::int32_t logarithmic = axis.logarithmic ? 1 : 0;
    file_.set_value(set, "logarithmic", H5T_STD_I32LE, H5T_NATIVE_INT32, &logarithmic);
  }
}

template <class Number>
void SweepFile::write_out(Rows<Number>& rows) {
  if (rows.block.empty()) return;
  const std::uint64_t count = rows.block.size() / rows.shape.width;
  file_.write_rows(rows.set, rows.name, rows.shape, given_type(Number{}), rows.written, count, rows.block.data());
  rows.written += count;
  rows.block.clear();
}

template <class Number>
void SweepFile::put(Rows<Number>& rows, const Number* values, std::size_t count) {
  rows.block.insert(rows.block.end(), values, values + count);
  if (rows.block.size() * sizeof(Number) >= block_bytes) write_out(rows);
}

// A row of the right length: a trajectory that failed may have none.
void SweepFile::put_row(Rows<double>& rows, const std::vector<double>& values) {
  if (values.size() == rows.shape.width) return put(rows, values.data(), values.size());
  const std::vector<double> unknown(rows.shape.width, std::numeric_limits<double>::quiet_NaN());
  put(rows, unknown.data(), unknown.size());
}

void SweepFile::write_out(Rows<std::string>& rows) {
  std::vector<const char*> texts;
  for (const std::string& text : rows.block) texts.push_back(text.c_str());
  const Hdf5Handle type = hdf5_text_type();
  file_.write_rows(rows.set, rows.name, rows.shape, type, rows.written, texts.size(), texts.data());
  rows.written += texts.size();
  rows.block.clear();
}

void SweepFile::add(const SweepTrajectory& trajectory, const std::vector<double>& values, std::int32_t attractor) {
  const Hdf5Session session;
  put_row(values_, values);
  put(status_, trajectory.failure.empty() ? 0 : 1);
  put_row(final_, trajectory.final);
  put(period_, trajectory.period);
  put(steps_, trajectory.steps);
  put(impacts_, trajectory.impacts);
  if (points_.set) {
    const std::uint64_t width = points_.shape.width;
    put(points_, trajectory.points.data(), trajectory.points.size() / width * width);
    put(first_, points_.written + points_.block.size() / width);
  }
  if (statistics_.set) put_row(statistics_, trajectory.statistics);
  if (histogram_.set) put_row(histogram_, trajectory.histogram);
  if (lyapunov_.set) put(lyapunov_, trajectory.lyapunov);
  if (attractor_.set) put(attractor_, attractor);
  if (failure_.set) put(failure_, trajectory.failure);
}

void SweepFile::commit() {
  const Hdf5Session session;
  for_all([this](auto& rows) {
    write_out(rows);
    rows.set.close();
  });
  file_.commit();
}

}  // namespace ricochet
