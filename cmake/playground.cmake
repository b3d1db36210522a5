# The engine of the playground: the library as WebAssembly in one file, playground/engine.json of the build folder. The
# program reads it when it writes a playground, so that building the program does not wait for it.
#
# A build of its own by emscripten (apps/playground), which goes by the list of its files.
set(ricochet_has_playground OFF)
find_program(RICOCHET_EMXX em++)
mark_as_advanced(RICOCHET_EMXX)
if(NOT RICOCHET_PLAYGROUND OR NOT ricochet_has_page OR NOT RICOCHET_EMXX)
  if(RICOCHET_PLAYGROUND AND NOT RICOCHET_SANITIZE)
    message(STATUS "emscripten or npm not found: no playground")
  endif()
  return()
endif()
set(ricochet_has_playground ON)

# The toolchain lies beside the compiler, which may be a link.
file(REAL_PATH "${RICOCHET_EMXX}" compiler)
get_filename_component(folder "${compiler}" DIRECTORY)
find_file(
  RICOCHET_EMSCRIPTEN_TOOLCHAIN Emscripten.cmake
  PATHS "${folder}/cmake/Modules/Platform" /usr/share/emscripten/cmake/Modules/Platform
  NO_DEFAULT_PATH REQUIRED)
mark_as_advanced(RICOCHET_EMSCRIPTEN_TOOLCHAIN)

include(ProcessorCount)
ProcessorCount(cores)
set(work "${PROJECT_BINARY_DIR}/playground")
set(ricochet_engine "${work}/engine.json")
file(GLOB_RECURSE engine_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*" "${PROJECT_SOURCE_DIR}/include/*"
     "${PROJECT_SOURCE_DIR}/apps/playground/*" "${PROJECT_SOURCE_DIR}/gallery/*")
add_custom_command(
  OUTPUT "${ricochet_engine}"
  COMMAND "${CMAKE_COMMAND}" -S "${PROJECT_SOURCE_DIR}" -B "${work}" -G Ninja --log-level=ERROR
          "-DCMAKE_TOOLCHAIN_FILE=${RICOCHET_EMSCRIPTEN_TOOLCHAIN}" -DCMAKE_BUILD_TYPE=Release -DRICOCHET_WARNINGS_ARE_ERRORS=OFF
  # Another Node.js than Debian's does not look where Debian has the modules that emscripten uses.
  COMMAND "${CMAKE_COMMAND}" -E env NODE_PATH=/usr/share/nodejs "${CMAKE_COMMAND}" --build "${work}" --target engine --parallel
          ${cores} -- --quiet
  COMMAND "${RICOCHET_NODE}" "${ricochet_web}/pack_engine.mjs" "${work}/apps/playground/engine.js"
          "${work}/apps/playground/engine.wasm" "${ricochet_web}/dist/worker.js" "${ricochet_engine}"
  DEPENDS ${engine_files} "${page_stamp}" "${CMAKE_CURRENT_LIST_FILE}" "${PROJECT_SOURCE_DIR}/CMakeLists.txt"
  COMMENT "Building the engine of the playground"
  VERBATIM)
add_custom_target(ricochet_playground ALL DEPENDS "${ricochet_engine}")
