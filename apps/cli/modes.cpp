// ricochet modes
#include "ricochet/present/modes.hpp"

#include <fmt/format.h>

#include "ricochet/report/page.hpp"
#include "shared.hpp"

namespace ricochet::cli {

namespace {

ModesRequest request_of(const ModesOptions& options) {
  ModesRequest request;
  if (options.about) request.about = *options.about;
  if (options.number) request.number = parse_whole_number(*options.number, "--number", 1, 100'000);
  if (!options.closed) return request;
  for (const std::string_view name : split(*options.closed, ',')) {
    if (name.empty()) throw InputError("--closed", "has an empty name: give constraints as --closed stop,floor");
    request.closed.emplace_back(name);
  }
  return request;
}

}  // namespace

int modes(const ModesOptions& options) {
  const ModesRequest request = request_of(options);
  RequestFiles files;
  for (const auto& [option, path] : {std::pair{"-o", &options.output}, {"--svg", &options.svg}}) {
    if (!*path) continue;
    if ((*path)->empty()) throw InputError(option, "the name of the file is empty");
    check_text_file(**path);
    files.writes(option, **path);
  }
  if (options.output && std::filesystem::path(*options.output).extension() != ".csv")
    throw InputError("-o", "writes a table of modes: give it a name that ends in .csv");
  const ScenarioFile file = open_scenario(options.scenario, overrides_of(options));
  const ModesOutcome outcome = study_of_options([&] { return modes_of_scenario(file, request); });
  files.check(file.inputs());

  for (const std::string& note : outcome.notes) print_error("note: " + note + "\n");
  std::string written;
  if (options.output) {
    write_text_file(*options.output, to_csv(outcome));
    written += fmt::format("\nTable in {}\n", *options.output);
  }
  if (options.svg) {
    write_text_file(*options.svg, modes_svg(outcome, &file.scenario()));
    written += fmt::format("\nPicture in {}\n", *options.svg);
  }
  print(options.json ? to_json(outcome, options.scenario) + "\n" : summary(outcome) + written);
  return done;
}

}  // namespace ricochet::cli
