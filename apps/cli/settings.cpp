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

std::filesystem::path result_path(const std::optional<std::string>& given, const std::string& scenario) {
  if (given && given->empty()) throw InputError("-o", "the name of the result file is empty");
  if (given) return *given;
  constexpr std::string_view prefix = "gallery:";
  if (scenario.rfind(prefix, 0) == 0) return scenario.substr(prefix.size()) + ".h5";
  return std::filesystem::path(scenario).stem().string() + ".h5";
}

}  // namespace ricochet::cli
