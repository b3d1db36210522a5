# Sources that are compiled together, a folder at a time, for most of their compile time is spent on the same headers.
# A scheme stays a file of its own: a change in one rebuilds one object.
option(RICOCHET_TOGETHER "Compile most folders in one piece each; off, a change rebuilds one small object" ON)

# Nobody waits for text at run time: less optimisation there. What packs and unpacks numbers is not text.
set(text_folders io/scenario io/attachment scenario task present report)
set(number_folders core complementarity contact formula io/format io/result model run study)
# Under a sanitizer text is not optimised at all, but for what the fuzz targets read.
if(RICOCHET_SANITIZE)
  set(text_folders task present report)
  list(APPEND number_folders io/scenario io/attachment scenario)
endif()

set(ricochet_number_sources "")
set(ricochet_text_sources "")
foreach(source IN LISTS ricochet_sources)
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${source}")
  get_filename_component(folder "${folder}" DIRECTORY)
  if(folder IN_LIST text_folders)
    list(APPEND ricochet_text_sources "${source}")
  else()
    list(APPEND ricochet_number_sources "${source}")
  endif()
  if(folder IN_LIST text_folders OR folder IN_LIST number_folders)
    string(REPLACE "/" "_" group "${folder}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endif()
endforeach()

# A target whose sources with a UNITY_GROUP are compiled together.
function(compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RICOCHET_TOGETHER} UNITY_BUILD_MODE GROUP)
endfunction()
