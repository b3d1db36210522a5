// What the engine does without: archives, which need zlib, and lanes, which only sweeps use.
#include "io/format/zip_reader.hpp"
#include "scheme/kernel/velocity_stepper.hpp"

namespace ricochet {

io::ZipReader::ZipReader(const InputBytes& file) : file_(file) { file.refuse("archives cannot be read in a page"); }
std::vector<std::string> io::ZipReader::names() const { return {}; }
std::string io::ZipReader::bytes(std::string_view) const { return {}; }
const io::ZipReader::Entry* io::ZipReader::find(std::string_view) const { return nullptr; }

std::unique_ptr<LaneStepper> make_velocity_lanes(const Mechanics<Lanes>&, const VelocityRule&,
                                                 const ComplementaritySettings&) {
  return nullptr;
}

}  // namespace ricochet
