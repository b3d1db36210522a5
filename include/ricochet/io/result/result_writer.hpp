// Result files: a run streams into HDF5, CSV or NPZ while it computes.
//
// A writer is an observer with a beginning and an end:
//
//     auto writer = open_result("ball.h5", header);                              // refuses now what cannot work later
//     auto solution = simulate(model, start, span, scheme, settings, writer.get());
//     writer->finish(solution);                                                  // the file appears under its name
//
// Memory does not grow with the number of samples or impacts. Until finish() the data live beside the target under a
// temporary name (docs/result-files.md), saved every few seconds; the target is only ever replaced whole, by a rename.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/run/outputs.hpp"

namespace ricochet {

// What a result file says about the run besides its data. The sizes nq, nz, nc, ns, nb follow from the names.
struct ResultHeader {
  std::string scenario_text;
  std::string version;
  std::string title;
  std::string scheme;
  std::vector<std::pair<std::string, std::string>> scheme_parameters;
  std::vector<std::string> coordinates, states, constraints, observations = {};
  std::vector<std::string> joints = {};  // the reactions of their rows: "pin.reaction.1"
  std::vector<std::string> slips = {};   // "floor.slip", in space "floor.slip.1" and "floor.slip.2"
  std::vector<std::string> outputs = {};
  std::vector<Display> display = {};  // units and labels
};

// Failing writes throw FileError out of any member; what reached the disk stays, and the message says where.
// A writer that is destroyed without finish() leaves its temporary file if anything was recorded.
class ResultWriter : public Observer {
 public:
  // Writes the closing data and puts the file under its name. To be called once, after the last record.
  virtual void finish(const Solution& solution) = 0;
  // Where the result will be. A link given to open_result is followed.
  virtual const std::filesystem::path& path() const = 0;
};

// The format follows from the ending: .h5 or .hdf5, .csv, .npz. Throws InputError for another one, FileError if the
// file cannot be created there.
std::unique_ptr<ResultWriter> open_result(const std::filesystem::path& path, const ResultHeader& header);

}  // namespace ricochet
