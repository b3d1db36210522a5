#include "ricochet/io/scenario/scenario_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/utf8.hpp"
#include "io/format/text_lines.hpp"
#include "io/scenario/toml_document.hpp"
#include "ricochet/io/attachment/attachment_folder.hpp"
#include "ricochet/scenario/gallery_texts.hpp"

namespace ricochet {

namespace {

constexpr std::size_t file_size_max = std::size_t{16} << 20;
constexpr std::string_view gallery_prefix = "gallery:";

// A scenario is UTF-8 text with something in it.
void check_text(std::string_view text, std::string_view source) {
  // The signatures of HDF5 and of the archives of NumPy.
  if (text.starts_with("\x89HDF\r\n\x1a\n") || text.starts_with("PK\x03\x04"))
    throw ScenarioError(
        fmt::format("{}: is a result and no scenario: ricochet report shows it, and a scenario "
                    "continues from it by q = \"{}\" in [initial]",
                    source, std::filesystem::path(source).filename().string()));
  if (text.size() > file_size_max)
    throw ScenarioError(fmt::format("{}: is larger than 16 MiB, which no scenario should be", source));
  std::size_t line = 1;
  bool blank = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) throw ScenarioError(fmt::format("{}:{}: is not a text file: invalid UTF-8", source, line));
    const char c = text[at];
    if (c == '\0') throw ScenarioError(fmt::format("{}:{}: is not a text file: it contains a NUL byte", source, line));
    if (c == '\n') ++line;
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') blank = false;
    at += length;
  }
  if (blank)
    throw ScenarioError(fmt::format("{}: is empty: a scenario needs at least [model], [initial] and [time]", source));
}

std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const GalleryText& entry : gallery_texts()) names.emplace_back(entry.name);
  return names;
}

// What to say of a file that is not there: perhaps a gallery scenario was meant.
std::string missing_file(const std::filesystem::path& file) {
  const std::vector<std::string> names = gallery_names();
  const std::string message = fmt::format("{}: there is no such file", file.string());
  const std::string_view near = nearest(file.stem().string(), names);
  return near.empty() ? message : fmt::format("{}; did you mean {}{}?", message, gallery_prefix, near);
}

std::string file_text(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) throw FileError(missing_file(file));
  if (std::filesystem::is_directory(status)) throw FileError(file.string() + ": is a folder, not a scenario file");

  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (stream && text.size() <= file_size_max) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof() && text.size() <= file_size_max)
    throw FileError(fmt::format("{}: cannot be read: {}", file.string(),
                                errno != 0 ? std::generic_category().message(errno) : "input error"));
  return text;
}

std::string_view gallery_text(std::string_view name) {
  for (const GalleryText& entry : gallery_texts())
    if (entry.name == name) return entry.text;
  const std::vector<std::string> names = gallery_names();
  const std::string_view near = nearest(name, names);
  throw ScenarioError(fmt::format(
      "{}{}: there is no such scenario in the gallery; {}", gallery_prefix, name,
      near.empty() ? fmt::format("ricochet gallery lists its {}, such as {}bouncing-ball", names.size(), gallery_prefix)
                   : fmt::format("did you mean {}{}?", gallery_prefix, near)));
}

}  // namespace

Overrides::Overrides(std::span<const std::string> overrides) {
  for (const std::string& text : overrides) add(text);
}

void Overrides::add(const std::string& text) {
  const std::size_t sign = text.find('=');
  std::string label = "--set " + text;
  if (sign == std::string::npos)
    throw ScenarioError(label + ": must be KEY=VALUE, such as model.parameters.g=1.62 or time.step=1e-4");
  const auto part = [&](std::size_t begin, std::size_t size) {
    return std::string(io::trimmed(std::string_view(text).substr(begin, size), " \t"));
  };
  add(part(0, sign), part(sign + 1, std::string::npos), std::move(label));
}

void Overrides::add(std::string key, std::string value, std::string label) {
  items_.push_back({std::move(key), std::move(value), std::move(label)});
}

void Overrides::scheme(std::string_view name, std::string label) {
  add("scheme", fmt::format("{{ name = {} }}", io::toml_string(name)), std::move(label));
}

ScenarioFile::ScenarioFile(std::string_view text, std::string_view source, const Overrides& overrides,
                           std::unique_ptr<const Attachments> files, std::filesystem::path path)
    : files_(std::move(files)), path_(std::move(path)) {
  check_text(text, source);
  document_ = std::make_unique<io::TomlDocument>(io::parse_toml(text, source));
  for (const Overrides::Item& item : overrides.items()) io::set(*document_, item.key, item.value, item.label);
  scenario_ = io::read(*document_);
  try {
    validate(scenario_);
  } catch (const InputError& error) {
    throw located(error);
  }
  text_ = overrides.items().empty() ? std::string(text) : write_scenario(scenario_);
}

ScenarioFile::ScenarioFile(ScenarioFile&&) noexcept = default;
ScenarioFile& ScenarioFile::operator=(ScenarioFile&&) noexcept = default;
ScenarioFile::~ScenarioFile() = default;

std::vector<std::filesystem::path> ScenarioFile::inputs() const {
  std::vector<std::filesystem::path> paths;
  if (const auto* named = dynamic_cast<const NamedFiles*>(files_.get())) paths = named->paths();
  if (!path_.empty()) paths.insert(paths.begin(), path_);
  return paths;
}

std::optional<ScenarioFile::TextPlace> ScenarioFile::value_place(std::string_view path) const {
  const io::Node* node = document_->find_node(path);
  if (!node || node->place.line == 0) return std::nullopt;
  return TextPlace{node->place.line, node->place.column};
}

Problem ScenarioFile::build() const {
  try {
    return ricochet::build(scenario_, files_.get());
  } catch (const InputError& error) {
    throw located(error);
  }
}

ScenarioError ScenarioFile::located(const InputError& error) const {
  if (error.field().empty()) return ScenarioError(fmt::format("{}: {}", document_->source, error.message()));
  return ScenarioError(fmt::format("{}: {}: {}", document_->place(error.field()), document_->spoken_path(error.field()),
                                   error.message()));
}

ScenarioFile open_scenario(std::string_view name_or_path, const Overrides& overrides) {
  if (name_or_path.substr(0, gallery_prefix.size()) == gallery_prefix)
    return {gallery_text(name_or_path.substr(gallery_prefix.size())), name_or_path, overrides,
            std::make_unique<GalleryAttachments>()};
  return {file_text(name_or_path), name_or_path, overrides,
          std::make_unique<AttachmentFolder>(std::filesystem::path(name_or_path).parent_path(), overrides.folders()),
          name_or_path};
}

Scenario parse_scenario(std::string_view text, std::string_view source, const Overrides& overrides) {
  return ScenarioFile(text, source, overrides).scenario();
}

Scenario load_scenario(std::string_view name_or_path, const Overrides& overrides) {
  return open_scenario(name_or_path, overrides).scenario();
}

}  // namespace ricochet
