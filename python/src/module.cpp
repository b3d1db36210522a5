// The module ricochet._core: the library as the Python package ricochet needs it. Users see the package.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace ricochet::python;
  module.doc() = "The compiled part of ricochet; use the package ricochet.";
  bind_core(module);
  bind_scheme(module);
  bind_model(module);
  bind_run(module);
  bind_scenario(module);
  bind_modes(module);
  bind_study(module);
  bind_sweep(module);
}
