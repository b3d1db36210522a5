// The program's commands as data, for man pages and for what a shell completes: made from the same texts as --help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::cli {

struct CommandOption {
  std::vector<std::string> names;  // "-o", "--output"; of an argument without dashes its one name, "SCENARIO"
  std::string type;                // "FILE", empty for a flag
  std::string about;
};

struct Command {
  std::string name;  // of a verb; empty for the program itself
  std::string about;
  std::string more;  // further text with examples
  std::vector<CommandOption> arguments = {}, options = {};
};

// The page ricochet-VERB(1) of a command, or ricochet(1) with all of them, in troff.
std::string man_page(const Command& command, const std::vector<Command>& verbs);

// The script that makes bash, zsh or fish complete; throws InputError for another shell.
std::string completion_script(std::string_view shell);

// What may stand for the last of the words behind `ricochet`, one a line; "%files" stands for names of files.
std::string completions(const std::vector<Command>& verbs, const std::vector<std::string>& words);

}  // namespace ricochet::cli
