#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "io/atomic_file.hpp"
#include "io/hdf5_handle.hpp"
#include "io/result_reader.hpp"

namespace ricochet::io {

namespace {

constexpr std::size_t block_values = std::size_t{1} << 20;

class Hdf5Reader {
 public:
  Hdf5Reader(const std::filesystem::path& path, std::string name) : name_(std::move(name)) {
    if (H5Fis_hdf5(path.c_str()) <= 0) fail("is not an HDF5 file");
    file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file_) fail("is a broken HDF5 file, or cut short");
  }

  void read(StoredResult& result) {
    for (const char* needed : {"t", "q", "v", "gap"})
      if (!has(needed)) fail(fmt::format("is an HDF5 file, but no result of ricochet: it has no {}", needed));
    for (const auto& [name, column] : series_of(result)) {
      StoredResult::Columns columns = matrix(name, 1);
      if (!columns.empty()) *column = std::move(columns.front());
    }
    for (const auto& [name, columns] : matrices_of(result)) *columns = matrix(name, 2);
    result.impacts = impacts_of([this](const char* name) { return series(fmt::format("impacts/{}", name)); }, name_);
    read_attributes(result);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw FileError(fmt::format("{}: {}", name_, message)); }

  // Each group on the way must be there too.
  bool has(const std::string& path) const {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      if (H5Lexists(file_, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
  }

  std::vector<double> series(const std::string& path) {
    StoredResult::Columns columns = matrix(path, 1);
    return columns.empty() ? std::vector<double>{} : std::move(columns.front());
  }

  // A dataset of one or two sizes as columns; none if it is not there.
  StoredResult::Columns matrix(const std::string& path, int rank) {
    if (!has(path)) return {};
    const Hdf5Handle dataset(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset) fail(fmt::format("{} is broken, or no dataset", path));
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
    const H5T_class_t kind = type ? H5Tget_class(type) : H5T_NO_CLASS;
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) fail(fmt::format("{} does not hold numbers", path));
    if (!space || H5Sget_simple_extent_ndims(space) != rank)
      fail(fmt::format("{} must have {}", path, rank == 1 ? "one size" : "two sizes"));
    std::array<hsize_t, 2> size = {0, 1};
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    if (size[1] > 0 && size[0] > result_values_max / size[1]) fail(fmt::format("{} is too large to be read", path));
    // Nothing shrinks numbers by more: what is missing then is not compressed, but not there.
    constexpr hsize_t best_compression = 1100;
    if (H5Dget_storage_size(dataset) < size[0] * size[1] * H5Tget_size(type) / best_compression)
      fail(fmt::format("{} has fewer values than it says: the file is broken or cut short", path));
    return columns_of(dataset, space, path, size, rank);
  }

  // Block by block: rows become columns without a second copy of all.
  StoredResult::Columns columns_of(hid_t dataset, hid_t space, const std::string& path,
                                   const std::array<hsize_t, 2>& size, int rank) {
    const std::size_t rows = size[0], width = size[1];
    count_ += rows * width;
    if (count_ > result_values_max) fail("is too large to be read");
    StoredResult::Columns columns(width, std::vector<double>(rows));
    if (rows == 0 || width == 0) return columns;
    const std::size_t step = std::max<std::size_t>(1, block_values / width);
    std::vector<double> block(std::min(step, rows) * width);
    for (std::size_t begin = 0; begin < rows; begin += step) {
      const hsize_t start[] = {begin, 0}, count[] = {std::min<hsize_t>(step, rows - begin), width};
      const Hdf5Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
      if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
          H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, block.data()) < 0)
        fail(fmt::format("{} cannot be read: the file is broken or cut short", path));
      for (std::size_t i = 0; i < count[0]; ++i)
        for (std::size_t j = 0; j < width; ++j) columns[j][begin + i] = block[i * width + j];
    }
    return columns;
  }

