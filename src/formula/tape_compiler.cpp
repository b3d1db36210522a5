// From the graph to a tape: common subexpressions once, constants into the prologue, products and
// sums fused, sine and cosine of one argument together, registers reused after their last use.
#include <cmath>
#include <map>
#include <utility>

#include "formula/execute.hpp"
#include "formula/machine_code.hpp"
#include "formula/operations.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/tape.hpp"

namespace ricochet::formula {

class TapeCompiler {
 public:
  TapeCompiler(const Graph& graph, const std::vector<NodeId>& outputs, Tape& tape)
      : graph_(graph), outputs_(outputs), tape_(tape) {}

  void run() {
    tape_.curves_ = graph_.curves();
    lower_all();
    count_uses();
    fuse_products();
    pair_sines();
    place_constants();
    place_inputs();
    emit_prologue();
    emit_code();
    emit_outputs();
    estimate_cost();
  }

 private:
  // A value that the tape needs: a leaf or the result of one instruction.
  enum class Source : std::uint8_t { literal, parameter, input, result };
  struct Item {
    Source source = Source::result;
    bool constant = false;
    bool absorbed = false;       // became part of another instruction
    std::uint16_t opcode = 0;    // of a result
    int a = -1, b = -1, c = -1;  // items it reads
    int partner = -1;            // the cosine of a sine's argument, and the other way round
    int uses = 0;                // readers in the evaluation, and outputs
    int output = -1;             // the output it is written to at once
    std::uint32_t constant_place = unplaced, frame_place = unplaced;
    double number = 0.0;                // of a literal
    std::uint32_t bank = 0, index = 0;  // of a symbol
  };
  static constexpr std::uint32_t unplaced = ~0u;

  Item& item(int id) { return items_[id]; }
  int append(const Item& x) {
    items_.push_back(x);
    return static_cast<int>(items_.size()) - 1;
  }
  static bool is_calculated(const Item& x) { return x.source == Source::result && !x.constant; }
  template <class Visit>
  static void for_operands(const Item& x, const Visit& visit) {
    for (const int operand : {x.a, x.b, x.c}) {
      if (operand >= 0) visit(operand);
    }
  }

  // Everything that an instruction of the evaluation reads.
  template <class Visit>
  void for_read_items(const Visit& visit) {
    for (const Item& x : items_)
      if (is_calculated(x) && !x.absorbed) for_operands(x, [&](int operand) { visit(item(operand)); });
  }

  static std::uint32_t checked(std::size_t index) {
    if (index > largest_index) throw Error("the formulas are too large to be compiled together");
    return static_cast<std::uint32_t>(index);
  }

  // Every operation below the outputs becomes an item, operands first. Depth first, without recursion.
  void lower_all() {
    item_of_.assign(graph_.size(), -1);
    std::vector<std::pair<NodeId, int>> open;  // node and how many of its operands were visited
    for (const NodeId output : outputs_) {
      open.emplace_back(output, 0);
      while (!open.empty()) {
        auto& [id, visited] = open.back();
        const Node& node = graph_.at(id);
        const NodeId operands[3] = {node.a, node.b, node.c};
        if (item_of_[id] >= 0 || arity(node.operation) == 0) {
          open.pop_back();
        } else if (visited < arity(node.operation)) {
          open.emplace_back(operands[visited++], 0);
        } else {
          item_of_[id] = lower(id);
          open.pop_back();
        }
      }
      output_items_.push_back(leaf(output));
    }
  }

  // The item of a node whose operands have theirs.
  int lower(NodeId id) {
    const Node& node = graph_.at(id);
    const int a = leaf(node.a);
    if (node.operation == Operation::power && graph_.is_number(node.b) &&
        is_multiplied_power(graph_.at(node.b).value)) {
      const int exponent = static_cast<int>(graph_.at(node.b).value);
      const int power = multiplied_power(a, std::abs(exponent));
      return exponent > 0 ? power : result(opcode(Operation::divide), literal(1.0), power);
    }
    const int n = arity(node.operation);
    return result(opcode(node.operation), a, n > 1 ? leaf(node.b) : -1, n > 2 ? leaf(node.c) : -1);
  }

  // The item of any node; numbers and symbols get one when they are first needed.
  int leaf(NodeId id) {
    const Node& node = graph_.at(id);
    if (arity(node.operation) > 0) return item_of_[id];
    int& known = item_of_[id];
    if (known >= 0) return known;
    if (node.operation == Operation::number) return known = literal(node.value);
    const auto bank = static_cast<Bank>(node.a);
    const std::uint32_t index = checked(static_cast<std::size_t>(node.b));
    if (bank == Bank::parameter) return known = append({.source = Source::parameter, .constant = true, .index = index});
    return known = append({.source = Source::input,
                           .bank = static_cast<std::uint32_t>(bank) - static_cast<std::uint32_t>(Bank::time),
                           .index = index});
  }

