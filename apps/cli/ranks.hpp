// The processes that mpirun has started together.
//
// MPI is found at build time or left out; it is begun only under mpirun, and only by commands that share their work.
#pragma once

#include <memory>

#include "ricochet/task/sweep.hpp"

namespace ricochet::cli {

// Whether the program was built with MPI.
bool built_with_mpi();

// How many processes were started together and which of them this is, by the environment; 1 and 0 without mpirun.
int started_processes();
int started_rank();

// Nothing if this process is alone. Throws Error if it is not, but the program was built without MPI. The end of its
// life waits for the others.
std::unique_ptr<SweepRanks> join_ranks();

}  // namespace ricochet::cli
