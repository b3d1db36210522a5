// ricochet completion, and what it asks the program while one types
#include <fmt/format.h>

#include <algorithm>

#include "manual.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/scenario/gallery_texts.hpp"
#include "ricochet/scenario/key_paths.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet::cli {

namespace {

// Words are split here, for bash splits them at ':' and '=' too; what it takes for one word is cut off again.
constexpr const char* bash_script = R"script(_ricochet() {
  local line="${COMP_LINE:0:COMP_POINT}" word kept
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word="${words[-1]}"
  kept="${word%"${word##*[:=]}"}"
  COMPREPLY=()
  local candidate
  while IFS= read -r candidate; do
    if [[ $candidate == %files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("${candidate#"$kept"}"); done < <(compgen -f -- "$word")
    else
      [[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("${candidate#"$kept"}")
    fi
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _ricochet ricochet
)script";

constexpr const char* zsh_script = R"script(#compdef ricochet
_ricochet() {
  local -a candidates
  candidates=("${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( ${candidates[(Ie)%files]} )); then
    candidates=("${(@)candidates:#%files}")
    _files
  fi
  # A key goes on behind its =.
  compadd -S '' -- "${(@M)candidates:#*=}"
  compadd -- "${(@)candidates:#*=}"
}
if [[ $funcstack[1] == _ricochet ]]; then
  _ricochet "$@"
else
  compdef _ricochet ricochet
fi
)script";

constexpr const char* fish_script = R"script(function __ricochet_complete
  set -l words (commandline -opc) (commandline -ct)
  for candidate in ($words[1] complete $words[2..-1] 2>/dev/null)
    if test $candidate = %files
      __fish_complete_path (commandline -ct)
    else
      echo $candidate
    end
  end
end
complete -c ricochet -f -a '(__ricochet_complete)'
)script";

using Words = std::vector<std::string>;

template <class Entries>
Words names_in(const Entries& entries, const std::string& before = "") {
  Words names;
  for (const auto& entry : entries) names.push_back(before + std::string(entry.name));
  return names;
}

// The keys of the scenario among the words, if it can be read; otherwise of one without a model.
Words keys(const Words& words) {
  Scenario scenario;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) try {
      if (words[i].starts_with("gallery:") || words[i].ends_with(".toml")) scenario = load_scenario(words[i]);
    } catch (const std::exception&) {  // it is the run that complains
    }
  Words paths = key_paths(std::move(scenario));
  for (std::string& path : paths) path += "=";
  return paths;
}

// What an option's value may be.
Words values(const std::string& option, const CommandOption& described, const Words& words) {
  if (option == "--set") return keys(words);
  if (option == "--scheme") return names_in(catalogue());
  if (option == "--solver") return names_in(solvers());
  if (option == "--schemes") {  // the last of a list
    const std::string& word = words.back();
    const std::size_t comma = word.rfind(',');
    return names_in(catalogue(), comma == std::string::npos ? "" : word.substr(0, comma + 1));
  }
  return described.type.starts_with("FILE") ? Words{"%files"} : Words{};
}

Words arguments(const std::string& verb, const std::vector<Command>& verbs) {
  if (verb == "gallery") return names_in(gallery_texts());
  if (verb == "schemes") return names_in(catalogue());
  if (verb == "solvers") return names_in(solvers());
  if (verb == "help") return names_in(verbs);
  if (verb == "completion") return {"bash", "zsh", "fish"};
  Words words = {"%files"};
  for (const Command& command : verbs)
    if (command.name == verb && !command.arguments.empty() && command.arguments[0].names[0] == "SCENARIO")
      for (const std::string& name : names_in(gallery_texts(), "gallery:")) words.push_back(name);
  return words;
}

const CommandOption* find_option(const Command& verb, const std::string& name) {
  for (const CommandOption& option : verb.options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  return nullptr;
}

Words candidates(const std::vector<Command>& verbs, const Words& words) {
  if (words.size() < 2) {
    Words names = names_in(verbs);
    names.insert(names.end(), {"--help", "--version"});
    return names;
  }
  const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](const Command& c) { return c.name == words[0]; });
  if (verb == verbs.end()) return {};
  const std::string& before = words[words.size() - 2];
  if (const CommandOption* option = find_option(*verb, before); option && !option->type.empty())
    return values(before, *option, words);
  if (!words.back().starts_with("-")) return arguments(verb->name, verbs);
  Words names;
  for (const CommandOption& option : verb->options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script;
  if (shell == "zsh") return zsh_script;
  if (shell == "fish") return fish_script;
  throw InputError("completion", fmt::format("is there for bash, zsh and fish, not for '{}'", shell));
}

std::string completions(const std::vector<Command>& verbs, const Words& words) {
  const std::string typed = words.empty() ? "" : words.back();
  std::string text;
  for (const std::string& candidate : candidates(verbs, words))
    if (candidate == "%files" || candidate.starts_with(typed)) text += candidate + "\n";
  return text;
}

}  // namespace ricochet::cli
