// Any bytes as an NPZ or NPY file: a sentence, or a matrix that holds together.
#include <cstddef>
#include <cstdint>
#include <string>

#include "io/format/npz_reader.hpp"
#include "ricochet/core/error.hpp"
#include "support/matrix_check.hpp"

namespace {

using namespace ricochet;

template <class Read>
void check(const io::InputBytes& file, Read read) {
  try {
    if (!holds_together(read(file))) __builtin_trap();
  } catch (const InputError& error) {
    if (error.field() != "field") __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const io::MemoryBytes file({reinterpret_cast<const char*>(data), size}, "fuzz", "field");
  check(file, [](const io::InputBytes& f) { return io::read_npy_matrix(f); });
  for (const char* array : {"", "K"})
    check(file, [array](const io::InputBytes& f) { return io::read_npz_matrix(f, array); });
  try {
    io::read_npz_table(file, "K");
  } catch (const InputError&) {
    // Refused with a sentence.
  }
  return 0;
}
