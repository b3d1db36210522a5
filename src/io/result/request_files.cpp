#include "ricochet/io/result/request_files.hpp"

#include <fmt/format.h>

#include "io/format/atomic_file.hpp"
#include "io/result/result_formats.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

void RequestFiles::reads(const std::filesystem::path& path) {
  if (!path.empty()) inputs_.push_back(path);
}

void RequestFiles::reads(const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) reads(path);
}

void RequestFiles::reads_result(const std::filesystem::path& path) {
  for (const std::filesystem::path& file : io::result_files(path)) reads(file);
}

void RequestFiles::writes(const std::string& option, const std::filesystem::path& path) {
  if (!path.empty()) outputs_.push_back({option, path});
}

void RequestFiles::writes_result(const std::string& option, const std::filesystem::path& path) {
  for (const std::filesystem::path& file : io::result_files(path)) writes(option, file);
}

void RequestFiles::writes_with_journal(const std::string& option, const std::filesystem::path& path) {
  if (path.empty()) return;
  writes(option, path);
  writes(option, journal_of(path));
}

void RequestFiles::check(const std::vector<std::filesystem::path>& more) const {
  const auto refuse_reading = [](const Output& output, const std::vector<std::filesystem::path>& inputs) {
    for (const std::filesystem::path& input : inputs)
      if (is_same_file(output.path, input))
        throw InputError(output.option,
                         fmt::format("{} would replace {}, which is read", output.path.string(), input.string()));
  };
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    refuse_reading(outputs_[i], inputs_);
    refuse_reading(outputs_[i], more);
    for (std::size_t k = 0; k < i; ++k)
      if (is_same_file(outputs_[i].path, outputs_[k].path))
        throw InputError(outputs_[i].option,
                         fmt::format("{} is written by {} already", outputs_[i].path.string(), outputs_[k].option));
  }
}

}  // namespace ricochet
