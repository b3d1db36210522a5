// A Python function of numbers, called from the library at little more than its own cost.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bindings.hpp"

namespace ricochet::python {

// f(t, x₁, x₂, …) with arrays x of fixed sizes, whose result is a vector of `rows` numbers or a matrix of rows × cols.
//
// The arrays that the function gets are its own: if it keeps one, the next call gets another. The last call is
// remembered: schemes often ask twice for the same point. May be called from any thread.
class PythonFunction {
 public:
  static constexpr int vector = 0;  // of cols

  PythonFunction() = default;
  PythonFunction(py::object function, std::string name, std::vector<int> sizes, int rows, int cols = vector);
  PythonFunction(PythonFunction&& other) noexcept;
  PythonFunction& operator=(PythonFunction&& other) noexcept;
  ~PythonFunction();

  explicit operator bool() const { return static_cast<bool>(function_); }

  // `result` is row after row. Throws what the function raises, and InputError for a result of another form.
  void operator()(double t, std::array<const double*, 3> arguments, double* result) const;

 private:
  bool recall(double t, const std::array<const double*, 3>& arguments, double* result) const;
  void remember(double t, const std::array<const double*, 3>& arguments, const double* result) const;
  py::object call(double t, const std::array<const double*, 3>& arguments) const;
  void read(py::handle value, double* result) const;
  bool read_directly(PyObject* value, double* result) const;
  std::string wanted() const;

  py::object function_ = {};
  std::string name_ = {};
  std::vector<int> sizes_ = {};
  int rows_ = 0, cols_ = 0;
  std::size_t count_ = 0;  // of results
  mutable std::array<PyObject*, 3> spare_ = {};
  mutable std::vector<double> memory_ = {};  // t, arguments, result of the last call
};

}  // namespace ricochet::python
