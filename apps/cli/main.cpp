// The command line: arguments to options, errors to sentences and exit codes. The only file that includes CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <new>

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

constexpr const char* run_examples = R"(
Examples:
  ricochet run ball.toml                                  result in ball.h5
  ricochet run gallery:bouncing-ball -o ball.csv          a scenario that comes with it
  ricochet run ball.toml --until 10 --step 1e-4
  ricochet run ball.toml --set model.parameters.g=1.62 --set model.constraint.floor.restitution=0.5
  ricochet run ball.toml --scheme moreau-jean --set scheme.theta=1
  ricochet run ball.toml --json --no-output               numbers for another program
  ricochet run stack.toml --dump-problems 3               stack-problem-1.hdf5, … beside the result

Exit codes: 0 done; 2 bad usage or scenario; 3 the run failed or was interrupted, the result so far is written.)";

constexpr const char* check_examples = R"(
Looks whether the problem is well posed: mass, start, gradients of the gaps, kinetic angles between constraints that can
be closed together, restitution, formulas with kinks, stiffness against the step. Runs nothing that is kept.

Examples:
  ricochet check ball.toml                                findings with numbers, then the verdict
  ricochet check gallery:corner --set model.constraint.wall.restitution=0
  ricochet check ball.toml --scheme moreau --step 0.1     is that step stable?
  ricochet check ball.toml --json                         continuous_dependence is true, false or null

Exit codes: 0 a verdict was reached, good or bad; 2 bad usage or scenario.)";

constexpr const char* report_examples = R"(
One HTML file that needs no network: time histories, phase portrait, contacts, energy account, impacts, animation.

Examples:
  ricochet report ball.h5                                 page in ball.html
  ricochet report ball.npz -o pages/ball.html             CSV and NPZ results do as well
  ricochet report ball.h5 --svg ball.svg                  also one picture for a paper
  ricochet report study.h5                                what sweep, converge and compare wrote with -o
  ricochet run ball.toml --report ball.html               run and page at once)";

constexpr const char* converge_examples = R"(
Runs schemes over a range of steps, measures their errors against the known answer, a computed reference or a result
file, and fits orders: sup, L1 and L2 of q, L1 and L2 of v, Hausdorff distance of the graphs of v, energy.

Examples:
  ricochet converge gallery:lecture-ball --schemes moreau-jean,moreau --steps 0.04:5 --window 0:1.6
  ricochet converge gallery:impact-oscillator --schemes moreau-jean:theta=1,mannshardt:tableau=gauss-3
  ricochet converge ball.toml --steps 1e-2,5e-3,2.5e-3 --reference event-driven --json
  ricochet converge gallery:lecture-ball --local --steps 0.01:4      one step across an impact, by its phase

Exit codes: 0 done; 2 bad usage or scenario; 3 interrupted.)";

constexpr const char* compare_examples = R"(
Error against CPU time, steps and force evaluations for all schemes that take the problem, and a recommendation drawn
from the data. Where motion is chaotic, means and distributions of impacts are compared.

Examples:
  ricochet compare gallery:impact-oscillator
  ricochet compare ball.toml --schemes moreau-jean,event-driven --accuracy 1e-4
  ricochet compare ball.toml --steps 0.01:6 --tolerances 1e-3,1e-6,1e-9 -o work.h5
  ricochet compare gallery:chaotic-oscillator --period 2*pi/w        phases of the impacts in the period of the load
  ricochet compare --suite                                           the benchmark suite

Exit codes: 0 done; 2 bad usage or scenario; 3 interrupted.)";

constexpr const char* sweep_examples = R"(
Runs the trajectories of the scenario's [sweep] table: parameter scans, bifurcation diagrams, basins of attraction.
What is finished is kept in FILE.h5.journal until the result is complete: after a kill, a full disk or Ctrl-C the same
command goes on from there. The result has the same bytes for any number of threads, lanes and processes.

Examples:
  ricochet sweep oscillator.toml                          result in oscillator.h5
  ricochet sweep oscillator.toml -o scan.h5 --csv scan.csv --report scan.html
  ricochet sweep oscillator.toml --set sweep.duration=50  with one value changed
  ricochet sweep oscillator.toml --restart                drops what an earlier sweep has left
  mpirun -n 4 ricochet sweep oscillator.toml              four processes, also on several machines

Exit codes: 0 done, also if some trajectories failed; 2 bad usage or scenario; 3 interrupted, or all of them failed.)";

