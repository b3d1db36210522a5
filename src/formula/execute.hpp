// Running the instructions of a tape.
#pragma once

#include <array>
#include <cstdint>

#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/tape.hpp"

namespace ricochet::formula {

// Operations have the numbers of their opcodes, less the two that calculate nothing; these come in addition.
constexpr std::uint16_t opcode(Operation operation) {
  return static_cast<std::uint16_t>(static_cast<int>(operation) - static_cast<int>(Operation::negate));
}
enum class Extra : std::uint16_t {
  multiply_add = opcode(Operation::select) + 1,  // a·b + c   (two roundings, as written)
  multiply_subtract,                             // a·b − c
  subtract_multiply,                             // c − a·b
  sincos,                                        // target = sin(a), b = cos(a)
  copy,
  end,
};
constexpr std::uint16_t opcode(Extra extra) { return static_cast<std::uint16_t>(extra); }

// Values lie in the frame; results that nobody reads again go straight to the outputs.
enum class Array : std::uint8_t { frame, outputs };
using Arrays = std::array<double*, 2>;

// The place of a value in its array, for an instruction.
inline constexpr std::uint32_t largest_index = (1u << 29) - 1;
constexpr std::uint32_t offset(std::uint32_t index) { return index * static_cast<std::uint32_t>(sizeof(double)); }

// Run until the end instruction: for doubles, and for Lanes with what every machine of this kind has
// or with AVX2. All give the same bits.
void execute(const Instruction* code, const Arrays& arrays);
void execute_lanes_baseline(const Instruction* code, const Arrays& arrays);
void execute_lanes_avx2(const Instruction* code, const Arrays& arrays);
bool has_avx2();
void execute_lanes(const Instruction* code, const Arrays& arrays);  // the best of them for this machine

}  // namespace ricochet::formula
