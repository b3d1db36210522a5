# Installs the build folder, moves the installed copy, then configures, builds and runs a consumer against it.
#
#   cmake -D BUILD=<build folder> -D SOURCE=<source folder> -D WORK=<folder to use>
#         -D GENERATOR=<of CMake> -D COMPILER=<c++> -D FLAGS=<its flags> -P run.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/prefix")

# Every header stands on its own: no installed header needs one that is not installed.
file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix/include" "${WORK}/prefix/include/*.hpp")
if(NOT "ricochet/ricochet.hpp" IN_LIST headers OR NOT "ricochet/core/version.hpp" IN_LIST headers)
  message(FATAL_ERROR "headers are missing from the installed copy: ${headers}")
endif()
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>")
list(JOIN headers "\n" text)
file(WRITE "${WORK}/all_headers.cpp" "${text}\nint main() { return ricochet::version.empty() ? 1 : 0; }\n")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run("${COMPILER}" -std=c++20 -Wall -Wextra -Werror ${flags} -fsyntax-only -I "${WORK}/prefix/include"
    "${WORK}/all_headers.cpp")

run("${CMAKE_COMMAND}" -S "${SOURCE}/tests/install" -B "${WORK}/build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
    "-DEXAMPLES=${SOURCE}/examples" "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
foreach(name IN ITEMS ten_lines hand_written_model)
  run("${WORK}/build/${name}")
endforeach()

# The installed program runs from its new place and has the gallery in it.
file(GLOB program "${WORK}/prefix/bin/ricochet")
if(program)
  run("${program}" --version)
  run("${program}" gallery bouncing-ball)
endif()