  int literal(double value) {
    const auto [place, is_new] = literals_.emplace(bits(value), static_cast<int>(items_.size()));
    if (is_new) append({.source = Source::literal, .constant = true, .number = value});
    return place->second;
  }

  int result(std::uint16_t code, int a, int b = -1, int c = -1) {
    Item x{.constant = true, .opcode = code, .a = a, .b = b, .c = c};
    for_operands(x, [&](int operand) { x.constant = x.constant && item(operand).constant; });
    return append(x);
  }

  // xⁿ by multiplication, in the order of multiplied_power()
  int multiplied_power(int base, int exponent) {
    if (exponent == 1) return base;
    if (const auto known = powers_.find({base, exponent}); known != powers_.end()) return known->second;
    const int a = multiplied_power(base, exponent % 2 == 1 ? exponent - 1 : exponent / 2);
    const int power = result(opcode(Operation::multiply), a, exponent % 2 == 1 ? base : a);
    powers_.emplace(std::pair{base, exponent}, power);
    return power;
  }

  void count_uses() {
    for (const Item& x : items_) {
      if (is_calculated(x)) for_operands(x, [this](int operand) { ++item(operand).uses; });
    }
    for (const int output : output_items_) ++item(output).uses;
  }

  // a·b + c, a·b − c and c − a·b in one instruction where nobody else needs the product.
  void fuse_products() {
    const auto is_own_product = [this](int id) {
      const Item& x = item(id);
      return is_calculated(x) && x.opcode == opcode(Operation::multiply) && x.uses == 1;
    };
    const auto absorb = [this](Item& sum, int product, int other, Extra extra) {
      Item& p = item(product);
      p.absorbed = true;
      sum.opcode = opcode(extra);
      sum.a = p.a;
      sum.b = p.b;
      sum.c = other;
    };
    for (Item& x : items_) {
      if (!is_calculated(x)) continue;
      const bool sum = x.opcode == opcode(Operation::add), difference = x.opcode == opcode(Operation::subtract);
      if (!sum && !difference) continue;
      if (is_own_product(x.b)) {
        absorb(x, x.b, x.a, sum ? Extra::multiply_add : Extra::subtract_multiply);
      } else if (is_own_product(x.a)) {
        absorb(x, x.a, x.b, sum ? Extra::multiply_add : Extra::multiply_subtract);
      }
    }
  }

