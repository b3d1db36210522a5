#include "python_function.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "ricochet/core/error.hpp"

namespace ricochet::python {

namespace {

// Holds the interpreter's lock; asks for it only where the thread does not have it yet.
class Locked {
 public:
  Locked() {
    if (PyGILState_Check() == 0) lock_.emplace();
  }

 private:
  std::optional<py::gil_scoped_acquire> lock_;
};

// An array of n doubles: the spare one if there is one.
PyObject* taken(PyObject*& spare, int n) {
  if (spare != nullptr) return std::exchange(spare, nullptr);
  return py::array_t<double>(n).release().ptr();
}

// Nobody else holds it: it can serve the next call.
void given_back(PyObject* array, PyObject*& spare) {
  if (spare == nullptr && Py_REFCNT(array) == 1)
    spare = array;
  else
    Py_DECREF(array);
}

std::string shape_text(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(array.shape(i)) + (array.ndim() == 1 ? "," : "");
  return text + ")";
}

}  // namespace

PythonFunction::PythonFunction(py::object function, std::string name, std::vector<int> sizes, int rows, int cols)
    : function_(std::move(function)),
      name_(std::move(name)),
      sizes_(std::move(sizes)),
      rows_(rows),
      cols_(cols),
      count_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols == vector ? 1 : cols)) {}

PythonFunction::PythonFunction(PythonFunction&& other) noexcept { *this = std::move(other); }

PythonFunction& PythonFunction::operator=(PythonFunction&& other) noexcept {
  std::swap(function_, other.function_);
  std::swap(name_, other.name_);
  std::swap(sizes_, other.sizes_);
  std::swap(rows_, other.rows_);
  std::swap(cols_, other.cols_);
  std::swap(count_, other.count_);
  std::swap(spare_, other.spare_);
  std::swap(memory_, other.memory_);
  return *this;
}

PythonFunction::~PythonFunction() {
  for (PyObject* array : spare_) Py_XDECREF(array);
}

void PythonFunction::operator()(double t, std::array<const double*, 3> arguments, double* result) const {
  const Locked lock;
  if (recall(t, arguments, result)) return;
  read(call(t, arguments), result);
  remember(t, arguments, result);
}

bool PythonFunction::recall(double t, const std::array<const double*, 3>& arguments, double* result) const {
  if (memory_.empty() || memory_[0] != t) return false;
  const double* place = memory_.data() + 1;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const auto n = static_cast<std::size_t>(sizes_[i]);
    if (n > 0 && std::memcmp(place, arguments[i], n * sizeof(double)) != 0) return false;
    place += n;
  }
  std::copy_n(place, count_, result);
  return true;
}

void PythonFunction::remember(double t, const std::array<const double*, 3>& arguments, const double* result) const {
  std::size_t size = 1 + count_;
  for (const int n : sizes_) size += static_cast<std::size_t>(n);
  memory_.resize(size);
  double* place = memory_.data();
  *place++ = t;
  for (std::size_t i = 0; i < sizes_.size(); ++i) place = std::copy_n(arguments[i], sizes_[i], place);
  std::copy_n(result, count_, place);
}

py::object PythonFunction::call(double t, const std::array<const double*, 3>& arguments) const {
  // A place before the arguments is what the calling convention asks for.
  std::array<PyObject*, 5> stack = {};
  stack[1] = PyFloat_FromDouble(t);
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    stack[i + 2] = taken(spare_[i], sizes_[i]);
    const auto bytes = static_cast<std::size_t>(sizes_[i]) * sizeof(double);
    if (bytes > 0) std::memcpy(py::detail::array_proxy(stack[i + 2])->data, arguments[i], bytes);
  }
  PyObject* value = PyObject_Vectorcall(function_.ptr(), stack.data() + 1,
                                        (1 + sizes_.size()) | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  Py_DECREF(stack[1]);
  for (std::size_t i = 0; i < sizes_.size(); ++i) given_back(stack[i + 2], spare_[i]);
  if (value == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(value);
}

// The usual results without a detour: a float, a list or tuple of floats, an array of doubles.
bool PythonFunction::read_directly(PyObject* value, double* result) const {
  if (PyFloat_CheckExact(value)) {
    if (count_ != 1) return false;
    *result = PyFloat_AS_DOUBLE(value);
    return true;
  }
  if ((PyList_CheckExact(value) || PyTuple_CheckExact(value)) && cols_ == vector) {
    if (PySequence_Fast_GET_SIZE(value) != static_cast<Py_ssize_t>(count_)) return false;
    PyObject** items = PySequence_Fast_ITEMS(value);
    for (std::size_t i = 0; i < count_; ++i) {
      if (!PyFloat_Check(items[i])) return false;
      result[i] = PyFloat_AS_DOUBLE(items[i]);
    }
    return true;
  }
  const auto& numpy = py::detail::npy_api::get();
  if (!numpy.PyArray_Check_(value)) return false;
  const auto* array = py::detail::array_proxy(value);
  const auto* type = py::detail::array_descriptor_proxy(array->descr);
  constexpr int plain = py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if (type->type_num != py::detail::npy_api::NPY_DOUBLE_ || (array->flags & plain) != plain || type->byteorder == '>')
    return false;
  const bool right = cols_ == vector ? array->nd == 1 && array->dimensions[0] == rows_
                                     : array->nd == 2 && array->dimensions[0] == rows_ && array->dimensions[1] == cols_;
  if (!right) return false;
  if (count_ > 0) std::memcpy(result, array->data, count_ * sizeof(double));
  return true;
}

std::string PythonFunction::wanted() const {
  if (count_ == 1) return "a number";
  if (cols_ == vector) return std::to_string(rows_) + " numbers";
  return "an array of shape (" + std::to_string(rows_) + ", " + std::to_string(cols_) + ")";
}

void PythonFunction::read(py::handle value, double* result) const {
  if (read_directly(value.ptr(), result)) return;
  const py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw InputError(name_, "must return " + wanted() + ", got " +
                                py::str(py::type::of(value).attr("__name__")).cast<std::string>());
  }
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b')
    throw InputError(
        name_, "must return " + wanted() + ", got an array of type " + py::str(array.dtype()).cast<std::string>());
  // One row may come as a vector, one number as itself.
  const bool one_row =
      array.ndim() == 1 && array.shape(0) == static_cast<py::ssize_t>(count_) && (cols_ == vector || rows_ == 1);
  const bool whole = array.ndim() == 2 && cols_ != vector && array.shape(0) == rows_ && array.shape(1) == cols_;
  const bool single = count_ == 1 && array.size() == 1;
  if (!one_row && !whole && !single)
    throw InputError(name_, "must return " + wanted() + ", got an array of shape " + shape_text(array));
  const Numbers numbers = Numbers::ensure(array);
  if (!numbers) throw py::error_already_set();
  std::copy_n(numbers.data(), count_, result);
}

}  // namespace ricochet::python
