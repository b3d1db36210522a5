#include "io/format/hdf5_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "io/format/hdf5_handle.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace ricochet {

namespace {

constexpr std::size_t table_cache_size = std::size_t{1} << 19;

// The part of the file HDF5 holds on to: base must come first.
struct OpenFile {
  H5FD_t base;
  Hdf5Channel* channel;
  haddr_t allocated;  // end of the space HDF5 has given out
  haddr_t written;    // end of the space it has written to
};

OpenFile& cast(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& cast(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  Hdf5Channel* channel = *static_cast<Hdf5Channel* const*>(info);
  return reinterpret_cast<H5FD_t*>(new (std::nothrow) OpenFile{{}, channel, 0, 0});
}

herr_t close_file(H5FD_t* file) {
  const std::unique_ptr<OpenFile> open(reinterpret_cast<OpenFile*>(file));
  open->channel->flush(open->allocated);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) *flags = H5FD_FEAT_AGGREGATE_METADATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return cast(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  cast(file).allocated = end;
  return 0;
}

haddr_t get_written(const H5FD_t* file, H5FD_mem_t) { return cast(file).written; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* bytes) {
  cast(file).channel->read(address, size, bytes);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, const void* bytes) {
  OpenFile& open = cast(file);
  open.written = std::max<haddr_t>(open.written, address + size);
  if (type == H5FD_MEM_DRAW)
    open.channel->write_data(address, size, bytes);
  else
    open.channel->write_table(type, address, size, bytes);
  return 0;
}

herr_t flush(H5FD_t* file, hid_t, hbool_t) {
  cast(file).channel->flush(cast(file).allocated);
  return 0;
}

// The length is set when the tables are written.
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  cast(file).written = cast(file).allocated;
  return 0;
}

H5FD_class_t driver() {
  H5FD_class_t result{};
#if H5_VERSION_GE(1, 13, 0)
  result.version = H5FD_CLASS_VERSION;
  result.value = static_cast<H5FD_class_value_t>(400);  // 256 to 511 are free for programs
#endif
  result.name = "ricochet_result";
  result.maxaddr = (haddr_t{1} << 62) - 1;
  result.fc_degree = H5F_CLOSE_STRONG;
  result.fapl_size = sizeof(Hdf5Channel*);
  result.open = open_file;
  result.close = close_file;
  result.query = query;
  result.get_eoa = get_allocated;
  result.set_eoa = set_allocated;
  result.get_eof = get_written;
  result.read = read;
  result.write = write;
  result.flush = flush;
  result.truncate = truncate;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), result.fl_map);
  return result;
}

}  // namespace

bool Hdf5Channel::check(int error) {
  if (error_ == 0) error_ = error;
  return error == 0;
}

void Hdf5Channel::read(std::uint64_t address, std::size_t size, void* bytes) {
  // From the disk; beyond its end all is zero.
  auto* out = static_cast<std::byte*>(bytes);
  const ssize_t got = read_all(file_.descriptor(), out, size, address);
  if (got < 0) check(errno);
  const std::size_t done = got < 0 ? 0 : static_cast<std::size_t>(got);
  std::memset(out + done, 0, size - done);

  // On top of it what is held back.
  for (const Pending& table : pending_) {
    const std::uint64_t begin = std::max(address, table.address), end = std::min(address + size, table.end());
    if (begin < end) std::memcpy(out + (begin - address), table.bytes.data() + (begin - table.address), end - begin);
  }
}

void Hdf5Channel::supersede(std::uint64_t address, std::size_t size, const void* bytes) {
  const auto* data = static_cast<const std::byte*>(bytes);
  std::erase_if(pending_,
                [&](const Pending& table) { return table.address >= address && table.end() <= address + size; });
  for (Pending& table : pending_) {
    const std::uint64_t begin = std::max(address, table.address), end = std::min(address + size, table.end());
    if (begin < end) std::memcpy(table.bytes.data() + (begin - table.address), data + (begin - address), end - begin);
  }
}

