// The one time loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "ricochet/model/model.hpp"
#include "ricochet/run/outputs.hpp"
#include "ricochet/run/solution.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct RunSettings {
  double h = 0.0;                       // largest step; the grid is even and ends exactly
  std::uint64_t record_every = 1;       // every so many steps, and always the first and the last; 0: only those
  bool record_impacts = false;          // also the states before and after impacts that are located, unless it is 0
  bool keep = true;                     // keep the trajectory and all impacts in the Solution
  bool account = true;                  // false: nobody looks at the energy account, which is then not right
  ComplementaritySettings solver = {};  // of the contact problems
  const std::atomic<bool>* interrupt = nullptr;  // set it to end the run cleanly
  std::shared_ptr<const Outputs> outputs = nullptr;
};

// The number of even steps of at most h over the span. Throws InputError for a bad step or span.
std::uint64_t step_count(TimeSpan span, double h);

// Throws InputError for input that cannot be run (start inside an obstacle, mass not positive definite, …).
Solution simulate(const Model& model, State start, TimeSpan span, const Scheme& scheme, const RunSettings& settings,
                  Observer* observer = nullptr);

}  // namespace ricochet
