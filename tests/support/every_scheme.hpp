// Suites that run on every scheme of the catalogue.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace ricochet::testing {

inline std::vector<const SchemeEntry*> entries() {
  std::vector<const SchemeEntry*> all;
  for (const SchemeEntry& entry : catalogue()) all.push_back(&entry);
  return all;
}

inline std::string entry_name(const ::testing::TestParamInfo<const SchemeEntry*>& instance) {
  std::string name(instance.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

}  // namespace ricochet::testing
