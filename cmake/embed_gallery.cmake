# Writes a C++ file that holds the files of the gallery as raw string literals.
#
#   cmake -D LIST=<file with one path a line> -D OUTPUT=<file.cpp> -P embed_gallery.cmake
file(STRINGS "${LIST}" paths)
set(limit 60000) # bytes of one literal; compilers need to take 65536 only
set(count 0)
# Scenarios go by their name alone, the files beside them by the whole of it.
foreach(kind IN ITEMS texts files)
  set(entries_${kind} "")
  set(joined_${kind} "")
endforeach()

foreach(path IN LISTS paths)
  set(kind files)
  get_filename_component(name "${path}" NAME)
  if(name MATCHES "\\.toml$")
    set(kind texts)
    get_filename_component(name "${path}" NAME_WE)
  endif()
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
    string(APPEND entries_${kind} "      {\"${name}\", ${pieces}},\n")
  else()
    string(APPEND joined_${kind} "  static const std::string joined_${count} = ${pieces};\n")
    string(APPEND entries_${kind} "      {\"${name}\", joined_${count}},\n")
  endif()
  math(EXPR count "${count} + 1")
endforeach()

foreach(kind IN ITEMS texts files)
  set(body_${kind} "  return {};\n")
  if(entries_${kind})
    set(body_${kind}
        "${joined_${kind}}  static const GalleryText entries[] = {\n${entries_${kind}}  };\n  return entries;\n")
  endif()
endforeach()
file(
  WRITE "${OUTPUT}"
  "// Generated from the files in gallery/; changes belong there.
#include \"ricochet/scenario/gallery_texts.hpp\"

#include <string>

namespace ricochet {

std::span<const GalleryText> gallery_texts() {
${body_texts}}

std::span<const GalleryText> gallery_files() {
${body_files}}

}  // namespace ricochet
")
