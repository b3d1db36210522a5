# The serial C library of HDF5: target SerialHDF5::hdf5.
#
# FindHDF5 wants a C compiler and, like pkg-config, may pick the MPI build. Only a header and a library are needed here,
# for this build and for those who link a static libricochet.
find_path(SerialHDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(SerialHDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(SerialHDF5_INCLUDE_DIR SerialHDF5_LIBRARY)

# 1.10 or later, not parallel.
if(EXISTS "${SerialHDF5_INCLUDE_DIR}/H5public.h")
  file(STRINGS "${SerialHDF5_INCLUDE_DIR}/H5public.h" SerialHDF5_VERSION REGEX "^#define H5_VERS_(MAJOR|MINOR|RELEASE)")
  list(TRANSFORM SerialHDF5_VERSION REPLACE "^#define H5_VERS_[A-Z]+[ \t]+([0-9]+).*" "\\1")
  list(JOIN SerialHDF5_VERSION "." SerialHDF5_VERSION)
  file(GLOB SerialHDF5_settings "${SerialHDF5_INCLUDE_DIR}/H5pubconf*.h")
  foreach(file IN LISTS SerialHDF5_settings)
    file(STRINGS "${file}" SerialHDF5_parallel REGEX "^#define H5_HAVE_PARALLEL 1")
    if(SerialHDF5_parallel)
      set(SerialHDF5_NOT_FOUND_MESSAGE "${SerialHDF5_INCLUDE_DIR} is an MPI build of HDF5; ricochet needs the serial one")
      set(SerialHDF5_LIBRARY SerialHDF5_LIBRARY-NOTFOUND)
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  SerialHDF5
  REQUIRED_VARS SerialHDF5_LIBRARY SerialHDF5_INCLUDE_DIR
  VERSION_VAR SerialHDF5_VERSION
  REASON_FAILURE_MESSAGE "${SerialHDF5_NOT_FOUND_MESSAGE}")

if(SerialHDF5_FOUND AND NOT TARGET SerialHDF5::hdf5)
  add_library(SerialHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(
    SerialHDF5::hdf5 PROPERTIES IMPORTED_LOCATION "${SerialHDF5_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                          "${SerialHDF5_INCLUDE_DIR}")
endif()
