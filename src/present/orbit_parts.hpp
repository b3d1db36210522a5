// What the words, the files and the pages of orbits share.
#pragma once

#include <string>
#include <vector>

#include "ricochet/task/orbit.hpp"

namespace ricochet {

// What is held along an arc: contacts that are closed, frictions that stick and that slide, by name.
struct HeldNames {
  std::vector<std::string> closed, stick, slide;
};
HeldNames held_names(const OrbitHold& held, const OrbitHeader& header);
bool has_lasting_contact(const OrbitChain& chain);
// What ends an arc.
std::string end_text(const OrbitArc& arc, const OrbitHeader& header);

}  // namespace ricochet
