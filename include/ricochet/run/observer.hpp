// Watches a run: writers, progress lines and tests are observers.
#pragma once

#include <cstdint>

#include "ricochet/run/solution.hpp"

namespace ricochet {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void record(const Sample&) {}
  virtual void impact(const Impact&) {}
  // Called some hundred times in a run, from the loop's thread.
  virtual void progress(std::uint64_t /*step*/, std::uint64_t /*steps*/) {}
};

}  // namespace ricochet