  // sin(x) and cos(x) of the same x come from one instruction.
  void pair_sines() {
    std::map<int, int> sines;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Item& x = items_[i];
      if (is_calculated(x) && x.opcode == opcode(Operation::sin)) sines.emplace(x.a, static_cast<int>(i));
    }
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item& x = items_[i];
      if (!is_calculated(x) || x.opcode != opcode(Operation::cos)) continue;
      const auto sine = sines.find(x.a);
      if (sine == sines.end()) continue;
      x.partner = sine->second;
      item(sine->second).partner = static_cast<int>(i);
    }
  }

  // Those that the evaluation reads come first, and lie at the same places in its frame.
  void place_constants() {
    std::size_t count = 0;
    for_read_items([&](Item& y) {
      if (!y.constant || y.constant_place != unplaced) return;
      y.frame_place = y.constant_place = checked(count++);
      tape_.constant_loads_.push_back(y.constant_place);
    });
    for (Item& x : items_) {
      if (!x.constant) continue;
      if (x.constant_place == unplaced) x.constant_place = checked(count++);
      if (x.source == Source::literal) {
        tape_.literals_.push_back(x.number);
        tape_.literal_places_.push_back(x.constant_place);
      } else if (x.source == Source::parameter) {
        tape_.parameters_.push_back({x.index, x.constant_place});
      }
    }
    tape_.constant_count_ = checked(count);
  }

  void place_inputs() {
    for_read_items([&](Item& y) {
      if (y.source != Source::input || y.frame_place != unplaced) return;
      y.frame_place = checked(tape_.constant_loads_.size() + tape_.input_loads_.size());
      tape_.input_loads_.push_back({y.bank, y.index});
    });
    tape_.frame_size_ = checked(tape_.constant_loads_.size() + tape_.input_loads_.size());
  }

  // Where a result goes: straight to its output if nobody reads it again, otherwise into the frame.
  Array place_result(int id, std::uint32_t& target) {
    Item& x = item(id);
    if (x.output >= 0) {
      target = offset(checked(static_cast<std::size_t>(x.output)));
      return Array::outputs;
    }
    if (free_places_.empty()) free_places_.push_back(checked(tape_.frame_size_++));
    x.frame_place = free_places_.back();
    free_places_.pop_back();
    target = offset(x.frame_place);
    return Array::frame;
  }

  // One use less; after the last one the place is free.
  void release(int id) {
    Item& x = item(id);
    if (--x.uses == 0 && is_calculated(x)) free_places_.push_back(x.frame_place);
  }

  // The frame of the prologue are the constants.
  void emit_prologue() {
    const auto place = [this](int id) { return id < 0 ? 0u : offset(item(id).constant_place); };
    for (const Item& x : items_) {
      if (x.source != Source::result || !x.constant) continue;
      tape_.prologue_.push_back(
          {.opcode = x.opcode, .target = offset(x.constant_place), .a = place(x.a), .b = place(x.b), .c = place(x.c)});
    }
    if (!tape_.prologue_.empty()) tape_.prologue_.push_back({.opcode = opcode(Extra::end)});
  }

  void emit_code() {
    for (std::size_t k = 0; k < output_items_.size(); ++k) {
      Item& x = item(output_items_[k]);
      if (is_calculated(x) && x.uses == 1) x.output = static_cast<int>(k);
    }
    std::vector<bool> done(items_.size(), false);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!is_calculated(items_[i]) || items_[i].absorbed || done[i]) continue;
      emit(static_cast<int>(i));
      if (items_[i].partner >= 0) done[items_[i].partner] = true;
    }
  }

  void emit(int id) {
    const Item x = item(id);
    const auto place = [this](int operand) { return operand < 0 ? 0u : offset(item(operand).frame_place); };
    Instruction instruction{.opcode = x.opcode, .a = place(x.a), .b = place(x.b), .c = place(x.c)};
    // operands are read before the target is written, so a place may serve as both
    for_operands(x, [this](int operand) { release(operand); });
    if (x.partner < 0) {
      instruction.target_array = static_cast<std::uint8_t>(place_result(id, instruction.target));
    } else {
      const bool is_sine = x.opcode == opcode(Operation::sin);
      release(x.a);  // of the partner
      instruction.opcode = opcode(Extra::sincos);
      instruction.target_array = static_cast<std::uint8_t>(place_result(is_sine ? id : x.partner, instruction.target));
      instruction.second_array = static_cast<std::uint8_t>(place_result(is_sine ? x.partner : id, instruction.b));
    }
    tape_.code_.push_back(instruction);
  }

  // Outputs that are constants, inputs, or read again by others are copied.
  void emit_outputs() {
    for (std::size_t k = 0; k < output_items_.size(); ++k) {
      const Item& x = item(output_items_[k]);
      const std::uint32_t index = checked(k);
      if (x.constant) {
        tape_.constant_outputs_.push_back({0, x.constant_place, index});
      } else if (x.source == Source::input) {
        tape_.input_outputs_.push_back({x.bank, x.index, index});
      } else if (x.output < 0) {
        tape_.code_.push_back({.opcode = opcode(Extra::copy),
                               .target_array = static_cast<std::uint8_t>(Array::outputs),
                               .target = offset(index),
                               .a = offset(x.frame_place)});
      }
    }
    if (!tape_.code_.empty()) tape_.code_.push_back({.opcode = opcode(Extra::end)});
    tape_.output_count_ = static_cast<int>(outputs_.size());
    tape_.only_constants_ = tape_.code_.empty() && tape_.input_outputs_.empty();
  }

  // About 2 ns an instruction of the interpreter, 15 ns if it is a function.
  void estimate_cost() {
    tape_.code_made_ = std::make_shared<TapeCode>();
    std::int64_t cost = 5;
    for (const Instruction& x : tape_.code_) {
      const bool function = (x.opcode >= opcode(Operation::power) && x.opcode < opcode(Operation::less)) ||
                            x.opcode == opcode(Extra::sincos);
      cost += function ? 15 : 2;
    }
    tape_.cost_ = static_cast<std::int32_t>(std::min<std::int64_t>(cost, never_that_much));
  }
  static constexpr std::int64_t never_that_much = 1'000'000'000;

  const Graph& graph_;
  const std::vector<NodeId>& outputs_;
  Tape& tape_;
  std::vector<Item> items_;
  std::vector<int> item_of_;                   // by node, −1: none yet
  std::map<std::pair<int, int>, int> powers_;  // (base, exponent) -> item
  std::map<std::uint64_t, int> literals_;      // bits of a number -> item
  std::vector<int> output_items_;
  std::vector<std::uint32_t> free_places_;  // of the frame
};

Tape::Tape(const Graph& graph, std::vector<NodeId> outputs) { TapeCompiler(graph, outputs, *this).run(); }

}  // namespace ricochet::formula
