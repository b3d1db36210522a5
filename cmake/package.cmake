# Debian packages, by `make package`: ricochet with program, library, headers, manual, gallery and docs; python3-ricochet.
set(CPACK_PACKAGE_NAME ricochet)
set(CPACK_PACKAGE_VENDOR ricochet)
set(CPACK_PACKAGE_CONTACT "ricochet <ricochet@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ricochet)
if(ricochet_has_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RICOCHET_PACKAGE_NAME ricochet)
set(CPACK_DEBIAN_RICOCHET_PACKAGE_SECTION science)
# For those who link the library.
set(CPACK_DEBIAN_RICOCHET_PACKAGE_SUGGESTS
    "g++, cmake, libfmt-dev, libtomlplusplus-dev, libhdf5-dev, zlib1g-dev, libasmjit-dev, python3-ricochet")
set(CPACK_COMPONENT_RICOCHET_DESCRIPTION
    "Models from formulas, matrices and beams; every family of time integrators for
impacts and friction; an energy account that closes. Program, library, manual,
gallery and documentation.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ricochet)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# The module is for one version of Python; `python -m ricochet` runs the program.
math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
string(CONCAT CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
       "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), "
       "python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy, ricochet (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "The module ricochet for Python.")
include(CPack)
