// What the engine does without: archives, which need zlib, results in HDF5, and lanes, which only sweeps use.
#include "io/attachment/attachment_formats.hpp"
#include "io/format/zip_reader.hpp"
#include "ricochet/core/error.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {

io::ZipReader::ZipReader(const InputBytes& file) : file_(file) { file.refuse("archives cannot be read in a page"); }
std::vector<std::string> io::ZipReader::names() const { return {}; }
std::string io::ZipReader::bytes(std::string_view) const { return {}; }
const io::ZipReader::Entry* io::ZipReader::find(std::string_view) const { return nullptr; }

NumberTable io::result_table(const std::filesystem::path&, const std::string& file, const std::string& field) {
  throw InputError(field, file + ": results cannot be read in a page");
}

std::unique_ptr<LaneStepper> make_kernel_lanes(const Mechanics<Lanes>&, const VelocityRule&,
                                               const ComplementaritySettings&) {
  return nullptr;
}

}  // namespace ricochet
