// Counts allocations: for test programs of their own, *_allocation_test.cpp.
#pragma once

namespace ricochet::testing {

long allocations();  // by this thread so far

}  // namespace ricochet::testing
