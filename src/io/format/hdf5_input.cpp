#include "io/format/hdf5_input.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <limits>
#include <new>

#include "core/utf8.hpp"
#include "io/format/atomic_file.hpp"
#include "io/format/input_bytes.hpp"

namespace ricochet::io {

namespace {

constexpr std::size_t block_values = std::size_t{1} << 20;
// Values are unpacked piece by piece: what one piece may have, and the pieces beside one another.
constexpr std::uint64_t piece_bytes_max = std::uint64_t{64} << 20, piece_row_values_max = std::uint64_t{1} << 26;

// `count` texts, which `read(type, to)` reads: of any length as HDF5 gives them, freed when read, or of a fixed length,
// as other programs write them. Nothing if it cannot.
template <class Read>
std::optional<std::vector<std::string>> texts_of(hid_t type, hid_t space, std::size_t count, const Read& read) {
  std::vector<std::string> result;
  if (H5Tis_variable_str(type) > 0) {
    const Hdf5Handle as = hdf5_text_type(H5Tget_cset(type));
    std::vector<char*> pointers(count, nullptr);
    if (!read(as, pointers.data())) return std::nullopt;
    for (const char* pointer : pointers) result.push_back(as_utf8(pointer == nullptr ? "" : pointer));
    H5Dvlen_reclaim(as, space, H5P_DEFAULT, pointers.data());
    return result;
  }
  const std::size_t size = H5Tget_size(type);
  std::string bytes(size * count, '\0');
  if (!read(type, bytes.data())) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = bytes.substr(i * size, size);
    result.push_back(as_utf8(std::string_view(text).substr(0, text.find('\0'))));
  }
  return result;
}

// Stops at a link that leads out of the file.
herr_t find_foreign_link(hid_t, const char* name, const H5L_info_t* info, void* found) {
  if (info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT) return 0;
  *static_cast<std::string*>(found) = name;
  return 1;
}

herr_t take_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5Input::Hdf5Input(const std::filesystem::path& path, std::string name) : name_(std::move(name)) {
  if (H5Fis_hdf5(path.c_str()) <= 0) fail("is not an HDF5 file");
  file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file_) fail("is a broken HDF5 file, or cut short");
  std::error_code error;
  bytes_ = std::filesystem::file_size(path, error);
  std::string link;
  if (H5Lvisit(file_, H5_INDEX_NAME, H5_ITER_NATIVE, find_foreign_link, &link) < 0) fail("is a broken HDF5 file");
  if (!link.empty()) fail(fmt::format("{} is a link to another file, which is not followed", link));
}

// Data of the file itself, and no more than it can hold. Returns the rows of a piece.
std::uint64_t Hdf5Input::checked_pieces(hid_t dataset, hid_t space, std::size_t value_size,
                                        const std::string& path) const {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation) fail(fmt::format("{} is broken", path));
  if (H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
    fail(fmt::format("{} keeps its values in other files, which are not read", path));
  // Nothing shrinks numbers by more: what is missing then is not compressed, but not there.
  constexpr std::uint64_t best_compression = 1100;
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max() / 8;
  if (count < 0 || static_cast<std::uint64_t>(count) > most / std::max<std::size_t>(value_size, 1))
    fail(fmt::format("{} is too large to be read", path));
  if (stored > bytes_ || stored < static_cast<std::uint64_t>(count) * value_size / best_compression)
    fail(fmt::format("{} has fewer values than it says: the file is broken or cut short", path));
  if (H5Pget_layout(creation) != H5D_CHUNKED) return 1;
  std::array<hsize_t, H5S_MAX_RANK> piece = {};
  const int rank = H5Pget_chunk(creation, static_cast<int>(piece.size()), piece.data());
  std::uint64_t bytes = std::max<std::uint64_t>(1, value_size);
  for (int k = 0; k < rank; ++k) {  // HDF5 has sizes of 32 bits here
    bytes *= piece[k];
    if (bytes > piece_bytes_max) refuse_pieces(path);
  }
  return std::max<std::uint64_t>(1, piece[0]);
}

void Hdf5Input::refuse_pieces(const std::string& path) const {
  fail(
      fmt::format("{} is kept in pieces that are too large to be unpacked: of more than {} MiB, or than {} values in "
                  "its rows. The tool h5repack makes smaller ones",
                  path, piece_bytes_max >> 20, piece_row_values_max));
}

void Hdf5Input::fail(const std::string& message) const { throw FileError(fmt::format("{}: {}", name_, message)); }

