// Evaluating a tape. tape_compiler.cpp makes it.
#include "ricochet/formula/tape.hpp"

#include "formula/execute.hpp"
#include "formula/machine_code.hpp"

namespace ricochet::formula {

namespace {

// Frames live on the stack up to this size.
constexpr std::uint32_t stack_frame = 256;

constexpr std::size_t input_bank_count = 5;

void run(const Instruction* code, double* frame, double* outputs) { execute(code, {frame, outputs}); }
void run(const Instruction* code, Lanes* frame, Lanes* outputs) {
  execute_lanes(code, {reinterpret_cast<double*>(frame), reinterpret_cast<double*>(outputs)});
}

// The frame of formulas too large for the stack, kept per thread. Only grows.
template <class Value>
[[gnu::noinline]] Value* large_frame(std::size_t size) {
  thread_local std::vector<Value> frame;
  if (frame.size() < size) frame.resize(size);
  return frame.data();
}

template <class Value>
CodeOnDemand& code_for(TapeCode& code) {
  if constexpr (std::is_same_v<Value, Lanes>) {
    return code.lanes;
  } else {
    return code.doubles;
  }
}

}  // namespace

template <class Value>
std::vector<Value> Tape::constants(const Value* parameters) const {
  std::vector<Value> bank(constant_count_);
  for (std::size_t i = 0; i < literals_.size(); ++i) bank[literal_places_[i]] = Value(literals_[i]);
  for (const Parameter& p : parameters_) bank[p.place] = parameters[p.index];
  // the frame of the prologue are the constants themselves
  if (!prologue_.empty()) run(prologue_.data(), bank.data(), static_cast<Value*>(nullptr));
  return bank;
}

template <class Value>
void Tape::evaluate(const Inputs<Value>& inputs, const Value* constants, Value* outputs) const {
  if (!only_constants_) return calculate(inputs, constants, outputs);
  for (const Copy& copy : constant_outputs_) outputs[copy.output] = constants[copy.index];
}

// What is not only copied, apart so that constant tapes cost next to nothing.
template <class Value>
[[gnu::noinline]] void Tape::calculate(const Inputs<Value>& inputs, const Value* constants, Value* outputs) const {
  const auto run_in = [&](Value * frame) __attribute__((always_inline)) {
    if (void* entry = code_for<Value>(*code_made_).entry()) [[likely]] {
      reinterpret_cast<CompiledTape<Value>>(entry)(&inputs, constants, outputs, frame);
    } else {
      interpret(inputs, constants, outputs, frame);
    }
  };
  if (frame_size_ <= stack_frame) {
    Value frame[stack_frame];
    run_in(frame);
  } else {
    run_in(large_frame<Value>(frame_size_));
  }
}

template <class Value>
[[gnu::noinline]] void Tape::interpret(const Inputs<Value>& inputs, const Value* constants, Value* outputs,
                                       Value* frame) const {
  // the inputs as an array: copying them into one would wait for the caller's stores
  static_assert(sizeof(Inputs<Value>) == input_bank_count * sizeof(const Value*));
  const Value* const* banks = reinterpret_cast<const Value* const*>(&inputs);
  for (const Copy& copy : constant_outputs_) outputs[copy.output] = constants[copy.index];
  for (const Copy& copy : input_outputs_) outputs[copy.output] = banks[copy.bank][copy.index];
  if (!code_.empty()) {
    Value* place = frame;
    for (const std::uint32_t index : constant_loads_) *place++ = constants[index];
    for (const Load& load : input_loads_) *place++ = banks[load.bank][load.index];
    run(code_.data(), frame, outputs);
  }
  constexpr bool lanes = std::is_same_v<Value, Lanes>;
  code_for<Value>(*code_made_).spend(*this, lanes ? 4 * std::int64_t{cost_} : cost_, lanes);
}

template std::vector<double> Tape::constants(const double*) const;
template std::vector<Lanes> Tape::constants(const Lanes*) const;
template void Tape::evaluate(const Inputs<double>&, const double*, double*) const;
template void Tape::evaluate(const Inputs<Lanes>&, const Lanes*, Lanes*) const;

}  // namespace ricochet::formula
