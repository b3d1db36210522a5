# What `make package` adds to the program: man pages, completions, and the program that needs libc alone.

# Man pages and completions, by the program itself.
if(RICOCHET_SANITIZE)
  return()
endif()
set(manual "${PROJECT_BINARY_DIR}/manual")
add_custom_command(
  OUTPUT "${manual}/man/man1/ricochet.1.gz"
  COMMAND "${PROJECT_SOURCE_DIR}/tools/manual.sh" "$<TARGET_FILE:ricochet_cli>" "${manual}"
  DEPENDS ricochet_cli "${PROJECT_SOURCE_DIR}/tools/manual.sh"
  VERBATIM)
install(DIRECTORY "${manual}/" TYPE DATA)
add_custom_target(ricochet_manual ALL DEPENDS "${manual}/man/man1/ricochet.1.gz")

# HDF5 and what it needs as archives, where Debian has them; fmt and toml++ compiled in; no MPI.
find_library(StaticHDF5_LIBRARY NAMES libhdf5_serial.a PATH_SUFFIXES hdf5/serial)
find_library(StaticSZ_LIBRARY libsz.a)
find_library(StaticAEC_LIBRARY libaec.a)
find_library(StaticZ_LIBRARY libz.a)
mark_as_advanced(StaticHDF5_LIBRARY StaticSZ_LIBRARY StaticAEC_LIBRARY StaticZ_LIBRARY)
set(archives "${StaticHDF5_LIBRARY}" "${StaticSZ_LIBRARY}" "${StaticAEC_LIBRARY}" "${StaticZ_LIBRARY}")
if(archives MATCHES "NOTFOUND" OR BUILD_SHARED_LIBS)
  return()
endif()

add_executable(ricochet_portable EXCLUDE_FROM_ALL $<TARGET_OBJECTS:ricochet_cli_objects> ranks.cpp
                                                  portable/libraries.cpp portable/no_network.cpp)
set_target_properties(ricochet_portable PROPERTIES OUTPUT_NAME ricochet
                                                   RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/portable")
add_dependencies(ricochet_portable ricochet)
target_include_directories(ricochet_portable PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
target_compile_features(ricochet_portable PRIVATE cxx_std_20)
target_link_options(ricochet_portable PRIVATE -static-libgcc -static-libstdc++)
# The library as a file: as a target it brings the shared libraries along.
target_link_libraries(
  ricochet_portable PRIVATE ricochet_light $<TARGET_FILE:ricochet> ${archives}
                            $<$<BOOL:${ricochet_compiled_formulas}>:asmjit::asmjit> ${CMAKE_DL_LIBS})

# The archive: this program with what the package has beside its own.
install(TARGETS ricochet_portable RUNTIME DESTINATION bin COMPONENT portable EXCLUDE_FROM_ALL)
install(DIRECTORY "${manual}/" DESTINATION share COMPONENT portable EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/gallery" DESTINATION share/ricochet COMPONENT portable EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION share/ricochet COMPONENT portable EXCLUDE_FROM_ALL)
if(ricochet_has_playground)
  install(FILES "${ricochet_engine}" DESTINATION share/ricochet COMPONENT portable EXCLUDE_FROM_ALL OPTIONAL)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION . COMPONENT portable
        EXCLUDE_FROM_ALL)
