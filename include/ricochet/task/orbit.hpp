// ricochet orbit and ricochet continue: from a scenario to an orbit, and to branches of orbits. See docs/orbits.md.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/run/outputs.hpp"
#include "ricochet/study/special_curves.hpp"

namespace ricochet {

struct OrbitRequest {
  const std::atomic<bool>* interrupt = nullptr;  // set it to end cleanly
  std::function<void()> begin = {};              // called when all is built
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
};

// Both throw ScenarioError for what cannot be run.
OrbitOutcome orbit_scenario(const ScenarioFile& file, const OrbitRequest& request);
ContinueOutcome continue_scenario(const ScenarioFile& file, const OrbitRequest& request);

}  // namespace ricochet
