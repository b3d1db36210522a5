// Errors of the library as Python exceptions with the same sentences, and the version.
#include <new>

#include "bindings.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/task/run.hpp"

namespace ricochet::python {

namespace {

// The exception classes live as long as the interpreter.
struct Exceptions {
  PyObject *error, *input, *scenario, *file, *write;
};
Exceptions exceptions;

PyObject* add_exception(py::module_& module, const char* name, const char* doc, PyObject* base) {
  const std::string full = std::string("ricochet.") + name;
  PyObject* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, py::reinterpret_borrow<py::object>(type));
  return type;
}

void raise_input_error(const InputError& error) {
  py::object exception = py::reinterpret_borrow<py::object>(exceptions.input)(error.what());
  exception.attr("field") = error.field();
  exception.attr("message") = error.message();
  PyErr_SetObject(exceptions.input, exception.ptr());
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const InputError& error) {
    raise_input_error(error);
  } catch (const ScenarioError& error) {
    PyErr_SetString(exceptions.scenario, error.what());
  } catch (const InterruptedError& error) {
    PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  } catch (const WriteError& error) {
    PyErr_SetString(exceptions.write, error.what());
  } catch (const FileError& error) {
    PyErr_SetString(exceptions.file, error.what());
  } catch (const Error& error) {
    PyErr_SetString(exceptions.error, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "there is not enough memory for this: record_every keeps fewer states");
  }
}

}  // namespace

void bind_core(py::module_& module) {
  module.attr("__version__") = std::string(version);
  exceptions.error = add_exception(module, "Error", "Something that could not be computed.", PyExc_RuntimeError);
  exceptions.input =
      add_exception(module, "InputError", "A value that cannot be used: what is wrong, where, and what would be right.",
                    PyExc_ValueError);
  py::handle(exceptions.input).attr("field") = "";
  py::handle(exceptions.input).attr("message") = "";
  exceptions.scenario = add_exception(module, "ScenarioError",
                                      "A scenario that cannot be used, with the place in its file.", exceptions.input);
  exceptions.file = add_exception(module, "FileError", "A file that cannot be read or written.", PyExc_OSError);
  exceptions.write =
      add_exception(module, "WriteError", "A result file that failed while the run went on.", exceptions.file);
  py::register_exception_translator(translate);
}

}  // namespace ricochet::python
