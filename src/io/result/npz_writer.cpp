// Results as NPZ: a zip archive of NumPy arrays.
//
// An archive can only be put together at the end, so a killed run leaves none. Until then each column is an array file
// of its own in the folder `.NAME.PID.partial` beside the target, which numpy.load opens one by one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "io/format/atomic_file.hpp"
#include "io/format/npy.hpp"
#include "io/format/zip_writer.hpp"
#include "io/result/columnar_writer.hpp"
#include "io/result/result_formats.hpp"

namespace ricochet {

namespace {

constexpr std::size_t copy_size = std::size_t{1} << 20;

// A folder beside the target that goes with its owner unless it is worth keeping.
class PartialFolder {
 public:
  explicit PartialFolder(const std::filesystem::path& target)
      : path_(create_beside(target, "partial", [](const char* name) { return ::mkdir(name, 0777) == 0 ? 0 : errno; })) {
  }
  ~PartialFolder() {
    if (!keep_) remove();
  }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool kept() const { return keep_; }
  void keep() { keep_ = true; }
  void remove() noexcept {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::filesystem::path path_;
  bool keep_ = false;
};

// The array file of one column. Functions return 0 or the error number.
class ColumnFile {
 public:
  int open(const std::filesystem::path& folder, const Column& column) {
    const std::filesystem::path path = folder / (column.name + ".npy");
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) return error.value();
    file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    return file_.number() >= 0 ? set_rows(column, 0) : errno;
  }

  int store(const Table& table, const Column& column) const {
    const std::uint64_t offset = npy_header_size + table.first_row() * column.row_bytes();
    return write_all(file_.number(), column.block.data(), table.rows() * column.row_bytes(), offset);
  }

  int set_rows(const Column& column, std::uint64_t rows) const {
    std::vector<std::uint64_t> shape = {rows};
    if (column.is_matrix) shape.push_back(column.width);
    const std::string header = npy_header(column.element == Element::float64 ? "f8" : "i4", shape);
    return write_all(file_.number(), header.data(), header.size(), 0);
  }

  int copy_to(ZipWriter& zip, const Column& column, std::uint64_t rows) const {
    std::string buffer;
    const std::uint64_t size = npy_header_size + rows * column.row_bytes();
    zip.begin(column.name + ".npy", size);
    for (std::uint64_t done = 0; done < size; done += buffer.size()) {
      buffer.resize(std::min<std::uint64_t>(copy_size, size - done));
      const ssize_t got = read_all(file_.number(), buffer.data(), buffer.size(), done);
      if (got < 0 || static_cast<std::size_t>(got) < buffer.size()) return got < 0 ? errno : EIO;
      zip.add(buffer);
    }
    zip.end();
    return 0;
  }

 private:
  Descriptor file_;
};

class NpzWriter final : public ColumnarWriter {
 public:
  NpzWriter(const std::filesystem::path& path, const ResultHeader& header)
      : ColumnarWriter(header), header_(header), target_(resolve_target(path)), folder_(target_) {
    open_columns(samples(), sample_files_);
    open_columns(impacts(), impact_files_);
  }

  ~NpzWriter() override {
    try {
      if (!finished_ && anything_recorded()) {
        store_all();
        publish();
      }
    } catch (const std::exception&) {  // the disk holds all it can
    }
  }

  void finish(const Solution& solution) override {
    store_all();
    publish();
    try {
      AtomicFile archive(target_, "zip");
      write_archive(archive, solution);
      archive.commit();
    } catch (const FileError& error) {
      if (!folder_.kept()) throw;
      throw FileError(fmt::format("{}; what was recorded is in {}", error.what(), folder_.path().string()));
    }
    finished_ = true;
    folder_.remove();
  }

  const std::filesystem::path& path() const override { return target_; }

 private:
  void store(const Table& table) override {
    if (table.rows() == 0) return;
    const std::vector<ColumnFile>& files = files_of(table);
    for (std::size_t k = 0; k < files.size(); ++k) check(files[k].store(table, table.columns()[k]));
    folder_.keep();
  }

  // The headers say how many rows are there.
  void publish() override {
    for_columns([this](const ColumnFile& file, const Column& column, std::uint64_t rows) {
      check(file.set_rows(column, rows));
    });
  }

  void write_archive(AtomicFile& archive, const Solution& solution) {
    ZipWriter zip(archive);
    const auto add = [&zip](const std::string& name, const std::string& array) {
      zip.begin(name + ".npy", array.size());
      zip.add(array);
      zip.end();
    };
    for_columns([&](const ColumnFile& file, const Column& column, std::uint64_t rows) {
      if (const int error = file.copy_to(zip, column, rows)) archive.fail(error);
    });
    for (const auto& [name, text] : header_texts(header_)) add(name, npy_text(text));
    for (const auto& [name, list] : header_lists(header_)) add(name, npy_list(*list));
    for (const auto& [name, text] : closing_texts(solution)) add(name, npy_text(text));
    for (const auto& [name, value] : energy_terms(solution.energy)) add("energy/" + name, npy_number(value));
    add("steps", npy_number(solution.statistics.steps));
    zip.finish();
  }

  void open_columns(const Table& table, std::vector<ColumnFile>& files) {
    for (const Column& column : table.columns()) check(files.emplace_back().open(folder_.path(), column));
  }

  // visit(file, column, rows)
  void for_columns(const auto& visit) const {
    for (const Table* table : {static_cast<const Table*>(&samples()), static_cast<const Table*>(&impacts())})
      for (std::size_t k = 0; k < table->columns().size(); ++k)
        visit(files_of(*table)[k], table->columns()[k], table->total());
  }

  const std::vector<ColumnFile>& files_of(const Table& table) const {
    return &table == &samples() ? sample_files_ : impact_files_;
  }

  void check(int error) const {
    if (error != 0) throw write_error(target_, reason(error), folder_.kept() ? folder_.path() : "");
  }

  ResultHeader header_;
  std::filesystem::path target_;
  PartialFolder folder_;
  std::vector<ColumnFile> sample_files_, impact_files_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ResultWriter> io::open_npz(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<NpzWriter>(path, header);
}

}  // namespace ricochet
