// The scenario files that come with the library, as text, in the order of their names.
#pragma once

#include <span>
#include <string_view>

namespace ricochet {

struct GalleryText {
  std::string_view name;  // "bouncing-ball"
  std::string_view text;  // the file gallery/bouncing-ball.toml
};

std::span<const GalleryText> gallery_texts();

// The files that these scenarios name, with their endings: "ground-motion.csv", "frame.mtx".
std::span<const GalleryText> gallery_files();

}  // namespace ricochet
