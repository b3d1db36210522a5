// The command line: arguments to options, errors to sentences and exit codes. The only file that includes CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <new>

#include "help_texts.hpp"
#include "manual.hpp"
#include "ranks.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/catalogue.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

class UsageError : public Error {
 public:
  using Error::Error;
};

// The vector registers that lanes have on this processor.
int lane_bits() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 512;
  if (__builtin_cpu_supports("avx2")) return 256;
#endif
  return 128;
}

// "ricochet 0.1.0: MPI, compiled formulas, lanes of 512 bits", with what was built in and what this processor has.
std::string version_text() {
  std::vector<std::string> parts = {built_with_mpi() ? "MPI" : "without MPI",
                                    compiled_formulas ? "compiled formulas" : "interpreted formulas"};
  parts.push_back(fmt::format("lanes of {} bits", lane_bits()));
  return fmt::format("ricochet {}: {}", version, fmt::join(parts, ", "));
}

// One verb with its options and what it does.
struct Verb {
  CLI::App* app;
  std::function<int()> call;
};

class CommandLine {
 public:
  CommandLine() : app_("Simulates mechanical systems whose parts hit each other or their stops.", "ricochet") {
    app_.set_version_flag("--version", version_text());
    app_.footer(program_examples);
    app_.require_subcommand(0, 1);
    add_run();
    add_check();
    add_modes();
    add_converge();
    add_compare();
    add_sweep();
    add_orbit();
    add_continue();
    add_report();
    add_playground();
    add_analyse();
    add_solve();
    add_list("gallery", "Lists the scenarios that come with it, or prints one", "the scenario to print",
             gallery_examples, gallery_, list_gallery);
    add_list("schemes", "Lists the schemes, or explains one", "the scheme to explain", schemes_examples, schemes_,
             list_schemes);
    add_list("solvers", "Lists the solvers of contact problems, or explains one", "the solver to explain",
             solvers_examples, solvers_, list_solvers);
    add_help();
    add_completion();
  }