bool Hdf5Input::has(const std::string& path) const {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (H5Lexists(file_, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5Input::members(const std::string& group) const {
  std::vector<std::string> names;
  const Hdf5Handle handle(has(group) ? H5Gopen2(file_, group.c_str(), H5P_DEFAULT) : -1, H5Gclose);
  if (handle && H5Literate(handle, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_name, &names) < 0)
    fail(fmt::format("{} is broken", group));
  return names;
}

Hdf5Input::Dataset Hdf5Input::open(const std::string& path, int rank) const {
  Dataset dataset;
  dataset.handle = Hdf5Handle(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.handle) fail(fmt::format("{} is broken, or no dataset", path));
  const Hdf5Handle type(H5Dget_type(dataset.handle), H5Tclose);
  dataset.space = Hdf5Handle(H5Dget_space(dataset.handle), H5Sclose);
  const H5T_class_t kind = type ? H5Tget_class(type) : H5T_NO_CLASS;
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) fail(fmt::format("{} does not hold numbers", path));
  if (!dataset.space || H5Sget_simple_extent_ndims(dataset.space) != rank)
    fail(fmt::format("{} must have {}", path, rank == 1 ? "one size" : "two sizes"));
  std::array<hsize_t, 2> size = {0, 1};
  H5Sget_simple_extent_dims(dataset.space, size.data(), nullptr);
  dataset.size = {size[0], size[1]};
  if (dataset.size[1] > table_columns_max)
    fail(fmt::format("{} has {} columns; at most {} are read", path, dataset.size[1], table_columns_max));
  dataset.piece_rows = checked_pieces(dataset.handle, dataset.space, H5Tget_size(type), path);
  dataset.piece_rows = std::min(dataset.piece_rows, std::max<std::uint64_t>(1, dataset.size[0]));
  if (dataset.piece_rows > piece_row_values_max / std::max<std::uint64_t>(1, dataset.size[1])) refuse_pieces(path);
  return dataset;
}

void Hdf5Input::read_blocks(const Dataset& dataset, const std::string& path, int rank, const Take& take) const {
  const std::uint64_t rows = dataset.size[0], width = dataset.size[1];
  if (rows == 0 || width == 0) return;
  // Whole pieces: each is unpacked once.
  const std::uint64_t piece = dataset.piece_rows;
  const std::uint64_t step = std::max<std::uint64_t>(1, block_values / width / piece) * piece;
  std::vector<double> block(std::min(step, rows) * width);
  for (std::uint64_t begin = 0; begin < rows; begin += step) {
    const hsize_t start[] = {begin, 0}, count[] = {std::min(step, rows - begin), width};
    const Hdf5Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(dataset.space, H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
        H5Dread(dataset.handle, H5T_NATIVE_DOUBLE, memory, dataset.space, H5P_DEFAULT, block.data()) < 0)
      fail(fmt::format("{} cannot be read: the file is broken or cut short", path));
    take(begin, count[0], block.data());
  }
}

// Rows become columns without a second copy of all.
std::vector<std::vector<double>> Hdf5Input::matrix(const std::string& path, int rank) {
  if (!has(path)) return {};
  const Dataset dataset = open(path, rank);
  const std::uint64_t rows = dataset.size[0], width = dataset.size[1];
  const std::uint64_t most = input_memory_max(bytes_) / sizeof(double);
  if (rows > most / std::max<std::uint64_t>(1, width)) fail(fmt::format("{} is too large to be read", path));
  count_ += rows * width;
  if (count_ > most) fail("is too large to be read");
  std::vector<std::vector<double>> columns(width);
  for (std::vector<double>& column : columns) column.resize(rows);
  read_blocks(dataset, path, rank, [&](std::uint64_t begin, std::uint64_t count, const double* values) {
    for (std::uint64_t i = 0; i < count; ++i)
      for (std::uint64_t j = 0; j < width; ++j) columns[j][begin + i] = values[i * width + j];
  });
  return columns;
}

std::vector<double> Hdf5Input::series(const std::string& path) {
  std::vector<std::vector<double>> columns = matrix(path, 1);
  return columns.empty() ? std::vector<double>{} : std::move(columns.front());
}

void Hdf5Input::blocks(const std::string& path, const Take& take) const { read_blocks(open(path, 2), path, 2, take); }

std::array<std::uint64_t, 2> Hdf5Input::size_of(const std::string& path) const { return open(path, 2).size; }

std::vector<std::string> Hdf5Input::texts_at(const std::string& path, const std::vector<std::uint64_t>& rows) const {
  if (rows.empty() || !has(path)) return {};
  const Hdf5Handle dataset(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(dataset ? H5Dget_type(dataset) : -1, H5Tclose);
  const Hdf5Handle space(dataset ? H5Dget_space(dataset) : -1, H5Sclose);
  if (!type || !space || H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_ndims(space) != 1)
    fail(fmt::format("{} must be a list of texts", path));
  checked_pieces(dataset, space, H5Tget_size(type), path);
  const hsize_t count = rows.size();
  const std::vector<hsize_t> places(rows.begin(), rows.end());
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const auto texts = texts_of(type, memory, rows.size(), [&](hid_t as, void* to) {
    return H5Sselect_elements(space, H5S_SELECT_SET, places.size(), places.data()) >= 0 &&
           H5Dread(dataset, as, memory, space, H5P_DEFAULT, to) >= 0;
  });
  if (!texts) fail(fmt::format("{} cannot be read: the file is broken or cut short", path));
  return *texts;
}

std::optional<double> Hdf5Input::number(const char* attribute, const std::string& path) const {
  const std::vector<double> all = numbers(attribute, path);
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

std::vector<double> Hdf5Input::numbers(const char* attribute, const std::string& path) const {
  if (H5Aexists_by_name(file_, path.c_str(), attribute, H5P_DEFAULT) <= 0) return {};
  const Hdf5Handle handle(H5Aopen_by_name(file_, path.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle space(handle ? H5Aget_space(handle) : -1, H5Sclose);
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space) : 0;
  constexpr hssize_t most = 1 << 20;  // far more than an attribute has
  if (count <= 0 || count > most) return {};
  std::vector<double> values(count);
  return H5Aread(handle, H5T_NATIVE_DOUBLE, values.data()) < 0 ? std::vector<double>{} : values;
}

std::vector<std::string> Hdf5Input::texts(const char* attribute, const std::string& path) const {
  if (H5Aexists_by_name(file_, path.c_str(), attribute, H5P_DEFAULT) <= 0) return {};
  const Hdf5Handle handle(H5Aopen_by_name(file_, path.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(handle ? H5Aget_type(handle) : -1, H5Tclose);
  const Hdf5Handle space(handle ? H5Aget_space(handle) : -1, H5Sclose);
  if (!type || !space || H5Tget_class(type) != H5T_STRING) return {};
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  // Attributes are not compressed.
  if (count <= 0 || static_cast<std::uint64_t>(count) > bytes_ / H5Tget_size(type)) return {};
  const auto texts = texts_of(type, space, static_cast<std::size_t>(count),
                              [&](hid_t as, void* to) { return H5Aread(handle, as, to) >= 0; });
  if (!texts) fail(fmt::format("the texts {} cannot be read: they are broken, or too long", attribute));
  return *texts;
}

namespace {

constexpr std::size_t message_max = 2000;  // a pipe takes that at once

// No more memory than is taken already and a file of this size may take.
void limit_memory(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  // In pages: all, resident, shared, text, 0, data.
  std::ifstream pages("/proc/self/statm");
  std::uint64_t taken = 0;
  for (int k = 0; k < 6; ++k) pages >> taken;
  rlimit limit = {};
  if (error || !pages || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t most = taken * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + input_memory_max(bytes);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, most);
  ::setrlimit(RLIMIT_DATA, &limit);
}

// In the child: the first byte tells an answer from a complaint.
[[noreturn]] void read_and_tell(const std::string& name, const std::function<std::string()>& read, int tell) {
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::alarm(600);
  std::string message;
  try {
    message = "+" + read();
  } catch (const std::bad_alloc&) {
    message = "-" + name + ": there is not enough memory to read it";
  } catch (const std::exception& error) {
    message = fmt::format("-{}", error.what());
  }
  const std::size_t size = std::min(message.size(), message_max);
  ::_exit(::write(tell, message.data(), size) == static_cast<ssize_t>(size) ? 0 : 1);
}

}  // namespace

bool begins_as_hdf5(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  char start[4] = {};
  return file.read(start, 4) && std::string_view(start, 4) == "\x89HDF";
}

std::string read_in_child(const std::filesystem::path& path, const std::string& name,
                          const std::function<std::string()>& read) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return "";
  Descriptor listen(ends[0]), tell(ends[1]);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) return "";
  if (child == 0) {
    // A parent that is gone already sends no signal any more.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() != parent) ::_exit(1);
    limit_memory(path);
    read_and_tell(name, read, tell.number());
  }
  tell.close();
  std::string message(message_max, '\0');
  ssize_t got = 0;
  while ((got = ::read(listen.number(), message.data(), message.size())) < 0 && errno == EINTR) continue;
  message.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || message.empty())
    throw FileError(fmt::format("{}: is a broken HDF5 file: the HDF5 library cannot take it", name));
  if (message.front() == '-') throw FileError(message.substr(1));
  return message.substr(1);
}

}  // namespace ricochet::io