void Hdf5Channel::write_data(std::uint64_t address, std::size_t size, const void* bytes) {
  supersede(address, size, bytes);
  if (error_ == 0) check(write_all(file_.descriptor(), bytes, size, address));
}

void Hdf5Channel::write_table(H5FD_mem_t type, std::uint64_t address, std::size_t size, const void* bytes) try {
  supersede(address, size, bytes);
  const auto* data = static_cast<const std::byte*>(bytes);
  pending_.push_back({type, address, {data, data + size}});
} catch (const std::bad_alloc&) {
  check(ENOMEM);
}

// A reader that meets only the first few of these writes still finds everything it is led to:
//   0       new tables, which nothing points to yet
//   1       the superblock, which holds the end of the file
//   2, …    the trees of chunks, from the root down: a node that was split lists its chunks twice until its turn comes
//   last    object headers, which hold the number of rows, and all others
int Hdf5Channel::rank(const Pending& table) const {
  constexpr int levels = 256, last = 2 + levels;
  constexpr char signature[] = {'T', 'R', 'E', 'E'};
  constexpr std::size_t level_position = 5;
  if (table.address >= flushed_end_) return 0;
  if (table.type == H5FD_MEM_SUPER) return 1;
  const bool is_node = table.type == H5FD_MEM_BTREE && table.bytes.size() > level_position &&
                       std::memcmp(table.bytes.data(), signature, sizeof(signature)) == 0;
  return is_node ? last - 1 - std::to_integer<int>(table.bytes[level_position]) : last;
}

void Hdf5Channel::flush(std::uint64_t end) {
  if (error_ != 0) return;
  const int file = file_.descriptor();

  // Take all the space first, so that a full disk shows before anything changes in place.
  if (end > flushed_end_) {
    const auto begin = static_cast<off_t>(flushed_end_), length = static_cast<off_t>(end - flushed_end_);
    int error = 0;
    do error = ::posix_fallocate(file, begin, length);
    while (error == EINTR);
    if (error == EINVAL || error == EOPNOTSUPP) error = ::ftruncate(file, static_cast<off_t>(end)) == 0 ? 0 : errno;
    if (!check(error)) return;
  }

  // Each table after what it points to.
  std::stable_sort(pending_.begin(), pending_.end(),
                   [this](const Pending& a, const Pending& b) { return rank(a) < rank(b); });
  for (const Pending& table : pending_)
    if (!check(write_all(file, table.bytes.data(), table.bytes.size(), table.address))) return;
  pending_.clear();
  flushed_end_ = std::max(flushed_end_, end);
}

hid_t create_hdf5(Hdf5Channel& channel, bool large_attributes) {
  const H5FD_class_t methods = driver();
  const Hdf5Handle id(H5FDregister(&methods), H5FDunregister);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  Hdf5Channel* info = &channel;
  if (!id || !access || H5Pset_driver(access, id, &info) < 0) return -1;

  // Rows come in whole chunks: no cache for them. The tables' cache keeps its size.
  if (H5Pset_cache(access, 0, 1, 0, 1.0) < 0) return -1;
  H5AC_cache_config_t tables{};
  tables.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &tables) < 0) return -1;
  tables.set_initial_size = true;
  tables.initial_size = tables.min_size = tables.max_size = table_cache_size;
  tables.incr_mode = H5C_incr__off;
  tables.flash_incr_mode = H5C_flash_incr__off;
  tables.decr_mode = H5C_decr__off;
  if (H5Pset_mdc_config(access, &tables) < 0) return -1;

  if (large_attributes && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0) return -1;
  // No dates: the same contents are the same bytes.
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  if (!creation || H5Pset_obj_track_times(creation, false) < 0) return -1;
  return H5Fcreate("ricochet result", H5F_ACC_TRUNC, creation, access);
}

}  // namespace ricochet
