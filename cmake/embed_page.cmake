# Writes a C++ file that holds the page's script and style as bytes.
#
#   cmake -D SCRIPT=<page.js> -D STYLE=<page.css> -D OUTPUT=<file.cpp> -P embed_page.cmake
#
# Files that are not there give an empty text: the page is plain then.
foreach(part IN ITEMS SCRIPT STYLE)
  set(bytes "")
  if(EXISTS "${${part}}")
    file(READ "${${part}}" bytes HEX)
  endif()
  # Lines of 40 bytes; a last zero, since an array cannot be empty.
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REPEAT "." 200 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  set(bytes_${part} "${bytes}0")
endforeach()

file(
  WRITE "${OUTPUT}"
  "// Generated from the files in web/; changes belong there.
#include \"report/assets.hpp\"

namespace ricochet::report {

namespace {

constexpr unsigned char script[] = {
${bytes_SCRIPT}};
constexpr unsigned char style[] = {
${bytes_STYLE}};

template <std::size_t size>
std::string_view text_of(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char*>(bytes), size - 1};
}

}  // namespace

std::string_view page_script() { return text_of(script); }
std::string_view page_style() { return text_of(style); }

}  // namespace ricochet::report
")
