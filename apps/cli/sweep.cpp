// ricochet sweep
#include "ricochet/task/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ranks.hpp"
#include "ricochet/present/run.hpp"
#include "ricochet/present/text.hpp"
#include "ricochet/report/page.hpp"
#include "shared.hpp"

namespace ricochet::cli {

namespace {

SweepRequest request_of(const SweepOptions& options) {
  SweepRequest request;
  if (options.csv && options.csv->empty()) throw InputError("--csv", "the name of the file is empty");
  if (options.threads) request.threads = parse_whole_number(*options.threads, "--threads", 1, 1024);
  if (options.lanes) request.lanes = parse_whole_number(*options.lanes, "--lanes", 1, lane_count);
  request.restart = options.restart;
  return request;
}

std::string place(const SweepOutcome& outcome, const SweepFailure& failure) {
  std::string text;
  for (std::size_t k = 0; k < outcome.axes.size(); ++k)
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", outcome.axes[k], readable(failure.values[k]));
  return text;
}

std::string attractor_table(const std::vector<AttractorSummary>& attractors) {
  constexpr std::size_t listed = 12;
  std::string text = fmt::format("  {} attractor{}\n", attractors.size(), attractors.size() == 1 ? "" : "s");
  for (std::size_t k = 0; k < std::min(listed, attractors.size()); ++k)
    text += fmt::format("    {}: {}, {} of the trajectories\n", k,
                        motion_words(attractors[k].period, attractors[k].impacts), attractors[k].trajectories);
  if (attractors.size() > listed) text += fmt::format("    and {} more\n", attractors.size() - listed);
  return text;
}

std::string summary(const SweepOutcome& outcome) {
  std::string text = fmt::format("{}\n", outcome.title.empty() ? "Scenario without a title" : outcome.title);
  // With one value there is nothing to sweep over.
  text += outcome.trajectories == 1
              ? fmt::format("  {}, section, {}\n", outcome.scheme, outcome.record)
              : fmt::format("  {}, {}, over {}\n", outcome.scheme, outcome.record, fmt::join(outcome.axes, ", "));
  text += fmt::format("  {} of {} trajectories in {:.3g} s", outcome.done, outcome.trajectories, outcome.seconds);
  if (outcome.resumed > 0) text += fmt::format(", {} of them taken over from before", outcome.resumed);
  if (outcome.added > 0) text += fmt::format(", {} of them added where neighbours differ", outcome.added);
  text += fmt::format("\n  {} steps", outcome.steps);
  if (outcome.points > 0) text += fmt::format(", {} points", outcome.points);
  if (outcome.failed > 0) text += fmt::format(", {} failed", outcome.failed);
  if (outcome.not_settled > 0) text += fmt::format(", {} not settled", outcome.not_settled);
  text += "\n";
  if (outcome.settled)
    text += fmt::format("  {} of {} transients ended when the motion had settled\n", *outcome.settled, outcome.done);
  if (outcome.attractors) text += attractor_table(*outcome.attractors);
  if (!outcome.output.empty()) text += fmt::format("  result  {}\n", outcome.output.string());
  if (!outcome.csv.empty()) text += fmt::format("  CSV     {}\n", outcome.csv.string());
  return text;
}

// What did not go as wanted.
void tell(const SweepOutcome& outcome) {
  if (!outcome.failures.empty()) {
    const SweepFailure& first = outcome.failures.front();
    print_error(fmt::format("{}: {} of {} trajectories failed; the first at {}: {}\n",
                            outcome.status == Status::failed ? "error" : "note", outcome.failed, outcome.trajectories,
                            place(outcome, first), first.message));
  }
  if (outcome.not_settled > 0 && outcome.status == Status::completed)
    print_error(fmt::format("note: {} of {} trajectories had not settled: a longer transient would tell their period\n",
                            outcome.not_settled, outcome.trajectories));
  if (outcome.points == 0 && outcome.record != "statistics" && outcome.status == Status::completed)
    print_error(fmt::format("note: there are no points: {} after the transient\n",
                            outcome.record == "impacts" ? "no trajectory has an impact"
                                                        : "no trajectory passes the section, or it is not a number,"));
  if (outcome.status == Status::interrupted)
    print_error(fmt::format(
        "error: interrupted with {} of {} trajectories done{}\n", outcome.done, outcome.trajectories,
        outcome.journal.empty()
            ? ""
            : "; they are kept in " + outcome.journal.string() + ", and the same command goes on from there"));
}

int lead(const ScenarioFile& file, const SweepOptions& options, SweepRequest& request) {
  ProgressLine progress("trajectories");
  std::optional<std::uint64_t> before;  // done by an earlier sweep: not part of the rate
  request.progress = [&](std::uint64_t done_now, std::uint64_t all, std::uint64_t) {
    if (!before) before = done_now - 1;
    progress.progress(done_now - *before, all - *before);
  };
  const SweepOutcome outcome = sweep_scenario(file, request);
  progress.clear();
  tell(outcome);
  print(options.json ? to_json(outcome, options.scenario) + "\n" : summary(outcome));
  if (options.report && !outcome.output.empty()) {
    write_sweep_page(outcome.output, *options.report);
    if (!options.json) print(fmt::format("  page    {}\n", *options.report));
  }
  return outcome.status == Status::completed ? done : failed;
}

}  // namespace

int sweep(const SweepOptions& options) {
  std::unique_ptr<SweepRanks> ranks;
  try {
    ranks = join_ranks();
  } catch (const Error&) {
    if (started_rank() != 0) return done;
    throw;
  }
  std::optional<ScenarioFile> file;
  SweepRequest request;
  try {
    const std::filesystem::path output = result_path(options.output, options.scenario);
    request = request_of(options);
    if (!ranks || ranks->rank() == 0) check_page(options.report);
    file.emplace(open_scenario(options.scenario, overrides_of(options)));
    RequestFiles files;
    files.writes_with_journal("-o", output);
    files.writes("--csv", options.csv.value_or(""));
    files.writes("--report", options.report.value_or(""));
    files.check(file->inputs());
    request.begin = [&file, files] {
      watch_interrupts();
      files.check(file->inputs());
    };
    request.sink = sweep_file_sink(output, options.csv.value_or(""));
  } catch (const std::exception& error) {
    if (ranks) ranks->exchange({false, error.what()});
    // Rank 0 speaks for all.
    if (ranks && ranks->rank() != 0) return done;
    throw;
  }
  request.ranks = ranks.get();
  request.interrupt = &interrupt_flag();
  // mpirun starts a process a core.
  if (ranks && !options.threads) request.threads = 1;
  if (!ranks || ranks->rank() == 0) return lead(*file, options, request);
  try {
    sweep_scenario(*file, request);
  } catch (const std::exception&) {  // rank 0 knows
  }
  return done;
}

}  // namespace ricochet::cli
