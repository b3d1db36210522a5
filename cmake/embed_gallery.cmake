# Writes a C++ file that holds scenario files as raw string literals.
#
#   cmake -D LIST=<file with one path a line> -D OUTPUT=<file.cpp> -P embed_gallery.cmake
file(STRINGS "${LIST}" paths)
set(limit 60000) # bytes of one literal; compilers need to take 65536 only
set(entries "")
set(count 0)

foreach(path IN LISTS paths)
  get_filename_component(name "${path}" NAME_WE)
  file(READ "${path}" text)

  # A delimiter that does not occur in the text.
  set(delimiter toml)
  while(text MATCHES "\\)${delimiter}\"")
    string(APPEND delimiter _)
  endwhile()

  # Pieces below the limit, cut after a line end: a cut never falls into a character of several bytes.
  set(pieces "")
  set(number 0)
  string(LENGTH "${text}" left)
  while(left GREATER limit)
    string(SUBSTRING "${text}" 0 ${limit} piece)
    string(FIND "${piece}" "\n" cut REVERSE)
    if(cut EQUAL -1)
      message(FATAL_ERROR "${path}: a line of more than ${limit} bytes cannot be embedded")
    endif()
    math(EXPR cut "${cut} + 1")
    string(SUBSTRING "${text}" 0 ${cut} piece)
    string(SUBSTRING "${text}" ${cut} -1 text)
    string(LENGTH "${text}" left)
    string(APPEND pieces "std::string(R\"${delimiter}(${piece})${delimiter}\") + ")
    math(EXPR number "${number} + 1")
  endwhile()
  string(APPEND pieces "R\"${delimiter}(${text})${delimiter}\"")

  # One literal needs no copy; several are joined when they are first asked for.
  if(number EQUAL 0)
    string(APPEND entries "      {\"${name}\", ${pieces}},\n")
  else()
    string(APPEND joined "  static const std::string joined_${count} = ${pieces};\n")
    string(APPEND entries "      {\"${name}\", joined_${count}},\n")
  endif()
  math(EXPR count "${count} + 1")
endforeach()

set(body "  return {};\n")
if(count GREATER 0)
  set(body "${joined}  static const GalleryText texts[] = {\n${entries}  };\n  return texts;\n")
endif()
file(
  WRITE "${OUTPUT}"
  "// Generated from gallery/*.toml; changes belong there.
#include \"ricochet/scenario/gallery_texts.hpp\"

#include <string>

namespace ricochet {

std::span<const GalleryText> gallery_texts() {
${body}}

}  // namespace ricochet
")
