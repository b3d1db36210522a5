# `cmake --install` gives headers, library, program and a package: find_package(ricochet) -> ricochet::ricochet.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ricochet")

install(TARGETS ricochet EXPORT ricochet_targets)
install(DIRECTORY include/ricochet TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/include/ricochet/core/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ricochet/core")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(ricochet_has_playground)
  install(FILES "${ricochet_engine}" DESTINATION "${CMAKE_INSTALL_DATADIR}/ricochet" OPTIONAL)
endif()
install(DIRECTORY gallery DESTINATION "${CMAKE_INSTALL_DATADIR}/ricochet")

# The names a static library is linked with have to be found again; a shared one carries them.
get_target_property(ricochet_type ricochet TYPE)
configure_package_config_file(cmake/ricochetConfig.cmake.in ricochetConfig.cmake INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(ricochetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT ricochet_targets NAMESPACE ricochet:: DESTINATION "${package_folder}" FILE ricochetTargets.cmake)
install(FILES "${PROJECT_BINARY_DIR}/ricochetConfig.cmake" "${PROJECT_BINARY_DIR}/ricochetConfigVersion.cmake"
              cmake/FindSerialHDF5.cmake DESTINATION "${package_folder}")