  int call(int argc, char** argv) {
    if (argc < 2) throw UsageError(command_needed());
    // Asked by a shell while one types: the words behind `ricochet complete`, the last one unfinished.
    if (argv[1] == std::string_view("complete")) {
      print(completions(described_verbs(), {argv + 2, argv + argc}));
      return done;
    }
    check_verb(argv[1]);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForVersion& request) {
      print(std::string(request.what()) + "\n");
      return done;
    } catch (const CLI::CallForHelp&) {
      print(app_.help());  // of the verb, if one was given
      return done;
    } catch (const CLI::ParseError& error) {
      throw UsageError(error.what());
    }
    for (const Verb& verb : verbs_)
      if (verb.app->parsed()) {
        check_rest(*verb.app);
        return verb.call();
      }
    check_rest(app_);
    throw UsageError(command_needed());
  }

 private:
  static void need(const std::string& given, const std::string& verb, const char* what, const char* example) {
    if (given.empty())
      throw UsageError(
          fmt::format("{0} needs {1}, such as ricochet {0} {2}; ricochet {0} --help says more", verb, what, example));
  }

  static void add_text(CLI::App* verb, const char* name, std::optional<std::string>& value, const char* about,
                       const char* type) {
    verb->add_option(name, value, about)->type_name(type);
  }
  static void add_json(CLI::App* verb, ScenarioOptions& options) {
    verb->add_flag("--json", options.json, "print one JSON object");
  }

  CLI::App* add_verb(const char* name, const char* about, ScenarioOptions& options) {
    CLI::App* verb = app_.add_subcommand(name, about);
    verb->add_option("SCENARIO", options.scenario, "a scenario file, or gallery:NAME")->type_name("");
    verb->add_option("--set", options.set, "set any key of the scenario by its dotted path; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    verb->add_option("--files", options.files,
                     "a folder that the scenario may read files from, besides its own; may be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
    return verb;
  }

  CLI::App* add_scheme_verb(const char* name, const char* about, SchemeOptions& options) {
    CLI::App* verb = add_verb(name, about, options);
    add_text(verb, "--scheme", options.scheme, "another scheme, with its default parameters", "NAME");
    add_text(verb, "--step", options.step, "another step", "H");
    return verb;
  }

  void add_run() {
    CLI::App* verb = add_scheme_verb("run", "Runs a scenario and writes its result", run_);
    add_text(verb, "--until", run_.until, "another end of the run", "T");
    add_text(verb, "-o,--output", run_.output, "the result file; its ending .h5, .csv or .npz decides the format",
             "FILE");
    add_text(verb, "--report", run_.report, "also write a page to look at", "FILE.html");
    verb->add_flag("--no-output", run_.no_output, "write no result file");
    add_text(verb, "--dump-problems", run_.dump_problems,
             "also write the N hardest contact problems as FCLIB files, which solve reads", "N");
    add_json(verb, run_);
    finish(verb, run_examples, run_, "gallery:bouncing-ball", run);
  }

  void add_check() {
    CLI::App* verb = add_scheme_verb("check", "Says whether a problem is well posed", check_);
    add_json(verb, check_);
    finish(verb, check_examples, check_, "gallery:corner", check);
  }

  void add_modes() {
    CLI::App* verb = add_verb("modes", "Natural frequencies, damping ratios and shapes of small motions", modes_);
    add_text(verb, "--about", modes_.about, "the state: rest (the start, at rest), start, or equilibrium", "STATE");
    add_text(verb, "--closed", modes_.closed, "constraints that are held closed; all are open by default", "A,B");
    add_text(verb, "--number", modes_.number, "how many modes, the lowest first; all, at most 10, by default", "N");
    add_text(verb, "-o,--output", modes_.output, "write a table with the shapes", "FILE.csv");
    add_text(verb, "--svg", modes_.svg, "draw the shapes", "FILE.svg");
    add_json(verb, modes_);
    finish(verb, modes_examples, modes_, "gallery:beam-pendulum", modes);
  }

  CLI::App* add_study(const char* name, const char* about, StudyOptions& options) {
    CLI::App* verb = add_verb(name, about, options);
    add_text(verb, "--schemes", options.schemes, "schemes, with parameters: moreau-jean:theta=1,moreau", "A,B");
    add_text(verb, "--steps", options.steps, "steps, or the largest and how many, each half of the one before",
             "H1,H2 or H:N");
    add_text(verb, "--window", options.window, "the part of the run that is compared", "FROM:UNTIL");
    add_text(verb, "--reference", options.reference, "exact, event-driven, mannshardt, or a result file", "WHAT");
    add_text(verb, "--phases", options.phases, "average over so many grids with steps close to each other", "N");
    add_text(verb, "--threads", options.threads, "threads to use; all cores by default", "N");
    add_text(verb, "-o,--output", options.output, "write the numbers to an HDF5 file", "FILE.h5");
    add_text(verb, "--report", options.report, "write a page to look at", "FILE.html");
    add_json(verb, options);
    return verb;
  }

  void add_converge() {
    CLI::App* verb = add_study("converge", "Measures errors over a range of steps and fits orders", converge_);
    verb->add_flag("--local", converge_.local, "errors of one step, against the phase of the impact in it");
    finish(verb, converge_examples, converge_, "gallery:lecture-ball", converge);
  }

  void add_compare() {
    CLI::App* verb = add_study("compare", "Work and precision of many schemes on one problem", compare_);
    add_text(verb, "--tolerances", compare_.tolerances, "of schemes that choose their steps", "R1,R2");
    add_text(verb, "--accuracy", compare_.accuracy, "wanted error of q, relative to its size; 1e-3 by default", "E");
    add_text(verb, "--period", compare_.period, "of the load, a number or a formula of the parameters", "T");
    verb->add_flag("--suite", compare_.suite, "the benchmark suite in place of a scenario");
    verb->add_flag("--markdown", compare_.markdown, "print the tables as Markdown");
    finish(verb, compare_examples, [this] {
      if (compare_.suite && !compare_.scenario.empty())
        throw UsageError("compare takes a scenario or --suite, not both");
      if (!compare_.suite) need(compare_.scenario, "compare", "a scenario", "gallery:impact-oscillator, or --suite");
      return compare(compare_);
    });
  }

  void add_sweep() {
    CLI::App* verb = add_verb("sweep", "Runs a scenario for many values of its parameters", sweep_);
    add_text(verb, "-o,--output", sweep_.output, "the result file", "FILE.h5");
    add_text(verb, "--csv", sweep_.csv, "also write the points, or the statistics, as CSV", "FILE.csv");
    add_text(verb, "--report", sweep_.report, "also write a page to look at", "FILE.html");
    add_text(verb, "--threads", sweep_.threads, "threads to use; all cores by default, 1 a process under mpirun", "N");
    add_text(verb, "--lanes", sweep_.lanes, "trajectories side by side in a thread: 8, or 1", "N");
    verb->add_flag("--restart", sweep_.restart, "drop the trajectories that an earlier sweep has left");
    add_json(verb, sweep_);
    finish(verb, sweep_examples, [this] {
      if (sweep_.scenario.empty())
        throw UsageError("sweep needs a scenario with a [sweep] table; ricochet sweep --help says more");
      return sweep(sweep_);
    });
  }

  void add_orbit_files(CLI::App* verb, OrbitOptions& options) {
    add_text(verb, "-o,--output", options.output, "write the numbers to an HDF5 file", "FILE.h5");
    add_text(verb, "--report", options.report, "write a page to look at", "FILE.html");
    add_json(verb, options);
  }

  void add_orbit() {
    CLI::App* verb = add_verb("orbit", "Finds the periodic orbit of a scenario, and whether it is stable", orbit_);
    add_orbit_files(verb, orbit_);
    finish(verb, orbit_examples, orbit_, "gallery:periodic-orbit", orbit);
  }

  void add_continue() {
    CLI::App* verb = add_verb("continue", "Follows a periodic orbit along a parameter", continue_);
    add_text(verb, "--along", continue_.along, "the key to change, and between which values", "KEY=FROM:UNTIL");
    add_text(verb, "--second", continue_.second, "a second key: curves of folds, flips and grazing in both",
             "KEY=FROM:UNTIL");
    verb->add_flag("--branches", continue_.branches, "follow the orbits that begin at flips and at grazing too");
    add_text(verb, "--csv", continue_.csv, "also write all points, of curves with --second, as CSV", "FILE.csv");
    add_text(verb, "--sweep", continue_.sweep, "the result of a sweep over the same key, drawn behind the branches",
             "FILE.h5");
    verb->add_flag("--restart", continue_.restart, "drop the steps that an earlier run with the same -o has left");
    add_orbit_files(verb, continue_);
    finish(verb, continue_examples, continue_, "gallery:periodic-orbit --along model.parameters.w=2:2.4",
           continue_orbits);
  }

  void add_report() {
    CLI::App* verb = app_.add_subcommand("report", "Makes the page of a result file");
    verb->add_option("RESULT", report_.result, "a result file: .h5, .npz or .csv")->type_name("");
    add_text(verb, "-o,--output", report_.output, "the page", "FILE.html");
    add_text(verb, "--svg", report_.svg, "also one picture for papers", "FILE.svg");
    verb->add_flag("--live", report_.live, "a run that can be changed in the page, which carries the program");
    finish(verb, report_examples, [this] {
      need(report_.result, "report", "a result file", "ball.h5");
      return report(report_);
    });
  }

  void add_playground() {
    CLI::App* verb = app_.add_subcommand("playground", "Writes a page that carries the program: change and see");
    verb->add_option("SCENARIO", playground_.scenario, "what it shows first: a scenario file, or gallery:NAME")
        ->type_name("");
    add_text(verb, "-o,--output", playground_.output, "the page, playground.html by default", "FILE.html");
    finish(verb, playground_examples, [this] { return playground(playground_); });
  }

  void add_analyse() {
    CLI::App* verb = app_.add_subcommand("analyse", "Impact rates, forces, wear and spectra of a result");
    verb->add_option("RESULT", analyse_.result, "a result file: .h5, .npz or .csv")->type_name("");
    add_text(verb, "--quantity", analyse_.quantity, "columns by name; coordinates, observations and outputs by default",
             "A,B");
    add_text(verb, "--window", analyse_.window, "the part of the run that is analysed", "FROM:UNTIL");
    add_text(verb, "--force-window", analyse_.force_window, "the time over which peak forces are means", "W");
    add_text(verb, "--segment", analyse_.segment, "samples of a segment of the spectra, a power of two", "N");
    add_text(verb, "--overlap", analyse_.overlap, "of segments, 0.5 by default", "SHARE");
    add_text(verb, "--bins", analyse_.bins, "of the distributions, 20 by default", "N");
    add_text(verb, "--csv", analyse_.csv, "write tables STEM.contacts.csv, STEM.spectrum.csv, …", "STEM");
    add_text(verb, "--svg", analyse_.svg, "write a picture", "FILE.svg");
    add_text(verb, "--report", analyse_.report, "write a page to look at", "FILE.html");
    verb->add_flag("--json", analyse_.json, "print one JSON object");
    finish(verb, analyse_examples, [this] {
      need(analyse_.result, "analyse", "a result file", "tube.h5");
      return analyse(analyse_);
    });
  }

  void add_solve() {
    CLI::App* verb = app_.add_subcommand("solve", "Solves a contact problem in FCLIB's format");
    verb->add_option("PROBLEM", solve_.problem, "an HDF5 file with a group fclib_local or fclib_global")->type_name("");
    add_text(verb, "--solver", solve_.solver, "another solver; ricochet solvers lists them", "NAME");
    add_text(verb, "--tolerance", solve_.tolerance, "largest accepted residual; the solver's own by default", "R");
    add_text(verb, "--max-iterations", solve_.max_iterations, "the solver's own by default", "N");
    add_text(verb, "-o,--output", solve_.output, "write the problem with its solution", "FILE.hdf5");
    verb->add_flag("--json", solve_.json, "print one JSON object");
    finish(verb, solve_examples, [this] {
      need(solve_.problem, "solve", "a problem", "pile.hdf5");
      return solve(solve_);
    });
  }

  void add_list(const char* name, const char* about, const char* argument, const char* examples, ListOptions& options,
                std::string (*list)(const std::string&, bool)) {
    CLI::App* verb = app_.add_subcommand(name, about);
    verb->add_option("NAME", options.name, argument)->type_name("");
    verb->add_flag("--json", options.json, "print JSON");
    finish(verb, examples, [&options, list] {
      print(list(options.name, options.json));
      return done;
    });
  }

  void add_help() {
    CLI::App* verb = app_.add_subcommand("help", "Explains a command");
    verb->add_option("COMMAND", help_.name, "the command to explain; all of them by default")->type_name("");
    verb->add_flag("--man", help_.man, "as a page of the manual");
    finish(verb, help_examples, [this] {
      if (!help_.name.empty()) check_verb(help_.name);
      const CLI::App* about = help_.name.empty() ? &app_ : app_.get_subcommand(help_.name);
      const std::string name = help_.name.empty() ? "ricochet" : "ricochet " + help_.name;
      print(help_.man ? man_page(described(*about), described_verbs())
                      : about->get_formatter()->make_help(about, name, CLI::AppFormatMode::Normal));
      return done;
    });
  }

  void add_completion() {
    CLI::App* verb = app_.add_subcommand("completion", "Prints what makes a shell complete");
    verb->add_option("SHELL", shell_, "bash, zsh or fish")->type_name("");
    finish(verb, completion_examples, [this] {
      need(shell_, "completion", "a shell", "bash");
      print(completion_script(shell_));
      return done;
    });
  }

  // A command as data, from what the parser knows of it.
  Command described(const CLI::App& app) const {
    std::string more = app.get_footer();
    more.erase(0, more.find_first_not_of('\n'));
    Command command = {&app == &app_ ? "" : app.get_name(), app.get_description(), more};
    for (const CLI::Option* option : app.get_options({})) {
      CommandOption row = {
          {}, option->get_items_expected_max() > 0 ? option->get_type_name() : "", option->get_description()};
      for (const std::string& name : option->get_snames()) row.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) row.names.push_back("--" + name);
      const bool argument = row.names.empty();
      if (argument) row.names.push_back(option->get_single_name());
      (argument ? command.arguments : command.options).push_back(std::move(row));
    }
    return command;
  }
  std::vector<Command> described_verbs() const {
    std::vector<Command> commands;
    for (const Verb& verb : verbs_) commands.push_back(described(*verb.app));
    return commands;
  }

  // A verb that needs a scenario, such as `example`.
  template <class Options>
  void finish(CLI::App* verb, const char* examples, const Options& options, const char* example,
              int (*function)(const Options&)) {
    finish(verb, examples, [=, &options] {
      need(options.scenario, verb->get_name(), "a scenario", example);
      return function(options);
    });
  }
  void finish(CLI::App* verb, const char* examples, std::function<int()> call) {
    verb->footer(examples);
    verb->allow_extras();  // refused in check_rest, with the nearest word
    verbs_.push_back({verb, std::move(call)});
  }

  std::vector<std::string> verb_names() const {
    std::vector<std::string> names;
    for (const Verb& verb : verbs_) names.push_back(verb.app->get_name());
    return names;
  }
  std::string command_needed() const {
    return fmt::format("a command is needed: ricochet {}; ricochet --help says more", fmt::join(verb_names(), ", "));
  }

  void check_verb(const std::string& word) const {
    if (word.empty() || word[0] == '-') return;
    const std::vector<std::string> names = verb_names();
    if (std::find(names.begin(), names.end(), word) == names.end()) refuse("command", word, names);
  }

  // What no option took.
  static void check_rest(const CLI::App& app) {
    const std::vector<std::string> rest = app.remaining();
    if (rest.empty()) return;
    const std::string& word = rest.front();
    if (word.size() < 2 || word[0] != '-') throw UsageError(fmt::format("'{}' is one argument too many", word));
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options({})) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    refuse("option", word.substr(0, word.find('=')), names);
  }

  [[noreturn]] static void refuse(const char* what, const std::string& word, const std::vector<std::string>& known) {
    const std::string_view near = nearest(word, known);
    throw UsageError(fmt::format(
        "unknown {} '{}'; {}", what, word,
        near.empty() ? fmt::format("known: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near)));
  }

  CLI::App app_;
  std::vector<Verb> verbs_;
  RunOptions run_;
  SchemeOptions check_;
  ModesOptions modes_;
  ConvergeOptions converge_;
  CompareOptions compare_;
  SweepOptions sweep_;
  OrbitOptions orbit_, continue_;
  ReportOptions report_;
  PlaygroundOptions playground_;
  AnalyseOptions analyse_;
  SolveOptions solve_;
  ListOptions gallery_, schemes_, solvers_;
  struct {
    std::string name;
    bool man = false;
  } help_;
  std::string shell_;
};

int complain(int code, std::string_view message) {
  print_error(fmt::format("error: {}\n", message));
  return code;
}

int guarded(int argc, char** argv) {
  try {
    CommandLine command_line;
    const int code = command_line.call(argc, argv);
    flush();
    return code;
  } catch (const OutputError& error) {
    return complain(failed, error.what());
  } catch (const InterruptedError& error) {
    return complain(failed, error.what());
  } catch (const WriteError& error) {
    return complain(failed, error.what());
  } catch (const Error& error) {
    return complain(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return complain(failed, "there is not enough memory for this");
  } catch (const std::exception& error) {
    return complain(failed, fmt::format("unexpected: {}", error.what()));
  }
}

}  // namespace

}  // namespace ricochet::cli

int main(int argc, char** argv) {
  ricochet::cli::guard_standard_streams();
  return ricochet::cli::guarded(argc, argv);
}
