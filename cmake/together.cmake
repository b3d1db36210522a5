# Sources that are compiled together, a folder at a time, for most of their compile time is spent on the same headers.
# A scheme stays a file of its own: a change in one rebuilds one object.
option(RICOCHET_TOGETHER "Compile most folders in one piece each; off, a change rebuilds one small object" ON)

# Nobody waits for text at run time: less optimisation there. What packs and unpacks numbers is not text.
set(scenario_folders scenario scenario/keys scenario/build scenario/sweep)
set(text_folders io/scenario io/attachment ${scenario_folders} task present report)
set(number_folders core complementarity contact formula io/format io/result model run study study/check study/accuracy
                   study/sweep)
# Under a sanitizer text is not optimised at all, but for what the fuzz targets read.
if(RICOCHET_SANITIZE)
  set(text_folders task present report)
  list(APPEND number_folders io/scenario io/attachment ${scenario_folders})
endif()
# Builds that nobody makes for a change in one scheme.
if(RICOCHET_SANITIZE OR EMSCRIPTEN)
  list(APPEND number_folders flow runge_kutta scheme scheme/event scheme/kernel scheme/kernel/alpha
       scheme/kernel/velocity study/orbit)
endif()

# Sources by how they are optimised, grouped by folder. The catalogue names what each scheme defines, and so cannot stand
# before them.
function(sort_sources sources numbers text)
  set(all_numbers "")
  set(all_text "")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${source}")
    get_filename_component(folder "${folder}" DIRECTORY)
    if(folder IN_LIST text_folders)
      list(APPEND all_text "${source}")
    else()
      list(APPEND all_numbers "${source}")
    endif()
    if((folder IN_LIST text_folders OR folder IN_LIST number_folders) AND NOT source MATCHES "/scheme/catalogue\\.cpp$")
      string(REPLACE "/" "_" group "${folder}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
    endif()
  endforeach()
  set(${numbers} "${all_numbers}" PARENT_SCOPE)
  set(${text} "${all_text}" PARENT_SCOPE)
endfunction()

# Eigen's solvers for eigenvalues take long to optimise, and what they do here takes no time.
set_source_files_properties(
  "${PROJECT_SOURCE_DIR}/src/core/decompositions.cpp"
  PROPERTIES COMPILE_OPTIONS "$<IF:$<CONFIG:Release>,-O1,-O0>" SKIP_PRECOMPILE_HEADERS ON)

# A target whose sources with a UNITY_GROUP are compiled together.
function(compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RICOCHET_TOGETHER} UNITY_BUILD_MODE GROUP)
endfunction()
