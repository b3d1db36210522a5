// What the files of the module ricochet._core share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/model/lagrangian.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/study/checked_formulas.hpp"

namespace ricochet::python {

namespace py = pybind11;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using SchemeValues = std::vector<std::pair<std::string, ParameterValue>>;

// A model as Python holds it. Its destructor needs the lock of the interpreter if it calls Python.
struct ModelHandle {
  std::shared_ptr<const Model> model;
  std::vector<double> states = {};  // at the start
  std::vector<NonsmoothFunction> nonsmooth = {};
  std::shared_ptr<const CheckedFormulas> formulas = {};
  bool calls_python = false;
};

// A motion to compute: what simulate(), check_problem() and the studies take.
struct Task {
  State start;
  TimeSpan span;
  Scheme scheme;
  RunSettings settings;
};

std::vector<double> to_vector(const Numbers& numbers);
// Compressed columns (start, row, values) of a matrix, as scipy keeps them.
SparseMatrix to_matrix(int rows, int cols, const py::array_t<int, py::array::c_style | py::array::forcecast>& start,
                       const py::array_t<int, py::array::c_style | py::array::forcecast>& row, const Numbers& values);

// One function a folder of the library.
void bind_core(py::module_& module);
void bind_model(py::module_& module);
void bind_scheme(py::module_& module);
void bind_run(py::module_& module);
void bind_scenario(py::module_& module);
void bind_modes(py::module_& module);
void bind_study(py::module_& module);
void bind_sweep(py::module_& module);

}  // namespace ricochet::python
