#include "settings.hpp"

namespace ricochet::cli {

Settings settings_of(const std::vector<std::string>& set, const std::optional<std::string>& scheme,
                     const std::optional<std::string>& step, const std::optional<std::string>& until) {
  Settings settings;
  if (scheme) settings.scheme(*scheme, "--scheme " + *scheme);
  for (const std::string& text : set) settings.add(text);
  if (step) settings.add("time.step", *step, "--step " + *step);
  if (until) settings.add("time.until", *until, "--until " + *until);
  return settings;
}

}  // namespace ricochet::cli
