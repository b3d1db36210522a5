#include "ricochet/task/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <sstream>
#include <thread>

#include "io/result/sweep_journal.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "ricochet/study/attractors.hpp"
#include "ricochet/task/run.hpp"
#include "scenario/build/outputs.hpp"
#include "task/digested_files.hpp"
#include "task/sweep_work.hpp"

namespace ricochet {

namespace {

constexpr std::size_t failures_told = 10;

// The sweep as every process builds it.
class Prepared {
 public:
  explicit Prepared(const ScenarioFile& file) : files_(file.files(), digest_), sweep_(built(file)) {
    files_.stop_watching();
    digest_.add(std::string_view(version));
    digest_.add(std::string_view(write_scenario(file.scenario())));
    digest_.add(sweep_.plan.most());
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  BuiltSweep& sweep() { return sweep_; }
  const BuiltSweep& sweep() const { return sweep_; }
  std::uint64_t digest() const { return digest_.value(); }

 private:
  BuiltSweep built(const ScenarioFile& file) {
    try {
      return build_sweep(file.scenario(), file.files() != nullptr ? &files_ : nullptr);
    } catch (const InputError& error) {
      throw file.located(error);
    }
  }

  Digest digest_;
  DigestedFiles files_;
  BuiltSweep sweep_;
};

void check_lanes(int lanes) {
  if (lanes != 1 && lanes != lane_count)
    throw InputError("--lanes", fmt::format("must be 1 or {}, got {}", lane_count, lanes));
}

// All must have read the same sweep, and none may have met an error: then all end.
void agree(SweepRanks& ranks, std::uint64_t digest) {
  const std::vector<RankWord> all = ranks.exchange({true, fmt::format("sweep {:016x}", digest)});
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank].ready) throw Error(fmt::format("rank {}: {}", rank, all[rank].text));
    if (all[rank].text != all[0].text)
      throw Error(fmt::format("rank {} reads another scenario, or is another version of ricochet, than rank 0", rank));
  }
}

SweepFileHeader header_of(const ScenarioFile& file, const BuiltSweep& sweep, const SweepPlan::Listing& listing,
                          const SweepJournal& journal) {
  SweepFileHeader header;
  header.texts = result_header(file.scenario().title, file.text(), file.scenario().scheme, sweep.layout);
  header.texts.display = display_of(file.scenario());
  header.record = sweep.record;
  header.axes = listing.axes;
  header.shape = listing.shape;
  header.refined = !listing.levels.empty();
  header.both_directions = sweep.plan.both_directions();
  header.columns = sweep.columns;
  if (sweep.settings.record == SweepRecord::statistics) header.impulse_edges = sweep.settings.impulse_edges;
  header.lyapunov = sweep.settings.lyapunov;
  header.settles = sweep.settles;
  header.attractors = sweep.attractors;
  header.failures = journal.failed() > 0;
  header.trajectories = sweep.plan.count();
  header.rows = sweep.columns.points.empty() ? 0 : journal.point_values() / sweep.columns.points.size();
  return header;
}

// From the journal to the result, one trajectory at a time.
void write_result(const ScenarioFile& file, const BuiltSweep& sweep, SweepSink& sink, const SweepJournal& journal,
                  SweepOutcome& outcome) {
  std::optional<Attractors> attractors;
  if (sweep.attractors) attractors = attractors_of(sweep, [&](std::uint64_t i) { return journal.read(i); });
  const SweepPlan::Listing listing = sweep.plan.listing();
  const SweepFileHeader header = header_of(file, sweep, listing, journal);
  if (sweep.settles) outcome.settled = 0;
  sink.begin(header);
  for (std::uint64_t place = 0; place < listing.order.size(); ++place) {
    const std::uint64_t i = listing.order[place];
    SweepTrajectory trajectory = journal.read(i);
    trajectory.index = place;
    const std::vector<double> values = sweep.plan.values(i);
    if (trajectory.period == SweepTrajectory::not_settled) ++outcome.not_settled;
    if (std::isfinite(trajectory.settled_after)) ++*outcome.settled;
    sink.add(trajectory, values, attractors ? attractors->number(i) : Attractors::none,
             listing.levels.empty() ? 0 : listing.levels[place]);
    if (!trajectory.failure.empty() && outcome.failures.size() < failures_told)
      outcome.failures.push_back({place, values, trajectory.failure});
  }
  sink.commit();
  if (attractors) outcome.attractors = attractors->branches();
  outcome.points = header.rows;
  outcome.output = sink.output();
  outcome.csv = sink.csv();
}

// Rank 0, or the only process there is: the chains from `first` on.
void compute(BuiltSweep& sweep, const SweepRequest& request, SweepJournal& journal, std::uint64_t first) {
  const SweepPlan& plan = sweep.plan;
  JournalledWork work({.count = plan.chain_count(),
                       .at = [&plan](std::uint64_t chain) { return plan.chain(chain); },
                       .lead = [&plan](std::uint64_t chain) { return plan.lead(chain); },
                       .predecessor = [&plan](std::uint64_t trajectory) { return plan.predecessor(trajectory); },
                       .first = first},
                      plan.count(), journal, request.interrupt, request.progress);
  const auto run = [&] {
    try {
      ricochet::sweep(*sweep.cases, sweep.settings, work);
    } catch (...) {
      work.stop(std::current_exception());
    }
  };
  if (request.ranks == nullptr) {
    run();
  } else {
    std::thread own(run);
    HostedWork hosted(work);
    try {
      request.ranks->serve(hosted);
    } catch (...) {
      work.stop(std::current_exception());
    }
    own.join();
  }
  work.check();
}

