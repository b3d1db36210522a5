// Scenario <-> TOML. The keys come from src/scenario/keys/keys.cpp; docs/scenario-reference.md lists them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

namespace io {
struct TomlDocument;
}

// "FILE:LINE:COLUMN: model.constraint.floor.restitution: must be in [0, 1], got 1.7"; for a value given
// beside the file "--set KEY=VALUE: …".
class ScenarioError : public Error {
 public:
  using Error::Error;
};

// Values set over those of a file: the dotted path of a key, and a value in TOML syntax (bare words are text).
// Constraints go by name or position: model.constraint.floor.restitution, model.constraint[0].restitution.
class Overrides {
 public:
  struct Item {
    std::string key, value;
    std::string label;  // how messages name it: "--set time.step=1"
  };

  Overrides() = default;
  // Each "KEY=VALUE".
  Overrides(std::initializer_list<std::string> overrides) : Overrides(std::span(overrides.begin(), overrides.size())) {}
  Overrides(const std::vector<std::string>& overrides)
      : Overrides(std::span(overrides)) {}            // NOLINT: reads like a list
  Overrides(std::span<const std::string> overrides);  // NOLINT

  // "KEY=VALUE". Throws ScenarioError for a text without =.
  void add(const std::string& text);
  void add(std::string key, std::string value, std::string label);
  // The whole [scheme] table: this scheme with its defaults.
  void scheme(std::string_view name, std::string label);

  // A folder that files may be read from besides that of the scenario.
  void read_from(std::filesystem::path folder) { folders_.push_back(std::move(folder)); }

  const std::vector<Item>& items() const { return items_; }
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  std::vector<Item> items_;
  std::vector<std::filesystem::path> folders_;
};

// A scenario with the places its values come from, so that later complaints can name them.
class ScenarioFile {
 public:
  // `files` reads those that the scenario names; without it there must be none.
  // `path`: where the text was read, if it was.
  ScenarioFile(std::string_view text, std::string_view source, const Overrides& overrides,
               std::unique_ptr<const Attachments> files = nullptr, std::filesystem::path path = {});
  ScenarioFile(ScenarioFile&&) noexcept;
  ScenarioFile& operator=(ScenarioFile&&) noexcept;
  ~ScenarioFile();

  const Scenario& scenario() const { return scenario_; }
  const Attachments* files() const { return files_.get(); }  // those that it names
  // Itself, if it is a file, and those that it names and that have been read so far, by build() for one.
  std::vector<std::filesystem::path> inputs() const;
  // What was run, as text: the file's own, or written anew if overrides changed it.
  const std::string& text() const { return text_; }

  // Where the value of a key stands in the text, lines and columns from 1; nothing for what the text does not give.
  struct TextPlace {
    std::uint32_t line, column;
  };
  std::optional<TextPlace> value_place(std::string_view path) const;

  Problem build() const;                                 // as ricochet::build, throws ScenarioError
  ScenarioError located(const InputError& error) const;  // the same complaint with its place

 private:
  std::unique_ptr<io::TomlDocument> document_;
  std::unique_ptr<const Attachments> files_;
  std::filesystem::path path_;
  Scenario scenario_;
  std::string text_;
};

// All read and validate. They throw ScenarioError, or FileError for a file that cannot be read.
Scenario parse_scenario(std::string_view text, std::string_view source, const Overrides& overrides = {});
// A path, or gallery:NAME for a scenario that comes with the library.
Scenario load_scenario(std::string_view name_or_path, const Overrides& overrides = {});
ScenarioFile open_scenario(std::string_view name_or_path, const Overrides& overrides = {});

// The text reads back to an equal scenario.
std::string write_scenario(const Scenario& scenario);

}  // namespace ricochet
