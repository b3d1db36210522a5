// The instructions of a tape as machine code of x86-64, made with asmjit: in the order of the tape, without fused
// operations, calling the elementary functions of the interpreter, and so with its bits. Elsewhere, and in builds
// without asmjit, tapes are interpreted.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ricochet/formula/tape.hpp"

namespace ricochet::formula {

// The registers that a processor has, and with them the part of a value that is calculated at once: one, two, four or
// eight doubles.
enum class Registers : std::uint8_t { sse2_scalar, avx_scalar, sse2, avx2, avx512 };
constexpr bool is_scalar(Registers registers) { return registers <= Registers::avx_scalar; }
bool has(Registers registers);  // this processor

// The address of a function over one part of a value, arguments and result in registers: an operation, or
// sin(a) with cos(a) written to a place. Null if there is none for such registers.
const void* elementary_call(std::uint16_t opcode, Registers registers);

// Pages with machine code: they are written first and executable afterwards, never both at once.
class MachineCode {
 public:
  MachineCode() = default;
  MachineCode(const Tape& tape, Registers registers);  // none if it cannot be made
  MachineCode(MachineCode&& other) noexcept;
  MachineCode& operator=(MachineCode&& other) noexcept;
  ~MachineCode();

  void* entry() const { return pages_; }      // a CompiledTape, or null
  std::size_t size() const { return size_; }  // bytes, whole pages

 private:
  void* pages_ = nullptr;
  std::size_t size_ = 0;
};
template <class Value>
using CompiledTape = void (*)(const Inputs<Value>* inputs, const Value* constants, Value* outputs, Value* frame);

// When a tape is compiled: after its interpretation has cost this much, in nanoseconds.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
std::atomic<std::int64_t>& compile_after();  // a millisecond at first; never with RICOCHET_JIT=0 in the environment

// What a tape remembers between evaluations, for one kind of value. Threads share it: one of them compiles, the others
// go on with the interpreter until the code is there.
class CodeOnDemand {
 public:
  void* entry() const { return entry_.load(std::memory_order_acquire); }

  // After an interpretation that cost `nanoseconds`. An increment that another thread overwrites does no harm.
  void spend(const Tape& tape, std::int64_t nanoseconds, bool lanes) {
    const std::int64_t spent = spent_.load(std::memory_order_relaxed) + nanoseconds;
    spent_.store(spent, std::memory_order_relaxed);
    if (spent > compile_after().load(std::memory_order_relaxed)) [[unlikely]]
      compile(tape, lanes);
  }

 private:
  void compile(const Tape& tape, bool lanes);

  std::atomic<void*> entry_ = nullptr;
  std::atomic<std::int64_t> spent_ = 0;
  std::atomic<bool> tried_ = false;
  MachineCode code_;
};
struct TapeCode {
  CodeOnDemand doubles, lanes;
};

}  // namespace ricochet::formula
