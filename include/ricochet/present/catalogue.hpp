// What there is: schemes, solvers and scenarios of the gallery.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

// All of them, or the one with that name explained (of the gallery: its text as it is); in words or as JSON. They throw
// InputError, the last one ScenarioError, for a name that there is not.
std::string list_schemes(const std::string& name, bool json);
std::string list_solvers(const std::string& name, bool json);
std::string list_gallery(const std::string& name, bool json);

struct GalleryScenario {
  std::string_view name, text;  // as gallery_texts() has them
  std::string summary;          // its title
};
std::vector<GalleryScenario> gallery_scenarios();

}  // namespace ricochet