  void read_attributes(StoredResult& result) {
    for (const auto& [name, text] : texts_of(result)) {
      const std::vector<std::string> values = texts(name);
      if (!values.empty()) *text = values.front();
    }
    for (const auto& [name, list] : lists_of(result)) *list = texts(name);
    if (const std::optional<double> steps = number(file_, "steps"); steps && *steps >= 0.0)
      result.steps = static_cast<std::uint64_t>(*steps);
    const Hdf5Handle energy(has("energy") ? H5Gopen2(file_, "energy", H5P_DEFAULT) : -1, H5Gclose);
    if (!energy) return;
    for (const char* name : energy_names)
      if (const std::optional<double> value = number(energy, name)) result.energy.emplace_back(name, *value);
  }

  std::optional<double> number(hid_t owner, const char* name) const {
    if (H5Aexists(owner, name) <= 0) return std::nullopt;
    const Hdf5Handle attribute(H5Aopen(owner, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle space(attribute ? H5Aget_space(attribute) : -1, H5Sclose);
    double value = 0.0;
    if (!space || H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) return std::nullopt;
    return value;
  }

  // Text of any length, or of a fixed one as other programs write it.
  std::vector<std::string> texts(const char* name) const {
    if (H5Aexists(file_, name) <= 0) return {};
    const Hdf5Handle attribute(H5Aopen(file_, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(attribute ? H5Aget_type(attribute) : -1, H5Tclose);
    const Hdf5Handle space(attribute ? H5Aget_space(attribute) : -1, H5Sclose);
    if (!type || !space || H5Tget_class(type) != H5T_STRING) return {};
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count <= 0 || count > std::numeric_limits<int>::max()) return {};
    return H5Tis_variable_str(type) > 0 ? variable_texts(attribute, type, space, static_cast<std::size_t>(count))
                                        : fixed_texts(attribute, type, static_cast<std::size_t>(count));
  }

  static std::vector<std::string> variable_texts(hid_t attribute, hid_t type, hid_t space, std::size_t count) {
    std::vector<char*> pointers(count, nullptr);
    const Hdf5Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, pointers.data()) < 0) return {};
    std::vector<std::string> result;
    for (const char* pointer : pointers) result.emplace_back(pointer == nullptr ? "" : pointer);
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
    return result;
  }

  static std::vector<std::string> fixed_texts(hid_t attribute, hid_t type, std::size_t count) {
    const std::size_t size = H5Tget_size(type);
    std::string bytes(size * count, '\0');
    if (H5Aread(attribute, type, bytes.data()) < 0) return {};
    std::vector<std::string> result;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text = bytes.substr(i * size, size);
      result.push_back(text.substr(0, text.find('\0')));
    }
    return result;
  }

  std::string name_;
  Hdf5Handle file_;
  std::uint64_t count_ = 0;
};

// In the child: reads the file, and tells what is wrong with it.
[[noreturn]] void read_and_tell(const std::filesystem::path& path, const std::string& name, int tell) {
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::alarm(600);
  std::string complaint;
  try {
    StoredResult result;
    Hdf5Reader(path, name).read(result);
  } catch (const std::exception& error) {
    complaint = error.what();
  }
  const std::size_t size = std::min<std::size_t>(complaint.size(), 2000);  // a pipe takes that at once
  ::_exit(::write(tell, complaint.data(), size) == static_cast<ssize_t>(size) ? 0 : 1);
}

// Reads the file in a child process: whatever happens there, happens there. What the child refuses is not opened here
// at all, since broken files leave the library in a state that it complains of at the end.
void try_in_child(const std::filesystem::path& path, const std::string& name) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return;  // no room for it: then without
  Descriptor listen(ends[0]), tell(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child == 0) read_and_tell(path, name, tell.number());
  tell.close();
  std::string complaint(2000, '\0');
  ssize_t got = 0;
  while ((got = ::read(listen.number(), complaint.data(), complaint.size())) < 0 && errno == EINTR) continue;
  complaint.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw FileError(fmt::format("{}: is a broken HDF5 file: the HDF5 library cannot take it", name));
  if (!complaint.empty()) throw FileError(complaint);
}

}  // namespace

void read_hdf5_result(const std::filesystem::path& path, const std::string& name, bool careful, StoredResult& result) {
  const Hdf5Session session;
  if (careful) try_in_child(path, name);
  Hdf5Reader(path, name).read(result);
}

}  // namespace ricochet::io
