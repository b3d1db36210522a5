#include "io/hdf5_writer.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/columnar_writer.hpp"
#include "io/hdf5_driver.hpp"
#include "io/hdf5_handle.hpp"

namespace ricochet {

namespace {

hid_t memory_type(Element element) { return element == Element::float64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32; }
hid_t file_type(Element element) { return element == Element::float64 ? H5T_IEEE_F64LE : H5T_STD_I32LE; }

// Text of any length in UTF-8: h5py gives it as str.
Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// An attribute takes 16 bytes a name, and 64 KiB in all in the older form of the format.
bool has_long_lists(const ResultHeader& header) {
  constexpr std::size_t longest = 4000;
  return header.coordinates.size() > longest || header.states.size() > longest || header.constraints.size() > longest;
}

class Hdf5Writer final : public ColumnarWriter {
 public:
  Hdf5Writer(const std::filesystem::path& path, const ResultHeader& header)
      : ColumnarWriter(header), file_(path), channel_(file_) {
    const Hdf5Session session;
    try {
      begin(header);
    } catch (...) {
      close();
      throw;
    }
  }

  ~Hdf5Writer() override {
    const Hdf5Session session;
    try {
      if (handle_ && anything_recorded()) {
        store_all();
        publish();
      }
    } catch (const std::exception&) {  // what is on disk stays as it is
    }
    close();
  }

  void finish(const Solution& solution) override {
    const Hdf5Session session;
    store_all();
    for (const auto& [name, text] : closing_texts(solution)) set_text(handle_, name, text);
    for (const auto& [name, value] : energy_terms(solution.energy))
      set_value(energy_, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
    set_value(handle_, "steps", H5T_STD_U64LE, H5T_NATIVE_UINT64, &solution.statistics.steps);
    publish();
    check(close() ? 0 : -1, "file");
    file_.commit();
  }

  const std::filesystem::path& path() const override { return file_.target(); }

 private:
  void begin(const ResultHeader& header) {
    handle_ = check(Hdf5Handle(create_hdf5(channel_, has_long_lists(header)), H5Fclose), "file");
    for (const auto& [name, text] : header_texts(header)) set_text(handle_, name, text);
    for (const auto& [name, list] : header_lists(header)) set_list(handle_, name, *list);
    // A file that nobody finished says so.
    set_text(handle_, "status", "interrupted");
    create_datasets(samples(), sample_sets_);
    create_datasets(impacts(), impact_sets_);
    energy_ = check(Hdf5Handle(H5Gopen2(handle_, "energy", H5P_DEFAULT), H5Gclose), "energy");
    publish();
  }

  void store(const Table& table) override {
    if (table.rows() == 0) return;
    const Hdf5Session session;
    const std::vector<Hdf5Handle>& sets = &table == &samples() ? sample_sets_ : impact_sets_;
    for (std::size_t k = 0; k < sets.size(); ++k) store_column(table, table.columns()[k], sets[k]);
  }

  // Extends the dataset and writes the block's rows at its end.
  void store_column(const Table& table, const Column& column, hid_t dataset) {
    const int rank = column.is_matrix ? 2 : 1;
    const hsize_t extent[] = {table.total(), column.width};
    const hsize_t start[] = {table.first_row(), 0};
    const hsize_t count[] = {table.rows(), column.width};
    check(H5Dset_extent(dataset, extent), column.name);
    if (column.width == 0) return;
    const auto target = check(Hdf5Handle(H5Dget_space(dataset), H5Sclose), column.name);
    check(H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, count, nullptr), column.name);
    const auto source = check(Hdf5Handle(H5Screate_simple(rank, count, nullptr), H5Sclose), column.name);
    check(H5Dwrite(dataset, memory_type(column.element), source, target, H5P_DEFAULT, column.block.data()),
          column.name);
  }

  void publish() override {
    const Hdf5Session session;
    check(H5Fflush(handle_, H5F_SCOPE_GLOBAL), "file");
    if (anything_recorded()) file_.keep();
  }

