// ricochet gallery
#include "ricochet/scenario/gallery_texts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ricochet/io/scenario_toml.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

using Json = nlohmann::ordered_json;

// A file that a scenario names: its text as it is.
const GalleryText* file_named(const std::string& name) {
  for (const GalleryText& file : gallery_files())
    if (file.name == name) return &file;
  return nullptr;
}

int print_one(const ListOptions& options) {
  if (const GalleryText* file = file_named(options.name)) {
    print(options.json ? Json{{"name", file->name}, {"text", file->text}}.dump(2) + "\n" : std::string(file->text));
    return done;
  }
  // The name may be written as scenarios are named elsewhere.
  const std::string name = options.name.rfind("gallery:", 0) == 0 ? options.name : "gallery:" + options.name;
  const ScenarioFile file = open_scenario(name);
  if (options.json)
    print(Json{{"name", name.substr(8)}, {"title", file.scenario().title}, {"text", file.text()}}.dump(2) + "\n");
  else
    print(file.text());
  return done;
}

}  // namespace

int gallery(const ListOptions& options) {
  if (!options.name.empty()) return print_one(options);

  Json list = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const GalleryText& entry : gallery_texts()) {
    const std::string title = parse_scenario(entry.text, entry.name).title;
    list.push_back({{"name", entry.name}, {"title", title}});
    rows.push_back({std::string(entry.name), title});
  }
  if (options.json) {
    print(list.dump(2) + "\n");
  } else {
    print_names(rows, "ricochet gallery NAME prints one, ricochet run gallery:NAME runs it.");
  }
  return done;
}

}  // namespace ricochet::cli
