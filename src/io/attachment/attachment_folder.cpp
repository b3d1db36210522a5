#include "ricochet/io/attachment/attachment_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/attachment/attachment_formats.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/scenario/gallery_texts.hpp"

namespace ricochet {

namespace {

namespace fs = std::filesystem;

// The name closest to that of a missing file, among the first thousands beside it.
std::string nearest_beside(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end && names.size() < 10000;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return std::string(nearest(path.filename().string(), names));
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [inner, outer] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return inner == folder.end() && outer != path.end();
}

std::string_view gallery_file(const std::string& file, const std::string& field) {
  std::vector<std::string> names;
  for (const GalleryText& entry : gallery_files()) {
    if (entry.name == file) return entry.text;
    names.emplace_back(entry.name);
  }
  const std::string_view near = nearest(file, names);
  throw InputError(field, fmt::format("{}: there is no such file in the gallery{}", file,
                                      near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace

AttachmentFolder::AttachmentFolder(fs::path folder, std::vector<fs::path> others)
    : folder_(std::move(folder)), others_(std::move(others)) {
  if (folder_.empty()) folder_ = ".";
}

std::vector<fs::path> AttachmentFolder::paths() const {
  const std::scoped_lock lock(mutex_);
  return {read_.begin(), read_.end()};
}

// The real path of a file in the folder.
fs::path AttachmentFolder::checked(const fs::path& root, const std::string& file, const std::string& field) const {
  const auto refuse = [&](const std::string& message) {
    throw InputError(field, fmt::format("{}: {}", file, message));
  };
  const fs::path name = file;
  if (file.empty()) throw InputError(field, "the name of the file is empty");
  if (file.find('\0') != std::string::npos) throw InputError(field, "the name of the file holds a zero byte");
  if (name.is_absolute())
    refuse("must be a file in the scenario's folder or below, named from there; --files DIR allows another one");
  if (std::find(name.begin(), name.end(), "..") != name.end())
    refuse("must be in the scenario's folder or below it; --files DIR allows another one");

  std::error_code error;
  const fs::path folder = fs::canonical(root, error);
  if (error) refuse(fmt::format("the scenario's folder cannot be read: {}", error.message()));
  const fs::path path = fs::weakly_canonical(folder / name, error);
  if (error) refuse(fmt::format("cannot be read: {}", error.message()));
  if (!is_inside(path, folder)) refuse("leads out of the scenario's folder; --files DIR allows another one");

  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    const std::string near = nearest_beside(path);
    const std::string beside = near.empty() ? near : (name.parent_path() / near).string();
    std::string hint = near.empty() ? "; --files DIR allows another one" : fmt::format("; did you mean {}?", beside);
    for (const GalleryText& entry : gallery_files())
      if (entry.name == file) hint = fmt::format("; ricochet gallery {0} > {0} writes that of the gallery", file);
    refuse("there is no such file in the scenario's folder" + hint);
  }
  if (error) refuse(fmt::format("cannot be read: {}", error.message()));
  return path;
}

fs::path AttachmentFolder::found(const std::string& file, const std::string& field) const {
  fs::path path;
  try {
    path = checked(folder_, file, field);
  } catch (const InputError&) {
    const auto has_it = [&](const fs::path& folder) {
      try {
        path = checked(folder, file, field);
        return true;
      } catch (const InputError&) {
        return false;
      }
    };
    if (std::none_of(others_.begin(), others_.end(), has_it)) throw;
  }
  {
    const std::scoped_lock lock(mutex_);
    read_.insert(path);
  }
  return path;
}

std::unique_ptr<io::InputBytes> AttachmentFolder::open(const std::string& file, const std::string& field) const {
  return std::make_unique<io::FileBytes>(found(file, field), file, field);
}

NumberTable AttachmentFolder::result(const std::string& file, const std::string& field) const {
  return io::result_table(found(file, field), file, field);
}

NumberTable NamedFiles::result(const std::string& file, const std::string& field) const {
  throw InputError(field, file + ": results are read from a folder only");
}

std::unique_ptr<io::InputBytes> GalleryAttachments::open(const std::string& file, const std::string& field) const {
  return std::make_unique<io::MemoryBytes>(gallery_file(file, field), file, field);
}

SparseMatrix NamedFiles::matrix(const std::string& file, const std::string& field) const {
  const io::AttachmentName name = io::split_attachment_name(file);
  return io::read_matrix(*open(name.file, field), name);
}

bool NamedFiles::has_matrix(const std::string& file, const std::string& field) const {
  const io::AttachmentName name = io::split_attachment_name(file);
  return io::has_matrix(*open(name.file, field), name);
}

NumberTable NamedFiles::table(const std::string& file, const std::string& field) const {
  const io::AttachmentName name = io::split_attachment_name(file);
  if (io::is_result(name)) return result(name.file, field);
  const std::unique_ptr<io::InputBytes> bytes = open(name.file, field);
  return io::holds_result(*bytes, name) ? result(name.file, field) : io::read_table(*bytes, name);
}

}  // namespace ricochet
