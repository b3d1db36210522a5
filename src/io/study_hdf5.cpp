#include "io/study_hdf5.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/hdf5_file.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/io/converge_scenario.hpp"

namespace ricochet {

namespace {

void write_array(Hdf5File& file, const StudyArray& array) {
  const bool is_matrix = array.width > 0;
  const Hdf5Shape shape{H5T_IEEE_F64LE, is_matrix, array.values.size() / std::max<std::size_t>(array.width, 1),
                        is_matrix ? array.width : 1};
  const Hdf5Handle set = file.create(array.path, shape);
  file.write_rows(set, array.path, shape, H5T_NATIVE_DOUBLE, 0, shape.rows, array.values.data());
  for (const auto& [name, value] : array.attributes)
    file.set_value(set, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

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
  Hdf5File file(path, true);
  for (const auto& [name, text] : study.texts) file.set_text(file.root(), name, text);
  for (const StudyArray& array : study.arrays) write_array(file, array);
  file.commit();
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
