// Modes, and the matrices behind them.
#include "ricochet/present/modes.hpp"
#include "bindings.hpp"
#include "ricochet/report/page.hpp"
#include "scenario_handle.hpp"
#include "task.hpp"

namespace ricochet::python {

namespace {

// Modes that are found: as JSON and as a picture.
struct ModesHandle {
  ModesOutcome outcome;
  std::string source;
  std::string picture;
};

ModesRequest request_of(const std::string& about, std::vector<std::string> closed, int number) {
  return {about, std::move(closed), number};
}

ModesHandle of_scenario(const ScenarioHandle& scenario, const std::string& about, std::vector<std::string> closed,
                        int number) {
  ModesOutcome outcome = modes_of_scenario(scenario.file, request_of(about, std::move(closed), number));
  std::string picture = modes_svg(outcome, &scenario.file.scenario());
  return {std::move(outcome), scenario.source, std::move(picture)};
}

ModesHandle of_model(const ModelHandle& model, const Task& task, const std::string& about,
                     std::vector<std::string> closed, int number) {
  ModesOutcome outcome = find_modes(problem_of(model, task), request_of(about, std::move(closed), number));
  std::string picture = modes_svg(outcome);
  return {std::move(outcome), "", std::move(picture)};
}

// (rows, columns, start, row, values) as scipy's compressed columns are made of.
py::tuple columns_of(const Pattern& pattern, const std::vector<double>& values) {
  return py::make_tuple(pattern.rows, pattern.cols, py::array_t<int>(py::cast(pattern.start)),
                        py::array_t<int>(py::cast(pattern.row)), py::array_t<double>(py::cast(values)));
}

// M, K, C, F, g, H and what joints have, at a state.
py::dict mechanics(const ModelHandle& handle, const Task& task) {
  const Model& model = *handle.model;
  const Layout& layout = model.layout();
  const double t = task.span.from, *q = task.start.q.data(), *v = task.start.v.data(), *z = task.start.z.data();
  std::vector<double> M(layout.mass.size()), K(layout.stiffness.size()), C(layout.damping.size()), F(model.nq());
  std::vector<double> g(model.nc()), H(layout.gradient.size()), g_t(model.nc()), e(model.nc());
  std::vector<double> g_B(model.nb()), H_B(layout.joint_gradient.size());
  model.mass(t, q, M.data());
  model.force_jacobians(t, q, v, z, K.data(), C.data());
  model.force(t, q, v, z, F.data());
  model.gap(t, q, g.data());
  model.gap_gradient(t, q, H.data());
  model.gap_time_derivative(t, q, g_t.data());
  model.restitution(t, q, e.data());
  model.joint(t, q, g_B.data());
  if (model.nb() > 0) model.joint_gradient(t, q, H_B.data());
  const Energy<double> energy = model.energy(t, q, v);
  py::dict result;
  result["M"] = columns_of(layout.mass, M);
  result["K"] = columns_of(layout.stiffness, K);
  result["C"] = columns_of(layout.damping, C);
  result["H"] = columns_of(layout.gradient, H);
  result["H_joints"] = columns_of(layout.joint_gradient, H_B);
  const auto array = [](const std::vector<double>& values) { return py::array_t<double>(py::cast(values)); };
  result["F"] = array(F);
  result["g"] = array(g);
  result["g_t"] = array(g_t);
  result["restitution"] = array(e);
  result["g_joints"] = array(g_B);
  result["kinetic"] = energy.kinetic;
  result["potential"] = energy.potential;
  return result;
}

}  // namespace

void bind_modes(py::module_& module) {
  py::class_<ModesHandle>(module, "Modes")
      .def("json", [](const ModesHandle& modes) { return to_json(modes.outcome, modes.source); })
      .def("summary", [](const ModesHandle& modes) { return summary(modes.outcome); })
      .def("csv", [](const ModesHandle& modes) { return to_csv(modes.outcome); })
      .def_readonly("picture", &ModesHandle::picture);
  module.def("scenario_modes", &of_scenario, py::arg("scenario"), py::arg("about"), py::arg("closed"),
             py::arg("number"));
  module.def("model_modes", &of_model, py::arg("model"), py::arg("task"), py::arg("about"), py::arg("closed"),
             py::arg("number"));
  module.def("mechanics", &mechanics, py::arg("model"), py::arg("task"));
  module.def(
      "write_text", [](const std::string& path, const std::string& text) { write_text_file(path, text); },
      py::arg("path"), py::arg("text"));
}

}  // namespace ricochet::python
