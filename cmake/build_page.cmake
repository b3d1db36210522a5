# Builds the page in a folder of its own: a copy of web/, npm's packages, dist/page.js, dist/page.css, dist/worker.js.
#
#   cmake -D SOURCE=<web> -D WORK=<folder> -D NPM=<npm> -D NODE=<node> -D TESTS=<bool> -D STAMP=<file> -P build_page.cmake
#
# Without network the page stays plain: that is said, and the build goes on.
foreach(file IN ITEMS package.json package-lock.json .npmrc build.mjs pack_engine.mjs tsconfig.json)
  configure_file("${SOURCE}/${file}" "${WORK}/${file}" COPYONLY)
endforeach()
file(REMOVE_RECURSE "${WORK}/src")
file(COPY "${SOURCE}/src" DESTINATION "${WORK}")

# Packages are fetched again when their list changes.
set(omit "--omit=dev")
if(TESTS)
  set(omit "--include=dev")
endif()
file(SHA256 "${SOURCE}/package-lock.json" list)
set(wanted "${list} ${omit}")
set(got "")
if(EXISTS "${WORK}/packages.txt")
  file(READ "${WORK}/packages.txt" got)
endif()
set(result 0)
if(NOT got STREQUAL wanted)
  file(REMOVE "${WORK}/packages.txt")
  execute_process(
    COMMAND "${NPM}" ci ${omit} --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE result
    OUTPUT_QUIET
    ERROR_VARIABLE complaint)
  if(result EQUAL 0)
    file(WRITE "${WORK}/packages.txt" "${wanted}")
  endif()
endif()
if(result EQUAL 0)
  execute_process(
    COMMAND "${NODE}" build.mjs dist
    WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE result
    ERROR_VARIABLE complaint)
endif()
if(NOT result EQUAL 0)
  file(REMOVE_RECURSE "${WORK}/dist")
  string(STRIP "${complaint}" complaint)
  message(WARNING "The page could not be built and will be plain; remove ${WORK} to try again.\n${complaint}")
endif()
file(WRITE "${STAMP}" "${result}\n")
