// Many expressions compiled into one flat list of instructions, evaluated for a double or for Lanes.
//
// What depends only on numbers and parameters is calculated once, by constants(), and not again in
// an evaluation. So parameters can differ from lane to lane and from model to model without a new
// tape. A tape is never changed after its construction: any number of threads may evaluate it.
//
// A tape is interpreted at first. Once that has cost a millisecond it becomes machine code, where the build and the
// processor allow it, with the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ricochet/core/lanes.hpp"
#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

// Where an evaluation finds the values of symbols, by their index. Banks that no formula uses may be null.
template <class Value>
struct Inputs {
  const Value* t = nullptr;
  const Value* q = nullptr;
  const Value* v = nullptr;
  const Value* z = nullptr;
  const Value* auxiliary = nullptr;
};

// One step of a tape: places of its operands in the frame, and where its result goes.
struct Instruction {
  std::uint16_t opcode = 0;
  std::uint8_t target_array = 0, second_array = 0;
  std::uint32_t target = 0, a = 0, b = 0, c = 0;
};

struct TapeCode;

class Tape {
 public:
  Tape() = default;
  Tape(const Graph& graph, std::vector<NodeId> outputs);

  int output_count() const { return output_count_; }
  const std::vector<double>& literals() const { return literals_; }  // the numbers that are used, each once

  // The values of everything constant, for given parameters (by their index): what evaluate() needs.
  template <class Value>
  std::vector<Value> constants(const Value* parameters) const;

  // All outputs. `outputs` must not overlap the inputs or the constants. Allocates nothing, except for
  // formulas with a frame of more than 256 values: then once per thread.
  template <class Value>
  void evaluate(const Inputs<Value>& inputs, const Value* constants, Value* outputs) const;

  int instruction_count() const { return static_cast<int>(code_.empty() ? 0 : code_.size() - 1); }  // per evaluation
  int frame_size() const { return static_cast<int>(frame_size_); }  // constants, inputs and intermediate values

 private:
  friend class TapeCompiler;
  friend class TapeWriter;
  struct Parameter {
    std::uint32_t index, place;
  };
  struct Load {
    std::uint32_t bank, index;  // which member of Inputs
  };
  struct Copy {
    std::uint32_t bank, index, output;
  };

  template <class Value>
  void calculate(const Inputs<Value>& inputs, const Value* constants, Value* outputs) const;
  template <class Value>
  void interpret(const Inputs<Value>& inputs, const Value* constants, Value* outputs, Value* frame) const;

  int output_count_ = 0;
  bool only_constants_ = true;  // all outputs are

  // The constants.
  std::vector<double> literals_;
  std::vector<std::uint32_t> literal_places_;
  std::vector<Parameter> parameters_;
  std::vector<Instruction> prologue_;  // calculates the others
  std::uint32_t constant_count_ = 0;

  // The evaluation. Its frame: the constants it reads, the inputs it reads, intermediate values.
  std::vector<std::uint32_t> constant_loads_;
  std::vector<Load> input_loads_;
  std::vector<Instruction> code_;                       // ends with an end instruction; empty if nothing is calculated
  std::vector<Copy> constant_outputs_, input_outputs_;  // those that are only copied
  std::uint32_t frame_size_ = 0;
  std::int32_t cost_ = 0;                             // of an interpretation for a double, about, in nanoseconds
  std::vector<std::shared_ptr<const Curve>> curves_;  // whose addresses are among the literals
  std::shared_ptr<TapeCode> code_made_;               // copies of a tape share it
};

extern template std::vector<double> Tape::constants(const double*) const;
extern template std::vector<Lanes> Tape::constants(const Lanes*) const;
extern template void Tape::evaluate(const Inputs<double>&, const double*, double*) const;
extern template void Tape::evaluate(const Inputs<Lanes>&, const Lanes*, Lanes*) const;

}  // namespace ricochet::formula
