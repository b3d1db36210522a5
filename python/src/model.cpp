// Models: what Python hands over, and what it may ask of them.
#include <filesystem>

#include "bindings.hpp"
#include "callable_model.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/attachment/attachment_folder.hpp"

namespace ricochet::python {

std::vector<double> to_vector(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.size()}; }

SparseMatrix to_matrix(int rows, int cols, const py::array_t<int, py::array::c_style | py::array::forcecast>& start,
                       const py::array_t<int, py::array::c_style | py::array::forcecast>& row, const Numbers& values) {
  std::vector<Triplet> entries;
  entries.reserve(static_cast<std::size_t>(values.size()));
  for (int j = 0; j < cols; ++j)
    for (int k = start.at(j); k < start.at(j + 1); ++k) entries.push_back({row.at(k), j, values.at(k)});
  return sparse_from_triplets(rows, cols, std::move(entries));
}

namespace {

// A function or numbers under a key of a dictionary; None or nothing: left out.
Part part_of(const py::dict& parts, const char* key, const std::string& name, std::vector<int> sizes, int rows,
             int cols = PythonFunction::vector) {
  if (!parts.contains(key) || py::object(parts[key]).is_none()) return {};
  const py::object value = parts[key];
  if (PyCallable_Check(value.ptr()) != 0)
    return {.function = PythonFunction(value, name, std::move(sizes), rows, cols)};
  return {.constant = to_vector(value.cast<Numbers>())};
}

PythonFunction function_of(const py::dict& parts, const char* key, std::vector<int> sizes, int rows) {
  return std::move(part_of(parts, key, key, std::move(sizes), rows).function);
}

RowBlock block_of(const py::dict& block, int first, int nq) {
  const std::string name = block["name"].cast<std::string>();
  const int size = block["size"].cast<int>();
  const auto place = [&](const char* key) { return name + "." + key; };
  return {.first = first,
          .size = size,
          .gap = PythonFunction(block["gap"], place("gap"), {nq}, size),
          .gradient = part_of(block, "gradient", place("gradient"), {nq}, size, nq),
          .time_derivative = part_of(block, "time_derivative", place("time_derivative"), {nq}, size),
          .restitution = part_of(block, "restitution", place("restitution"), {nq}, size)};
}

RowBlock joint_of(const py::dict& joint, int first, int nq) {
  const std::string name = joint["name"].cast<std::string>();
  const int rows = joint["rows"].cast<int>();
  const auto part = [&](const char* key, const std::vector<int>& sizes, int cols = PythonFunction::vector) {
    return part_of(joint, key, "joint " + name + "." + key, sizes, rows, cols);
  };
  return {.first = first,
          .size = rows,
          .gap = std::move(part("equation", {nq}).function),
          .rate = std::move(part("rate", {nq, nq}).function),
          .gradient = part("gradient", {nq}, nq),
          .time_derivative = part("drift", {nq}),
          .name = name};
}

RowBlock friction_of(const py::dict& friction, int first, int nq) {
  const std::string name = friction["name"].cast<std::string>();
  const int rows = friction["rows"].cast<int>();
  const auto part = [&](const char* key, const std::vector<int>& sizes, int count, int cols = PythonFunction::vector) {
    return part_of(friction, key, "friction of " + name + "." + key, sizes, count, cols);
  };
  return {.first = first,
          .size = rows,
          .gap = {},
          .rate = std::move(part("rate", {nq, nq}, rows).function),
          .gradient = part("gradient", {nq}, rows, nq),
          .time_derivative = part("drift", {nq}, rows),
          .name = name,
          .constraint = friction["constraint"].cast<int>(),
          .bound = part("bound", {nq}, 1),
          .tangential_restitution = part("tangential_restitution", {nq}, 1)};
}

// All that a list of dictionaries gives, one after the other.
std::vector<RowBlock> blocks_of(const py::handle& items, int nq, RowBlock (*block_of)(const py::dict&, int, int)) {
  std::vector<RowBlock> blocks;
  int first = 0;
  for (const py::handle item : items) {
    blocks.push_back(block_of(py::reinterpret_borrow<py::dict>(item), first, nq));
    first += blocks.back().size;
  }
  return blocks;
}

// Sizes and types of constants were checked in Python, where the user's own names are known.
ModelHandle make_callable_model(const py::dict& given) {
  CallableParts parts;
  parts.coordinates = given["coordinates"].cast<std::vector<std::string>>();
  parts.constraints = given["constraints"].cast<std::vector<std::string>>();
  parts.states = given["states"].cast<std::vector<std::string>>();
  const int nq = static_cast<int>(parts.coordinates.size()), nz = static_cast<int>(parts.states.size());
  std::vector<int> motion = {nq, nq};
  if (nz > 0) motion.push_back(nz);

  parts.mass = part_of(given, "mass", "mass", {nq}, nq, nq);
  parts.stiffness = part_of(given, "stiffness", "stiffness", motion, nq, nq);
  parts.damping = part_of(given, "damping", "damping", motion, nq, nq);
  parts.force = function_of(given, "force", motion, nq);
  parts.potential = function_of(given, "potential", {nq}, 1);
  parts.power = function_of(given, "power", {nq, nq}, 2);
  parts.rate = function_of(given, "rate", motion, nz);
  parts.blocks = blocks_of(given["blocks"], nq, block_of);
  parts.joints = blocks_of(given["joints"], nq, joint_of);
  parts.frictions = blocks_of(given["frictions"], nq, friction_of);
  return {.model = callable_model(std::move(parts)),
          .states = given["initial"].cast<std::vector<double>>(),
          .calls_python = true};
}

ModelHandle make_loaded_model(const ModelHandle& inner, const py::object& load) {
  return {.model = with_load(inner.model, PythonFunction(load, "load", {}, inner.model->nq())),
          .states = inner.states,
          .calls_python = true};
}

py::tuple read_matrix(const std::filesystem::path& path) {
  const SparseMatrix A = AttachmentFolder(path.parent_path()).matrix(path.filename().string(), path.string());
  return py::make_tuple(A.rows(), A.cols(), py::array_t<int>(py::cast(A.pattern.start)),
                        py::array_t<int>(py::cast(A.pattern.row)), py::array_t<double>(py::cast(A.values)));
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<ModelHandle>(module, "Model")
      .def_property_readonly("coordinates", [](const ModelHandle& m) { return m.model->layout().coordinates; })
      .def_property_readonly("constraints", [](const ModelHandle& m) { return m.model->layout().constraints; })
      .def_property_readonly("joints",
                             [](const ModelHandle& m) {
                               std::vector<std::string> names;
                               for (const Joint& joint : m.model->layout().joints) names.push_back(joint.name);
                               return names;
                             })
      .def_property_readonly("frictions",
                             [](const ModelHandle& m) {
                               std::vector<std::string> names;
                               for (const Friction& friction : m.model->layout().frictions)
                                 names.push_back(friction.name);
                               return names;
                             })
      .def_property_readonly("states", [](const ModelHandle& m) { return m.model->layout().states; })
      .def_property_readonly("observations", [](const ModelHandle& m) { return m.model->layout().observations; })
      .def_readonly("initial_states", &ModelHandle::states)
      .def_readonly("calls_python", &ModelHandle::calls_python);
  module.def("callable_model", &make_callable_model, py::arg("parts"));
  module.def("loaded_model", &make_loaded_model, py::arg("inner"), py::arg("load"));
  module.def(
      "read_matrix", [](const std::string& path) { return read_matrix(path); }, py::arg("path"));
}

}  // namespace ricochet::python
