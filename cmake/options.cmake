# Compile options of ricochet's own code: target ricochet_options. Nothing of it reaches those who use the library.
add_library(ricochet_options INTERFACE)

# Without contraction a sum of products is rounded the same way on every machine and in every lane.
target_compile_options(
  ricochet_options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
                             -Wno-psabi $<$<BOOL:${RICOCHET_WARNINGS_ARE_ERRORS}>:-Werror>)
# Eigen adds up in the order of its loops: with vectors the last place is that of the processor, and another in a browser.
target_compile_definitions(ricochet_options INTERFACE EIGEN_DONT_VECTORIZE=1)

# Masks are combined with & and |, which for a single trajectory are bools.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(ricochet_options INTERFACE -Wno-bitwise-instead-of-logical)
endif()
# Counts of 64 bits meet sizes of 32 there; no page holds that much.
if(EMSCRIPTEN)
  target_compile_options(ricochet_options INTERFACE -Wno-shorten-64-to-32)
endif()

# In position independent code g++ expects that a program may replace any function by its own, and inlines none of a
# template's.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Locals only: of files compiled together one may use a name that is a helper's of another.
  target_compile_options(ricochet_options INTERFACE -fno-semantic-interposition -Wshadow=local)
endif()

# g++ 12 warns of copies in its own std::string that overlap or overflow where they do not (GCC bug 105651), more so from
# precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ricochet_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                                                    -Wno-stringop-overread)
endif()

# Functions for wide registers copy lanes as they calculate with them: what is stored in halves and read whole has to wait.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(ricochet_options INTERFACE -mmove-max=256 -mstore-max=256)
endif()

# g++ packs the few numbers of a small step into vectors by way of the stack, and then waits for them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/scheme/kernel/velocity/velocity_stepper.cpp"
                              PROPERTIES COMPILE_OPTIONS "-fno-tree-slp-vectorize")
endif()

# The fuzzer comes with clang and belongs to its address sanitizer.
set(ricochet_has_fuzz OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND "address" IN_LIST RICOCHET_SANITIZE)
  set(ricochet_has_fuzz ON)
endif()

if(RICOCHET_SANITIZE)
  list(JOIN RICOCHET_SANITIZE "," joined)
  add_compile_options(-fsanitize=${joined} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Null pointers are caught by the address sanitizer too; the checks of every access cost a third of the compile time.
  if("undefined" IN_LIST RICOCHET_SANITIZE)
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  endif()
  add_link_options(-fsanitize=${joined})
endif()

# Steps with everything inlined take minutes to compile under a sanitizer.
target_compile_definitions(ricochet_options INTERFACE RICOCHET_FLATTEN=$<IF:$<BOOL:${RICOCHET_SANITIZE}>,,gnu::flatten>)

# Several versions of one function for several processors: g++ only, and not under a sanitizer.
if(RICOCHET_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_definitions(ricochet_options INTERFACE RICOCHET_NO_CLONES=1)
endif()

# Tests and the command line parser spend their time in the library: less optimisation, half the compile time.
add_library(ricochet_light INTERFACE)
target_link_libraries(ricochet_light INTERFACE ricochet_options)
target_compile_options(ricochet_light INTERFACE $<$<CONFIG:Release>:-O1> $<$<BOOL:${RICOCHET_SANITIZE}>:-O0>)

# A compiler cache where there is one.
find_program(RICOCHET_CCACHE ccache)
mark_as_advanced(RICOCHET_CCACHE)
if(RICOCHET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RICOCHET_CCACHE}")
endif()

# toml++ from its own library; compiled in where the fuzzer is to see it, without its assertions as in the library:
# 3.3 asserts that the hour of a date-time begins with a digit before it looks.
set(ricochet_toml tomlplusplus::tomlplusplus)
if(ricochet_has_fuzz)
  set(ricochet_toml "")
  target_compile_options(ricochet_options INTERFACE "-DTOML_ASSERT(expr)=static_assert(true)")
endif()
