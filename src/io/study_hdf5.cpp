#include "io/study_hdf5.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/atomic_file.hpp"
#include "io/hdf5_driver.hpp"
#include "io/hdf5_handle.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/converge_scenario.hpp"

namespace ricochet {

namespace {

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : file_(path), channel_(file_) {
    handle_ = check(Hdf5Handle(create_hdf5(channel_, true), H5Fclose), "file");
  }
  ~Writer() { handle_.close(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void text(const std::string& name, const std::string& text) {
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const char* characters = text.c_str();
    attribute(handle_, name, type, type, &characters);
  }

  void array(const StudyArray& array) {
    const int rank = array.width == 0 ? 1 : 2;
    const hsize_t size[] = {array.values.size() / std::max<std::size_t>(array.width, 1), array.width};
    const auto space = check(Hdf5Handle(H5Screate_simple(rank, size, nullptr), H5Sclose), array.path);
    const auto links = check(Hdf5Handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose), array.path);
    H5Pset_create_intermediate_group(links, 1);
    const auto creation = check(Hdf5Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), array.path);
    H5Pset_obj_track_times(creation, false);
    const auto set =
        check(Hdf5Handle(H5Dcreate2(handle_, array.path.c_str(), H5T_IEEE_F64LE, space, links, creation, H5P_DEFAULT),
                         H5Dclose),
              array.path);
    if (!array.values.empty() &&
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0)
      refuse(array.path);
    for (const auto& [name, value] : array.attributes) attribute(set, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
  }

  void finish() {
    if (H5Fflush(handle_, H5F_SCOPE_GLOBAL) < 0 || !handle_.close()) refuse("file");
    if (channel_.error() != 0) file_.fail(channel_.error());
    file_.commit();
  }

 private:
  void attribute(hid_t owner, const std::string& name, hid_t stored, hid_t given, const void* value) {
    const auto space = check(Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose), name);
    const auto place =
        check(Hdf5Handle(H5Acreate2(owner, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose), name);
    if (H5Awrite(place, given, value) < 0) refuse(name);
  }
  Hdf5Handle check(Hdf5Handle handle, const std::string& what) const {
    if (channel_.error() != 0) file_.fail(channel_.error());
    if (!handle) refuse(what);
    return handle;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    if (channel_.error() != 0) file_.fail(channel_.error());
    throw write_error(file_.target(), fmt::format("HDF5 did not take \"{}\"", what));
  }

  AtomicFile file_;
  Hdf5Channel channel_;
  Hdf5Handle handle_;
};

// '/' would begin a group.
std::string entry(std::string label) {
  for (char& c : label)
    if (c == '/') c = '|';
  return label;
}

std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const std::vector<double>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

void add_orders(StudyFile& file, const Convergence& study) {
  file.arrays.push_back({"steps", study.steps});
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) continue;
    for (std::size_t n = 0; n < norm_count; ++n) {
      StudyArray array{fmt::format("errors/{}/{}", entry(scheme.label), norm_names[n]), {}};
      for (const Errors& errors : scheme.errors) array.values.push_back(errors.at(n));
      if (!scheme.chooses_steps && scheme.fits[n].points >= 2)
        array.attributes = {{"order", scheme.fits[n].order}, {"spread", scheme.fits[n].spread}};
      file.arrays.push_back(std::move(array));
    }
  }
}

void add_local(StudyFile& file, const LocalStudy& local) {
  file.arrays.push_back({"steps", local.steps});
  file.arrays.push_back({"sigma", local.phases});
  for (const LocalErrors& scheme : local.schemes) {
    if (!scheme.refused.empty()) continue;
    const std::string path = "local/" + entry(scheme.label);
    file.arrays.push_back({path + "/q", joined(scheme.q), local.phases.size(), {{"order", scheme.q_mean.order}}});
    file.arrays.push_back({path + "/v", joined(scheme.v), local.phases.size(), {{"order", scheme.v_mean.order}}});
  }
}

}  // namespace

void check_study_target(const std::filesystem::path& path) {
  if (path.empty()) throw InputError("-o", "the name of the result file is empty");
  if (path.extension() != ".h5" && path.extension() != ".hdf5")
    throw InputError("-o", fmt::format("\"{}\" must end in .h5: studies are written as HDF5", path.string()));
}

void write_study_file(const std::filesystem::path& path, const StudyFile& study) {
  check_study_target(path);
  const Hdf5Session session;
  Writer writer(path);
  for (const auto& [name, text] : study.texts) writer.text(name, text);
  for (const StudyArray& array : study.arrays) writer.array(array);
  writer.finish();
}

void write_study(const std::filesystem::path& path, const ScenarioConvergence& result, std::string_view scenario) {
  StudyFile file;
  file.texts = {{"scenario", std::string(scenario)},
                {"title", result.title},
                {"version", std::string(version)},
                {"study", "converge"},
                {"reference", result.reference_description}};
  if (result.local)
    add_local(file, *result.local);
  else
    add_orders(file, result.study);
  write_study_file(path, file);
}

}  // namespace ricochet
