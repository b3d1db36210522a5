#include "io/format/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ricochet {

Hdf5File::Hdf5File(const std::filesystem::path& path, bool large_attributes) : file_(path), channel_(file_) {
  const Hdf5Session session;
  handle_ = check(Hdf5Handle(create_hdf5(channel_, large_attributes), H5Fclose), "file");
}

Hdf5File::~Hdf5File() {
  const Hdf5Session session;
  close();
}

void Hdf5File::create_groups(const std::string& path) {
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string name = path.substr(0, end);
    if (name.empty() || H5Lexists(handle_, name.c_str(), H5P_DEFAULT) > 0) continue;
    const auto creation = check(Hdf5Handle(H5Pcreate(H5P_GROUP_CREATE), H5Pclose), name);
    check(H5Pset_obj_track_times(creation, false), name);
    check(Hdf5Handle(H5Gcreate2(handle_, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose), name);
  }
}

Hdf5Handle Hdf5File::create(const std::string& path, const Hdf5Shape& shape) {
  create_groups(path);
  const int rank = shape.is_matrix ? 2 : 1;
  const bool grows = shape.chunk_rows > 0;
  const hsize_t size[] = {shape.rows, shape.width};
  // A chunk cannot be empty, nor larger than a dataset's limit.
  const hsize_t limit[] = {H5S_UNLIMITED, shape.width > 0 ? shape.width : H5S_UNLIMITED};
  const hsize_t chunk[] = {shape.chunk_rows, shape.width > 0 ? shape.width : 1};
  const auto space = check(Hdf5Handle(H5Screate_simple(rank, size, grows ? limit : nullptr), H5Sclose), path);
  const auto creation = check(Hdf5Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), path);
  if (grows) check(H5Pset_chunk(creation, rank, chunk), path);
  // Texts of any length are addresses, which must not be just anything.
  if (H5Tis_variable_str(shape.type) <= 0) check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), path);
  // The same contents give the same bytes: no dates.
  check(H5Pset_obj_track_times(creation, false), path);
  return check(
      Hdf5Handle(H5Dcreate2(handle_, path.c_str(), shape.type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose),
      path);
}

void Hdf5File::write_rows(hid_t dataset, const std::string& name, const Hdf5Shape& shape, hid_t given,
                          std::uint64_t first, std::uint64_t count, const void* values) {
  if (count == 0 || shape.width == 0) return;
  const hsize_t start[] = {first, 0};
  const hsize_t block[] = {count, shape.width};
  const auto target = check(Hdf5Handle(H5Dget_space(dataset), H5Sclose), name);
  check(H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, block, nullptr), name);
  const auto source = check(Hdf5Handle(H5Screate_simple(shape.is_matrix ? 2 : 1, block, nullptr), H5Sclose), name);
  check(H5Dwrite(dataset, given, source, target, H5P_DEFAULT, values), name);
}

Hdf5Handle Hdf5File::put(const std::string& path, const std::vector<double>& values, std::size_t width) {
  const std::size_t columns = std::max<std::size_t>(width, 1);
  const Hdf5Shape shape{stored_type(double{}), width > 0, values.size() / columns, columns};
  Hdf5Handle set = create(path, shape);
  write_rows(set, path, shape, given_type(double{}), 0, shape.rows, values.data());
  return set;
}

void Hdf5File::set_attribute(hid_t owner, const std::string& name, hid_t stored, hid_t given, hid_t space,
                             const void* value) {
  if (H5Aexists(owner, name.c_str()) > 0) check(H5Adelete(owner, name.c_str()), name);
  const auto attribute =
      check(Hdf5Handle(H5Acreate2(owner, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose), name);
  check(H5Awrite(attribute, given, value), name);
}

void Hdf5File::set_value(hid_t owner, const std::string& name, hid_t stored, hid_t given, const void* value) {
  const auto space = check(Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose), name);
  set_attribute(owner, name, stored, given, space, value);
}

void Hdf5File::set_values(hid_t owner, const std::string& name, hid_t stored, hid_t given, std::size_t count,
                          const void* values) {
  const hsize_t size = count;
  const auto space = check(Hdf5Handle(H5Screate_simple(1, &size, nullptr), H5Sclose), name);
  set_attribute(owner, name, stored, given, space, values);
}

void Hdf5File::set_text(hid_t owner, const std::string& name, const std::string& text) {
  const Hdf5Handle type = hdf5_text_type();
  const char* characters = text.c_str();
  set_value(owner, name, type, type, &characters);
}

void Hdf5File::set_list(hid_t owner, const std::string& name, const std::vector<std::string>& list) {
  const Hdf5Handle type = hdf5_text_type();
  std::vector<const char*> characters;
  for (const std::string& text : list) characters.push_back(text.c_str());
  characters.push_back("");  // HDF5 wants an address even for an empty list
  set_values(owner, name, type, type, list.size(), characters.data());
}

void Hdf5File::check(herr_t status, const std::string& what) const {
  check_channel();
  if (status < 0) refuse(what);
}

Hdf5Handle Hdf5File::check(Hdf5Handle handle, const std::string& what) const {
  check_channel();
  if (!handle) refuse(what);
  return handle;
}

void Hdf5File::refuse(const std::string& what) const {
  throw write_error(file_.target(), fmt::format("HDF5 did not take \"{}\"", what), file_.kept() ? file_.partial() : "");
}

void Hdf5File::commit() {
  flush();
  check(close() ? 0 : -1, "file");
  file_.commit();
}

}  // namespace ricochet
