// All files that a request reads and writes: what is written never replaces what is read, nor something else that is
// written, whatever names and links lead to them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

// Names that are empty are those of files that are not asked for.
class RequestFiles {
 public:
  void reads(const std::filesystem::path& path);
  void reads(const std::vector<std::filesystem::path>& paths);
  // With what lies beside it: of a result as CSV its impacts.
  void reads_result(const std::filesystem::path& path);

  // `option` names the file.
  void writes(const std::string& option, const std::filesystem::path& path);
  void writes_result(const std::string& option, const std::filesystem::path& path);
  // A file whose parts gather in a journal beside it until it is whole.
  void writes_with_journal(const std::string& option, const std::filesystem::path& path);

  // To be called before anything is written, and again once what a scenario names is known. Throws InputError for
  // outputs that are an input, one of `more`, or one another.
  void check(const std::vector<std::filesystem::path>& more = {}) const;

 private:
  struct Output {
    std::string option;
    std::filesystem::path path;
  };
  std::vector<std::filesystem::path> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace ricochet
