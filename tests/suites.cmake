# Read by ctest: an entry for every suite of a program of tests, and for every test of a suite with parameters.
# Starting a program for each of two thousand cases takes longer than most of them; run_cases.py names the cases.
#
# Given: program, runner (a list), folder, without (a filter of cases that are left out), seconds (that no case takes),
# properties (a list).
function(add_suites)
  execute_process(COMMAND "${program}" --gtest_list_tests "--gtest_filter=*-${without}" OUTPUT_VARIABLE listed
                  RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    add_test(${folder} "${program}" --gtest_list_tests) # which fails and says why
    return()
  endif()

  # "Suite." or "Every/Suite." and then its cases: "  Case", "  Case/name".
  string(REGEX REPLACE " +#[^\n]*" "" listed "${listed}")
  set(entries "")
  string(REGEX MATCHALL "[^\n]+" lines "${listed}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^(([A-Za-z0-9_]+/)?([A-Za-z0-9_]+)(/[0-9]+)?)\\.")
      set(suite "${CMAKE_MATCH_1}")
      set(name "${CMAKE_MATCH_3}")
    elseif(line MATCHES "^  ([A-Za-z0-9_]+)/")
      set(entry "${folder}.${name}.${CMAKE_MATCH_1}")
      list(APPEND entries "${entry}")
      list(APPEND filters_of_${entry} "${suite}.${CMAKE_MATCH_1}/*")
    elseif(line MATCHES "^  ")
      set(entry "${folder}.${name}")
      list(APPEND entries "${entry}")
      list(APPEND filters_of_${entry} "${suite}.*")
    endif()
  endforeach()

  list(REMOVE_DUPLICATES entries)
  foreach(entry IN LISTS entries)
    set(filter "${filters_of_${entry}}")
    list(LENGTH filter cases)
    list(REMOVE_DUPLICATES filter)
    list(JOIN filter ":" filter)
    add_test("${entry}" ${runner} "${program}" ${seconds} "${filter}" "${without}")
    # A case has its limit, a suite none: with 0 ctest would take its own.
    set_tests_properties("${entry}" PROPERTIES ${properties} TIMEOUT 1000000 COST ${cases})
  endforeach()
endfunction()

add_suites()
