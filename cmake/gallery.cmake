# The gallery goes into the library as text: gallery/*.{toml,csv,mtx} -> gallery_texts.cpp, made again when one changes.
file(GLOB ricochet_gallery CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/gallery/*.toml" "${PROJECT_SOURCE_DIR}/gallery/*.csv"
     "${PROJECT_SOURCE_DIR}/gallery/*.mtx")
set(ricochet_gallery_source "${PROJECT_BINARY_DIR}/gallery_texts.cpp")
# The list of names is a file, so that a removed file is noticed too.
list(JOIN ricochet_gallery "\n" names)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/gallery_list.txt" CONTENT "${names}\n")
add_custom_command(
  OUTPUT "${ricochet_gallery_source}"
  COMMAND "${CMAKE_COMMAND}" -D "LIST=${PROJECT_BINARY_DIR}/gallery_list.txt" -D "OUTPUT=${ricochet_gallery_source}" -P
          "${PROJECT_SOURCE_DIR}/cmake/embed_gallery.cmake"
  DEPENDS ${ricochet_gallery} "${PROJECT_BINARY_DIR}/gallery_list.txt" "${PROJECT_SOURCE_DIR}/cmake/embed_gallery.cmake"
  COMMENT "Embedding the gallery"
  VERBATIM)
