# The page goes into the library as text: web/ -> page.js, page.css -> page_assets.cpp. Without npm it is empty, and
# ricochet writes plain pages.
find_program(RICOCHET_NPM npm)
find_program(RICOCHET_NODE NAMES node nodejs)
mark_as_advanced(RICOCHET_NPM RICOCHET_NODE)

set(ricochet_page_source "${PROJECT_BINARY_DIR}/page_assets.cpp")
set(ricochet_web "${PROJECT_BINARY_DIR}/web")
# Builds for sanitizers do without.
set(ricochet_has_page OFF)
if(RICOCHET_NPM AND RICOCHET_NODE AND NOT RICOCHET_SANITIZE)
  set(ricochet_has_page ON)
elseif(NOT RICOCHET_SANITIZE)
  message(STATUS "npm not found: the pages of ricochet report will be plain")
endif()

set(page_stamp "")
if(ricochet_has_page)
  file(GLOB page_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*.json" "${PROJECT_SOURCE_DIR}/web/*.mjs"
       "${PROJECT_SOURCE_DIR}/web/src/*")
  set(page_stamp "${ricochet_web}/built.txt")
  add_custom_command(
    OUTPUT "${page_stamp}"
    COMMAND
      "${CMAKE_COMMAND}" -D "SOURCE=${PROJECT_SOURCE_DIR}/web" -D "WORK=${ricochet_web}" -D "NPM=${RICOCHET_NPM}" -D
      "NODE=${RICOCHET_NODE}" -D "TESTS=${RICOCHET_BUILD_TESTS}" -D "STAMP=${page_stamp}" -P
      "${PROJECT_SOURCE_DIR}/cmake/build_page.cmake"
    DEPENDS ${page_files} "${PROJECT_SOURCE_DIR}/cmake/build_page.cmake"
    COMMENT "Building the page"
    VERBATIM)
endif()
add_custom_command(
  OUTPUT "${ricochet_page_source}"
  COMMAND "${CMAKE_COMMAND}" -D "SCRIPT=${ricochet_web}/dist/page.js" -D "STYLE=${ricochet_web}/dist/page.css" -D
          "OUTPUT=${ricochet_page_source}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
  DEPENDS ${page_stamp} "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
  COMMENT "Embedding the page"
  VERBATIM)