constexpr const char* analyse_examples = R"(
What a result says about its contacts: impacts a second, how their speeds and impulses are distributed, the share of
time in contact, mean and peak forces, the work that impacts and friction take a second (wear). And about any of its
quantities: mean, RMS, extremes, crest factor, power spectral density (Welch: Hann's window, half overlapping segments),
spectrogram and envelope.

Examples:
  ricochet analyse tube.h5                                tables for reading
  ricochet analyse tube.h5 --window 1:10 --force-window 1e-4
  ricochet analyse tube.h5 --quantity tip,support.gap --segment 4096 --svg tube.svg
  ricochet analyse tube.h5 --csv tube                     tube.contacts.csv, tube.spectrum.csv, …
  ricochet analyse tube.h5 --json                         numbers for another program

Exit codes: 0 done; 2 bad usage or file.)";

constexpr const char* solve_examples = R"(
Solves one contact problem with Coulomb friction, given in FCLIB's format: u = W r + q, or M v = f + H r, u = Hᵀ v + w.
The residual is the largest distance from Coulomb's law of a contact, scaled to unit diagonal, relative to the largest
entry of q.

Examples:
  ricochet solve pile.hdf5                                residual, iterations, time
  ricochet solve pile.hdf5 -o solved.hdf5                 the problem with its solution, as FCLIB
  ricochet solve pile.hdf5 --solver gauss-seidel --tolerance 1e-8
  ricochet solve pile.hdf5 --json                         numbers for another program

Exit codes: 0 solved; 2 bad usage or file; 3 not solved, the best that was found is written.)";

constexpr const char* gallery_examples = R"(
Examples:
  ricochet gallery                                        what there is
  ricochet gallery bouncing-ball > ball.toml              a file to begin with
  ricochet gallery ground-motion.csv > ground-motion.csv  a file that a scenario names
  ricochet run gallery:bouncing-ball)";

constexpr const char* schemes_examples = R"(
Examples:
  ricochet schemes                                        what there is
  ricochet schemes moreau-jean                            its order, parameters and reference
  ricochet schemes --json)";

constexpr const char* solvers_examples = R"(
Examples:
  ricochet solvers                                        what there is
  ricochet solvers active-set                             what it is good for, its reference
  ricochet run ball.toml --set solver.name=lemke)";

constexpr const char* help_examples = R"(
Examples:
  ricochet help run                                       the same as ricochet run --help
  ricochet help run --man | man -l -                      as a page of the manual)";

constexpr const char* completion_examples = R"(
Prints what makes a shell complete commands, options, schemes, scenarios of the gallery and keys after --set. A package
that is installed has it already.

Examples:
  ricochet completion bash > ~/.local/share/bash-completion/completions/ricochet
  ricochet completion zsh > "${fpath[1]}/_ricochet"
  ricochet completion fish > ~/.config/fish/completions/ricochet.fish)";

constexpr const char* program_examples = R"(
Examples:
  ricochet run gallery:bouncing-ball                      runs a scenario that comes with it
  ricochet check gallery:corner                           is the problem well posed?
  ricochet gallery bouncing-ball > ball.toml              prints it as a file to begin with
  ricochet run ball.toml --set model.parameters.g=1.62    runs a file, with one value changed
  ricochet run --help                                     all about a command)";

constexpr const char* command_needed =
    "a command is needed: ricochet run, check, converge, compare, sweep, report, analyse, solve, gallery, schemes, "
    "solvers, help or completion; ricochet --help says more";

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
    add_converge();
    add_compare();
    add_sweep();
    add_report();
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
    if (argc < 2) throw UsageError(command_needed);
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
    throw UsageError(command_needed);
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

  void add_report() {
    CLI::App* verb = app_.add_subcommand("report", "Makes the page of a result file");
    verb->add_option("RESULT", report_.result, "a result file: .h5, .npz or .csv")->type_name("");
    add_text(verb, "-o,--output", report_.output, "the page", "FILE.html");
    add_text(verb, "--svg", report_.svg, "also one picture for papers", "FILE.svg");
    finish(verb, report_examples, [this] {
      need(report_.result, "report", "a result file", "ball.h5");
      return report(report_);
    });
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

  void check_verb(const std::string& word) const {
    if (word.empty() || word[0] == '-') return;
    std::vector<std::string> names;
    for (const Verb& verb : verbs_) names.push_back(verb.app->get_name());
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
  ConvergeOptions converge_;
  CompareOptions compare_;
  SweepOptions sweep_;
  ReportOptions report_;
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
