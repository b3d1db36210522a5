// Any bytes as a Matrix Market file: a sentence, or a matrix that holds together.
#include <cstddef>
#include <cstdint>

#include "io/format/text_lines.hpp"
#include "ricochet/core/error.hpp"
#include "support/matrix_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ricochet::io::MemoryBytes file({reinterpret_cast<const char*>(data), size}, "fuzz", "field");
  try {
    if (!ricochet::holds_together(ricochet::io::read_matrix_market(file))) __builtin_trap();
  } catch (const ricochet::InputError& error) {
    if (error.field() != "field") __builtin_trap();
  }
  return 0;
}