  bool close() {
    sample_sets_.clear();
    impact_sets_.clear();
    energy_.close();
    return handle_.close();
  }

  void create_datasets(const Table& table, std::vector<Hdf5Handle>& sets) {
    for (const Column& column : table.columns()) {
      sets.push_back(create_dataset(column, table.capacity()));
      set_text(sets.back(), "units", std::string(column.units));
    }
  }

  // Chunks are as long as the table's blocks, without compression: see docs/result-files.md for what it would save.
  Hdf5Handle create_dataset(const Column& column, std::size_t block_rows) {
    const int rank = column.is_matrix ? 2 : 1;
    const hsize_t size[] = {0, column.width};
    // A chunk cannot be empty, nor larger than a dataset's limit.
    const hsize_t limit[] = {H5S_UNLIMITED, column.width > 0 ? column.width : H5S_UNLIMITED};
    const hsize_t chunk[] = {block_rows, column.width > 0 ? column.width : 1};
    const auto space = check(Hdf5Handle(H5Screate_simple(rank, size, limit), H5Sclose), column.name);
    const auto creation = check(Hdf5Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), column.name);
    check(H5Pset_chunk(creation, rank, chunk), column.name);
    check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), column.name);
    // The same run gives the same bytes: no dates.
    check(H5Pset_obj_track_times(creation, false), column.name);
    const auto links = check(Hdf5Handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose), column.name);
    check(H5Pset_create_intermediate_group(links, 1), column.name);
    return check(Hdf5Handle(H5Dcreate2(handle_, column.name.c_str(), file_type(column.element), space, links, creation,
                                       H5P_DEFAULT),
                            H5Dclose),
                 column.name);
  }

  // Writes the attribute, in place of an earlier one.
  void set_attribute(hid_t owner, const std::string& name, hid_t stored, hid_t given, hid_t space, const void* value) {
    if (H5Aexists(owner, name.c_str()) > 0) check(H5Adelete(owner, name.c_str()), name);
    const auto attribute =
        check(Hdf5Handle(H5Acreate2(owner, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose), name);
    check(H5Awrite(attribute, given, value), name);
  }

  void set_value(hid_t owner, const std::string& name, hid_t stored, hid_t given, const void* value) {
    const auto space = check(Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose), name);
    set_attribute(owner, name, stored, given, space, value);
  }

  void set_text(hid_t owner, const std::string& name, const std::string& text) {
    const Hdf5Handle type = text_type();
    const char* characters = text.c_str();
    set_value(owner, name, type, type, &characters);
  }

  void set_list(hid_t owner, const std::string& name, const std::vector<std::string>& list) {
    const Hdf5Handle type = text_type();
    std::vector<const char*> characters;
    for (const std::string& text : list) characters.push_back(text.c_str());
    characters.push_back("");  // HDF5 wants an address even for an empty list
    const hsize_t size = list.size();
    const auto space = check(Hdf5Handle(H5Screate_simple(1, &size, nullptr), H5Sclose), name);
    set_attribute(owner, name, type, type, space, characters.data());
  }

  // Both throw FileError: for the disk's reason if it has one, otherwise for HDF5's refusal.
  void check_channel() const {
    if (channel_.error() != 0) file_.fail(channel_.error());
  }
  void check(herr_t status, const std::string& what) const {
    check_channel();
    if (status < 0) refuse(what);
  }
  Hdf5Handle check(Hdf5Handle handle, const std::string& what) const {
    check_channel();
    if (!handle) refuse(what);
    return handle;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw write_error(file_.target(), fmt::format("HDF5 did not take \"{}\"", what),
                      file_.kept() ? file_.partial() : "");
  }

  AtomicFile file_;
  Hdf5Channel channel_;
  Hdf5Handle handle_, energy_;
  std::vector<Hdf5Handle> sample_sets_, impact_sets_;
};

}  // namespace

std::unique_ptr<ResultWriter> open_hdf5(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<Hdf5Writer>(path, header);
}

}  // namespace ricochet
