// ricochet orbit and ricochet continue: from a scenario to an orbit, and to branches of orbits. See docs/orbits.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/run/outputs.hpp"
#include "ricochet/study/special_curves.hpp"

namespace ricochet {

struct ContinueOutcome;

struct OrbitRequest {
  const std::atomic<bool>* interrupt = nullptr;  // set it to end cleanly
  std::function<void()> begin = {};              // called when all is built
  // Of `continue`: steps are kept in a journal beside this result until `deliver` has written it, and taken from it
  // when the same command is run again; `restart` drops them. Empty: none is kept.
  std::filesystem::path output = {};
  bool restart = false;
  bool motions = false;              // one period of each orbit too, to be shown
  std::filesystem::path sweep = {};  // the result of a sweep along the same key, to be shown behind the branches
  std::function<void(const ContinueOutcome&)> deliver = {};
};

// What both know of their scenario.
struct OrbitHeader {
  std::string title;
  std::vector<std::string> coordinates, states, constraints, frictions;
  double load_period = 0.0;  // NaN: nothing depends on time
  double seconds = 0.0;
  bool interrupted = false;
  std::vector<Display> display = {};  // units and labels
};

struct OrbitOutcome : OrbitHeader {
  OrbitSearch search;
  std::vector<State> motion;  // one period, even in each arc
};

struct ContinueOutcome : OrbitHeader {
  std::string key, name;           // of the parameter
  double from = 0.0, until = 0.0;  // its range
  OrbitSearch start;               // where it began, or why there was no orbit
  Continuation continuation;
  std::string second_key = {}, second_name = {};  // of a second parameter; empty: there is none
  double second_from = 0.0, second_until = 0.0;   // its range
  std::vector<OrbitCurve> curves = {};
  // Of each branch, of each of its points: one period in phase space, and points of a sweep behind them, by coordinate.
  std::vector<std::vector<std::vector<State>>> motions = {};
  std::vector<double> swept = {};                           // values of the parameter
  std::vector<std::vector<double>> swept_coordinates = {};  // a coordinate each; empty: not swept
  std::uint64_t resumed = 0;                                // steps that were taken over from before
  std::filesystem::path journal = {};                       // of what was interrupted
};

// Both throw ScenarioError for what cannot be run. continue_scenario() throws InputError ("--sweep"), before it begins,
// for a file that is no such sweep. The journal of an interrupted one stays.
OrbitOutcome orbit_scenario(const ScenarioFile& file, const OrbitRequest& request);
ContinueOutcome continue_scenario(const ScenarioFile& file, const OrbitRequest& request);

}  // namespace ricochet
