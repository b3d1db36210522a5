// ricochet help --man, and man pages when it is installed
#include "manual.hpp"

#include <fmt/format.h>

#include "ricochet/core/version.hpp"

namespace ricochet::cli {

namespace {

// Text for troff: backslashes and dashes as they are, no line that begins like a request.
std::string escaped(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    begins = c == '\n';
  }
  return result;
}

std::string names_of(const CommandOption& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  return option.type.empty() ? text : text + " \\fI" + escaped(option.type) + "\\fR";
}

std::string paragraphs(const std::vector<CommandOption>& options) {
  std::string text;
  for (const CommandOption& option : options)
    text += fmt::format(".TP\n{}\n{}\n", names_of(option), escaped(option.about));
  return text;
}

std::string synopsis(const Command& command) {
  std::string text = "\\fBricochet" + (command.name.empty() ? "" : " " + command.name) + "\\fR";
  for (const CommandOption& argument : command.arguments) text += " \\fI" + escaped(argument.names[0]) + "\\fR";
  if (command.name.empty()) return text + " \\fICOMMAND\\fR [\\fIOPTION\\fR]…";
  return text + (command.options.empty() ? "" : " [\\fIOPTION\\fR]…");
}

}  // namespace

std::string man_page(const Command& command, const std::vector<Command>& verbs) {
  const std::string name = command.name.empty() ? "ricochet" : "ricochet-" + command.name;
  std::string upper = name;
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  std::string text = fmt::format(".TH {} 1 \"\" \"ricochet {}\" \"ricochet\"\n", escaped(upper), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.about));
  text += fmt::format(".SH SYNOPSIS\n{}\n", synopsis(command));
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n" + paragraphs(command.arguments);
  if (!command.options.empty()) text += ".SH OPTIONS\n" + paragraphs(command.options);
  if (command.name.empty()) {
    text += ".SH COMMANDS\n";
    for (const Command& verb : verbs)
      text += fmt::format(".TP\n\\fBricochet\\-{}\\fR(1)\n{}\n", escaped(verb.name), escaped(verb.about));
  }
  // Examples stand in columns.
  if (!command.more.empty()) text += fmt::format(".SH MORE\n.nf\n{}\n.fi\n", escaped(command.more));
  return command.name.empty() ? text : text + ".SH SEE ALSO\n\\fBricochet\\fR(1)\n";
}

}  // namespace ricochet::cli