// Generations as text for other ranks: the places of their nodes.
std::string text_of(const std::vector<Refinement::Place>& places) {
  std::string text;
  for (const Refinement::Place& place : places)
    for (const std::uint64_t x : place) text += fmt::format("{} ", x);
  return text;
}
std::vector<Refinement::Place> places_of(const std::string& text, std::size_t axes) {
  std::vector<Refinement::Place> places;
  std::istringstream input(text);
  for (Refinement::Place place(axes); true; places.push_back(place))
    for (std::uint64_t& x : place)
      if (!(input >> x)) return places;
}

// Whether all trajectories that are planned so far are there; after an interrupt it may hold later ones too.
bool is_complete(const SweepJournal& journal, const SweepPlan& plan) {
  if (journal.done() < plan.count()) return false;
  for (std::uint64_t i = 0; i < plan.count(); ++i)
    if (!journal.has(i)) return false;
  return true;
}

// All generations; false if it was interrupted. Other ranks hear of each, and of the end, which is empty.
bool compute_all(BuiltSweep& sweep, const SweepRequest& request, SweepJournal& journal) {
  const SweepPlan& plan = sweep.plan;
  const auto tell = [&](const std::vector<Refinement::Place>& places) {
    if (plan.refines() && request.ranks != nullptr) request.ranks->exchange({true, text_of(places)});
  };
  try {
    compute(sweep, request, journal, 0);
    if (!plan.refines()) return is_complete(journal, plan);
    SweepGrowth growth(sweep);
    while (is_complete(journal, plan) && !is_set(request.interrupt)) {
      const std::uint64_t first = plan.chain_count();
      const std::vector<Refinement::Place> places = growth.grow([&](std::uint64_t i) { return journal.read(i); });
      tell(places);
      if (places.empty()) return true;
      compute(sweep, request, journal, first);
    }
  } catch (...) {
    tell({});
    throw;
  }
  tell({});
  return false;
}

// Another rank.
void compute_remotely(BuiltSweep& sweep, const SweepRequest& request) {
  while (true) {
    std::string why;
    try {
      RemoteWork work(*request.ranks, request.interrupt);
      ricochet::sweep(*sweep.cases, sweep.settings, work);
    } catch (const std::exception& error) {
      why = error.what();
    }
    request.ranks->leave(why);
    if (!sweep.plan.refines()) return;
    const std::vector<RankWord> words = request.ranks->exchange({true, {}});
    const std::vector<Refinement::Place> places = places_of(words[0].text, sweep.plan.axes().size());
    if (places.empty()) return;
    sweep.plan.refinement().take(places);
  }
}

// What is known of a sweep before it is computed.
SweepOutcome outcome_of(const ScenarioFile& file, const BuiltSweep& sweep, const SweepRequest& request) {
  SweepOutcome outcome;
  outcome.title = file.scenario().title;
  outcome.scheme = file.scenario().scheme.name;
  outcome.record = sweep.record;
  for (const SweepAxis& axis : sweep.plan.axes()) outcome.axes.push_back(axis.name);
  outcome.trajectories = sweep.plan.count();
  outcome.threads = sweep.settings.threads;
  outcome.lanes = request.lanes;
  outcome.ranks = request.ranks != nullptr ? request.ranks->size() : 1;
  return outcome;
}

// Computes what the journal does not have yet, and writes the result once it has all.
void lead(const ScenarioFile& file, BuiltSweep& sweep, const SweepRequest& request, SweepJournal& journal,
          SweepOutcome& outcome) {
  outcome.resumed = journal.done();
  const bool is_done = compute_all(sweep, request, journal);
  outcome.done = journal.done();
  outcome.added = sweep.plan.count() - outcome.trajectories;
  outcome.trajectories = std::max(sweep.plan.count(), outcome.done);
  outcome.failed = journal.failed();
  outcome.steps = journal.steps();
  if (!is_done) {
    outcome.status = Status::interrupted;
    if (outcome.done > 0) outcome.journal = journal.path();
    return;
  }
  try {
    write_result(file, sweep, *request.sink, journal, outcome);
  } catch (const FileError& error) {
    throw WriteError(
        fmt::format("{}; all trajectories are kept in {}, and the same command writes the result from them",
                    error.what(), journal.path().string()));
  }
  journal.remove();
  if (outcome.failed == outcome.trajectories) outcome.status = Status::failed;
}

}  // namespace

SweepOutcome sweep_scenario(const ScenarioFile& file, const SweepRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_first = request.ranks == nullptr || request.ranks->rank() == 0;

  // What cannot work is refused by all before anything is computed.
  std::optional<Prepared> prepared;
  std::optional<SweepJournal> journal;
  try {
    prepared.emplace(file);
    if (request.begin) request.begin();
    if (is_first) {
      check_lanes(request.lanes);
      request.sink->check();
      journal.emplace(request.sink->output(), prepared->digest(), prepared->sweep().plan.most(), request.restart);
    }
  } catch (const std::exception& error) {
    if (request.ranks != nullptr) request.ranks->exchange({false, error.what()});
    throw;
  }
  if (request.ranks != nullptr) agree(*request.ranks, prepared->digest());

  BuiltSweep& sweep = prepared->sweep();
  sweep.settings.threads =
      request.threads > 0 ? request.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  sweep.settings.lanes = request.lanes;
  sweep.settings.interrupt = request.interrupt;
  SweepOutcome outcome = outcome_of(file, sweep, request);
  if (!is_first) {
    compute_remotely(sweep, request);
    return outcome;
  }
  lead(file, sweep, request, *journal, outcome);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace ricochet
