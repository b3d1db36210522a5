// From a tape to machine code. The places of the tape's frame stay what they are, the memory of its values; registers
// hold those that are read soonest, and a value goes to its place only when it has to leave its register.
#include "formula/machine_code.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "formula/execute.hpp"

#if defined(RICOCHET_HAS_ASMJIT)
#include <asmjit/x86.h>

// Debian's archive is not made for shared libraries, such as the Python module: one of its files refers to stderr. What
// it has in it is for debugging; with these in its place it is not linked.
ASMJIT_BEGIN_NAMESPACE
namespace DebugUtils {
const char* errorAsString(Error) noexcept { return ""; }
void debugOutput(const char*) noexcept {}
void assertionFailed(const char*, int, const char*) noexcept { __builtin_trap(); }
}  // namespace DebugUtils
ASMJIT_END_NAMESPACE
#endif

namespace ricochet::formula {

std::atomic<std::int64_t>& compile_after() {
  static std::atomic<std::int64_t> nanoseconds = [] {
    const char* wish = std::getenv("RICOCHET_JIT");
    return wish != nullptr && std::string_view(wish) == "0" ? never : 1'000'000;
  }();
  return nanoseconds;
}

void CodeOnDemand::compile(const Tape& tape, bool lanes) {
  if (tried_.load(std::memory_order_relaxed) || tried_.exchange(true)) return;
  constexpr Registers kinds[] = {Registers::avx512, Registers::avx2, Registers::sse2, Registers::avx_scalar,
                                 Registers::sse2_scalar};
  for (const Registers kind : kinds)
    if (is_scalar(kind) != lanes && code_.entry() == nullptr) code_ = MachineCode(tape, kind);
  entry_.store(code_.entry(), std::memory_order_release);
}

MachineCode::MachineCode(MachineCode&& other) noexcept { *this = std::move(other); }
MachineCode& MachineCode::operator=(MachineCode&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(size_, other.size_);
  return *this;
}

#if !defined(RICOCHET_HAS_ASMJIT)

MachineCode::MachineCode(const Tape&, Registers) {}
MachineCode::~MachineCode() = default;

#else

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

// Writes the code of one tape. What it writes is the function
//   for each part of a value:  copy the outputs that are only copied;  calculate instruction by instruction.
class TapeWriter {
 public:
  TapeWriter(const Tape& tape, Registers registers, x86::Assembler& to)
      : tape_(tape),
        registers_(registers),
        to_(to),
        width_(is_scalar(registers) ? 1 : 2 << (static_cast<int>(registers) - static_cast<int>(Registers::sse2))),
        stride_(static_cast<int>(is_scalar(registers) ? sizeof(double) : sizeof(Lanes))),
        vex_(registers != Registers::sse2 && registers != Registers::sse2_scalar),
        masks_(registers == Registers::avx512),
        register_count_(masks_ ? 31 : 15) {}

  // A model has about four tapes that count, and an instruction takes 0.1 µs to compile: larger tapes, which would take
  // more than half a millisecond, are left to the interpreter, as are places out of reach. Functions of eight doubles
  // are not quicker than of four and four, and there are none.
  static bool can_write(const Tape& tape, Registers registers) {
    constexpr std::uint32_t largest_place = 1u << 24;
    bool can = tape.code_.size() <= 5'000 && tape.constant_count_ < largest_place &&
               static_cast<std::uint32_t>(tape.output_count_) < largest_place;
    for (const auto& load : tape.input_loads_) can = can && load.index < largest_place;
    for (const auto& copy : tape.input_outputs_) can = can && copy.index < largest_place;
    for (const Instruction& x : tape.code_)
      can = can && (!is_called(x.opcode) || elementary_call(x.opcode, registers) != nullptr);
    return can;
  }

  void write() {
    find_next_reads();
    begin();
    for (std::size_t i = 0; i + 1 < tape_.code_.size(); ++i) write(i);
    end();
  }

 private:
  // Four versions of an instruction.
  struct Ids {
    asmjit::InstId scalar, packed, vex_scalar, vex_packed;
  };
  static constexpr Ids add{Id::kIdAddsd, Id::kIdAddpd, Id::kIdVaddsd, Id::kIdVaddpd},
      subtract{Id::kIdSubsd, Id::kIdSubpd, Id::kIdVsubsd, Id::kIdVsubpd},
      multiply{Id::kIdMulsd, Id::kIdMulpd, Id::kIdVmulsd, Id::kIdVmulpd},
      divide{Id::kIdDivsd, Id::kIdDivpd, Id::kIdVdivsd, Id::kIdVdivpd},
      root{Id::kIdSqrtsd, Id::kIdSqrtpd, Id::kIdVsqrtsd, Id::kIdVsqrtpd},
      compare{Id::kIdCmpsd, Id::kIdCmppd, Id::kIdVcmpsd, Id::kIdVcmppd},
      load{Id::kIdMovsd, Id::kIdMovapd, Id::kIdVmovsd, Id::kIdVmovapd},
      // these always act on whole registers
      move{Id::kIdMovapd, Id::kIdMovapd, Id::kIdVmovapd, Id::kIdVmovapd},
      bit_and{Id::kIdAndpd, Id::kIdAndpd, Id::kIdVandpd, Id::kIdVandpd},
      bit_xor{Id::kIdXorpd, Id::kIdXorpd, Id::kIdVxorpd, Id::kIdVxorpd};
  asmjit::InstId id(const Ids& ids) const {
    return width_ == 1 ? (vex_ ? ids.vex_scalar : ids.scalar) : (vex_ ? ids.vex_packed : ids.packed);
  }

  // Numbers that the code itself needs, each in all lanes.
  enum Number { sign_bit, other_bits, one, zero, number_count };
  static constexpr std::uint64_t number_bits[number_count] = {0x8000'0000'0000'0000u, 0x7fff'ffff'ffff'ffffu,
                                                              0x3ff0'0000'0000'0000u, 0};
  x86::Mem number(Number which) const { return x86::ptr(numbers_, which * static_cast<int>(sizeof(Lanes))); }

  x86::Vec vector(int index) const {
    const auto i = static_cast<std::uint32_t>(index);
    if (width_ == 8) return x86::Zmm(i);
    if (width_ == 4) return x86::Ymm(i);
    return x86::Xmm(i);
  }
  x86::Vec scratch() const { return vector(register_count_); }

  // ------------------------------------------------------------------ where values are

  static constexpr std::uint32_t unread = ~0u;

  static int operand_count(std::uint16_t code) {
    if (code == opcode(Extra::sincos) || code == opcode(Extra::copy)) return 1;
    if (code >= opcode(Extra::multiply_add)) return 3;
    return arity(static_cast<Operation>(code + static_cast<int>(Operation::negate)));
  }
  static std::uint32_t place(std::uint32_t offset) { return offset / formula::offset(1); }
  static bool is_called(std::uint16_t code) {
    if (code == opcode(Extra::sincos)) return true;
    return code >= opcode(Operation::power) && code < opcode(Operation::less) && code != opcode(Operation::sqrt) &&
           code != opcode(Operation::abs);
  }
  static bool in_frame(std::uint8_t array) { return array == static_cast<std::uint8_t>(Array::frame); }

  // For every value that an instruction reads or writes: the next instruction that reads it.
  struct NextReads {
    std::uint32_t operand[3] = {unread, unread, unread}, target = unread, second = unread;
  };
  void find_next_reads() {
    next_reads_.assign(tape_.code_.size(), {});
    std::vector<std::uint32_t> next(tape_.frame_size_, unread);
    for (std::size_t i = tape_.code_.size() - std::min<std::size_t>(tape_.code_.size(), 1); i-- > 0;) {
      const Instruction& x = tape_.code_[i];
      has_calls_ = has_calls_ || is_called(x.opcode);
      NextReads& reads = next_reads_[i];
      if (in_frame(x.target_array)) std::swap(reads.target, next[place(x.target)]);
      if (x.opcode == opcode(Extra::sincos) && in_frame(x.second_array)) std::swap(reads.second, next[place(x.b)]);
      const std::uint32_t operands[3] = {x.a, x.b, x.c};
      const int n = operand_count(x.opcode);
      for (int k = 0; k < n; ++k) reads.operand[k] = next[place(operands[k])];
      for (int k = 0; k < n; ++k) next[place(operands[k])] = static_cast<std::uint32_t>(i);
    }
    values_.assign(tape_.frame_size_, {});
    for (std::size_t p = 0; p < tape_.constant_loads_.size() + tape_.input_loads_.size(); ++p)
      values_[p].in_memory = true;
  }

  // What a place of the frame holds at this point of the code.
  struct Held {
    int in_register = -1;
    bool in_memory = false;
    std::uint32_t next_read = unread;
  };

  x86::Mem at(const x86::Gp& base, std::uint32_t index) const {
    const int offset = static_cast<int>(index) * stride_;
    return passes() == 1 ? x86::ptr(base, offset) : x86::ptr(base, part_, 0, offset);
  }
  int passes() const { return stride_ / (width_ * static_cast<int>(sizeof(double))); }
  x86::Mem input(std::uint32_t bank, std::uint32_t index) {
    to_.mov(x86::rax, x86::ptr(inputs_, static_cast<int>(bank * sizeof(void*))));
    return at(x86::rax, index);
  }
  // Where the value of a place lies: with the constants, the inputs, or in the frame. Valid until the next call.
  x86::Mem memory(std::uint32_t p) {
    if (p < tape_.constant_loads_.size()) return at(constants_, tape_.constant_loads_[p]);
    const std::size_t k = p - tape_.constant_loads_.size();
    if (k < tape_.input_loads_.size()) return input(tape_.input_loads_[k].bank, tape_.input_loads_[k].index);
    return at(frame_, p);
  }
  x86::Mem target(std::uint8_t array, std::uint32_t offset) {
    return at(in_frame(array) ? frame_ : outputs_, place(offset));
  }

  // ------------------------------------------------------------------ registers

  void put(const x86::Mem& to, const x86::Vec& from) { to_.emit(id(load), to, from); }
  void get(const x86::Vec& to, const asmjit::Operand& from) { to_.emit(id(from.isMem() ? load : move), to, from); }

  void store(std::uint32_t p) {
    Held& value = values_[p];
    if (!value.in_memory) put(memory(p), vector(value.in_register));
    value.in_memory = true;
  }
  void forget(std::uint32_t p) {
    if (values_[p].in_register >= 0) place_in_[values_[p].in_register] = unread;
    values_[p].in_register = -1;
  }

  // A register for a new value: a free one, or that of the value which is read last. What this instruction reads is
  // read soonest and stays.
  int free_register() {
    int latest = -1;
    for (int r = register_count_ - 1; r >= 0; --r) {
      if (place_in_[r] == unread) return r;
      if (latest < 0 || values_[place_in_[r]].next_read > values_[place_in_[latest]].next_read) latest = r;
    }
    const std::uint32_t p = place_in_[latest];
    store(p);
    forget(p);
    return latest;
  }
  void hold(std::uint32_t p, int in_register, std::uint32_t next_read) {
    values_[p] = {.in_register = in_register, .in_memory = values_[p].in_memory, .next_read = next_read};
    place_in_[in_register] = p;
  }

  // An operand in a register, or from memory if this is its last use and the instruction can take it from there.
  x86::Vec fetched(std::size_t i, std::uint32_t offset) {
    const std::uint32_t p = place(offset);
    if (values_[p].in_register < 0) {
      const int r = free_register();
      get(vector(r), memory(p));
      hold(p, r, static_cast<std::uint32_t>(i));
    }
    return vector(values_[p].in_register);
  }
  asmjit::Operand operand(std::size_t i, int k, std::uint32_t offset) {
    const std::uint32_t p = place(offset);
    if (values_[p].in_register < 0 && next_reads_[i].operand[k] == unread) return memory(p);
    return fetched(i, offset);
  }

  // ------------------------------------------------------------------ instructions

  // to = x op y; `to` is not y
  void apply(const Ids& ids, const x86::Vec& to, const asmjit::Operand& x, const asmjit::Operand& y) {
    if (vex_) {
      to_.emit(id(ids), to, x, y);
    } else {
      if (to != x) get(to, x);
      to_.emit(id(ids), to, y);
    }
  }

  // to = 1 where `x predicate y` holds, otherwise 0
  void compare_to_number(const x86::Vec& to, const x86::Vec& x, const asmjit::Operand& y, int predicate) {
    compare_to_mask(to, x, y, predicate);
    if (masks_) {
      to_.k(x86::k1).z().vmovapd(to, number(one));
    } else {
      apply(bit_and, to, to, number(one));
    }
  }
  // into k1, or all bits of `to`
  void compare_to_mask(const x86::Vec& to, const x86::Vec& x, const asmjit::Operand& y, int predicate) {
    if (masks_) {
      to_.emit(id(compare), x86::k1, x, y, asmjit::imm(predicate));
    } else if (vex_) {
      to_.emit(id(compare), to, x, y, asmjit::imm(predicate));
    } else {
      get(to, x);
      to_.emit(id(compare), to, y, asmjit::imm(predicate));
    }
  }
  // to = b where condition ≠ 0, otherwise c
  void select(const x86::Vec& to, const x86::Vec& condition, const x86::Vec& b, const x86::Vec& c) {
    constexpr int not_equal = 4;
    compare_to_mask(scratch(), condition, number(zero), not_equal);
    if (masks_) {
      to_.k(x86::k1).vblendmpd(to, c, b);
    } else if (vex_) {
      to_.vblendvpd(to, c, b, scratch());
    } else {
      get(to, scratch());
      to_.andpd(to.as<x86::Xmm>(), b.as<x86::Xmm>());
      to_.andnpd(scratch().as<x86::Xmm>(), c.as<x86::Xmm>());
      to_.orpd(to.as<x86::Xmm>(), scratch().as<x86::Xmm>());
    }
  }

  void write(std::size_t i) {
    const Instruction& x = tape_.code_[i];
    if (is_called(x.opcode)) return write_call(i, x);
    if (x.opcode == opcode(Extra::copy)) {
      put(target(x.target_array, x.target), fetched(i, x.a));
      return release_operands(i, x);
    }
    const int r = write_arithmetic(i, x);
    release_operands(i, x);
    finish(i, x, r);
  }

  // Returns the register with the result, which is none of the operands'.
  int write_arithmetic(std::size_t i, const Instruction& x) {
    const x86::Vec a = fetched(i, x.a);
    int r = -1;
    const auto with_number = [&](const Ids& ids, Number which) {
      apply(ids, vector(r = free_register()), a, number(which));
    };
    const auto binary = [&](const Ids& ids) {
      const asmjit::Operand b = operand(i, 1, x.b);
      apply(ids, vector(r = free_register()), a, b);
    };
    const auto compared = [&](int predicate) {
      const asmjit::Operand b = operand(i, 1, x.b);
      compare_to_number(vector(r = free_register()), a, b, predicate);
    };
    const auto product = [&] {
      apply(multiply, scratch(), a, operand(i, 1, x.b));
      return scratch();
    };
    const auto with_product = [&](const Ids& ids) {
      const x86::Vec ab = product();
      const asmjit::Operand c = operand(i, 2, x.c);
      apply(ids, vector(r = free_register()), ab, c);
    };
    switch (x.opcode) {
      case opcode(Operation::negate): with_number(bit_xor, sign_bit); break;
      case opcode(Operation::abs): with_number(bit_and, other_bits); break;
      case opcode(Operation::add): binary(add); break;
      case opcode(Operation::subtract): binary(subtract); break;
      case opcode(Operation::multiply): binary(multiply); break;
      case opcode(Operation::divide): binary(divide); break;
      case opcode(Operation::equal): compared(0); break;
      case opcode(Operation::less): compared(1); break;
      case opcode(Operation::less_equal): compared(2); break;
      case opcode(Operation::not_equal): compared(4); break;
      case opcode(Extra::multiply_add): with_product(add); break;
      case opcode(Extra::multiply_subtract): with_product(subtract); break;
      case opcode(Extra::subtract_multiply): {
        const x86::Vec ab = product(), c = fetched(i, x.c);
        apply(subtract, vector(r = free_register()), c, ab);
        break;
      }
      case opcode(Operation::select): {
        const x86::Vec b = fetched(i, x.b), c = fetched(i, x.c);
        select(vector(r = free_register()), a, b, c);
        break;
      }
      case opcode(Operation::sqrt):
        r = free_register();
        if (vex_ && width_ == 1) {
          to_.emit(id(root), vector(r), a, a);
        } else {
          to_.emit(id(root), vector(r), a);
        }
        break;
    }
    return r;
  }

  template <class Visit>
  void for_operands(std::size_t i, const Instruction& x, const Visit& visit) {
    const std::uint32_t operands[3] = {x.a, x.b, x.c};
    for (int k = 0; k < operand_count(x.opcode); ++k) visit(k, place(operands[k]), next_reads_[i].operand[k]);
  }
  void release_operands(std::size_t i, const Instruction& x) {
    for_operands(i, x, [this](int, std::uint32_t p, std::uint32_t next_read) {
      values_[p].next_read = next_read;
      if (next_read == unread) forget(p);
    });
  }

  // The result goes to the outputs at once, or stays in its register.
  void finish(std::size_t i, const Instruction& x, int r) {
    if (!in_frame(x.target_array)) return put(target(x.target_array, x.target), vector(r));
    const std::uint32_t p = place(x.target);
    values_[p] = {.in_register = r, .in_memory = false, .next_read = next_reads_[i].target};
    place_in_[r] = p;
  }

  // A function may change every register: what is read later goes to memory before.
  void write_call(std::size_t i, const Instruction& x) {
    const int n = operand_count(x.opcode);
    for_operands(i, x, [&](int k, std::uint32_t p, std::uint32_t next_read) {
      values_[p].next_read = next_read;
      const int r = values_[p].in_register;
      if (r >= 0 && r < n && r != k) store(p);  // in the way of another argument
    });
    for (int r = 0; r < register_count_; ++r)
      if (place_in_[r] != unread && values_[place_in_[r]].next_read != unread) store(place_in_[r]);
    for_operands(i, x, [&](int k, std::uint32_t p, std::uint32_t) {
      const int r = values_[p].in_register;
      if (r < 0 || (r < n && r != k)) {
        get(vector(k), memory(p));
      } else if (r != k) {
        get(vector(k), vector(r));
      }
    });
    for (int r = 0; r < register_count_; ++r)
      if (place_in_[r] != unread) forget(place_in_[r]);

    const bool sincos = x.opcode == opcode(Extra::sincos);
    if (sincos) to_.lea(x86::rdi, target(x.second_array, x.b));
    to_.mov(x86::rax, reinterpret_cast<std::uint64_t>(elementary_call(x.opcode, registers_)));
    to_.call(x86::rax);
    if (sincos && in_frame(x.second_array))
      values_[place(x.b)] = {.in_register = -1, .in_memory = true, .next_read = next_reads_[i].second};
    finish(i, x, 0);
  }

  // ------------------------------------------------------------------ around them

  // Arguments stay where they come if nothing is called, and otherwise in registers that functions leave alone.
  void begin() {
    std::fill(std::begin(place_in_), std::end(place_in_), unread);
    numbers_ = to_.newLabel();
    again_ = to_.newLabel();
    if (has_calls_) {
      const x86::Gp from[] = {inputs_, constants_, outputs_, frame_};
      x86::Gp* const saved[] = {&inputs_, &constants_, &outputs_, &frame_, &part_};
      for (int k = 0; k < 5; ++k) to_.push(*saved[k] = kept[k]);
      for (int k = 0; k < 4; ++k) to_.mov(kept[k], from[k]);
    }
    if (passes() > 1) to_.xor_(part_.r32(), part_.r32());
    to_.bind(again_);
    for (const auto& copy : tape_.constant_outputs_) write_copy(at(constants_, copy.index), copy.output);
    for (const auto& copy : tape_.input_outputs_) write_copy(input(copy.bank, copy.index), copy.output);
  }
  void write_copy(const x86::Mem& from, std::uint32_t output) {
    get(scratch(), from);
    put(at(outputs_, output), scratch());
  }

  void end() {
    if (passes() > 1) {
      to_.add(part_, width_ * static_cast<int>(sizeof(double)));
      to_.cmp(part_, stride_);
      to_.jne(again_);
    }
    if (width_ > 2) to_.vzeroupper();
    if (has_calls_)
      for (int k = 5; k-- > 0;) to_.pop(kept[k]);
    to_.ret();
    to_.align(asmjit::AlignMode::kData, sizeof(Lanes));
    to_.bind(numbers_);
    for (const std::uint64_t bits : number_bits) to_.embedUInt64(bits, lane_count);
  }

  const Tape& tape_;
  const Registers registers_;
  x86::Assembler& to_;
  const int width_, stride_;  // doubles in a register; bytes from one value to the next
  const bool vex_, masks_;    // instructions have three operands; comparisons give mask registers
  const int register_count_;  // one more is the scratch register
  bool has_calls_ = false;

  static constexpr x86::Gp kept[5] = {x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15};
  x86::Gp inputs_ = x86::rdi, constants_ = x86::rsi, outputs_ = x86::rdx, frame_ = x86::rcx, part_ = x86::r8;
  asmjit::Label numbers_, again_;

  std::vector<NextReads> next_reads_;
  std::vector<Held> values_;    // by place of the frame
  std::uint32_t place_in_[32];  // by register
};

namespace {

struct Trouble : asmjit::ErrorHandler {
  bool any = false;
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
};

}  // namespace

MachineCode::MachineCode(const Tape& tape, Registers registers) {
  namespace memory = asmjit::VirtMem;
  if (!has(registers) || !TapeWriter::can_write(tape, registers)) return;
  Trouble trouble;
  asmjit::CodeHolder code;
  if (code.init(asmjit::Environment::host()) != asmjit::kErrorOk) return;
  code.setErrorHandler(&trouble);
  x86::Assembler assembler(&code);
  TapeWriter(tape, registers, assembler).write();
  if (trouble.any || code.flatten() != asmjit::kErrorOk || code.resolveUnresolvedLinks() != asmjit::kErrorOk) return;

  const std::size_t page = memory::info().pageSize, size = (code.codeSize() + page - 1) / page * page;
  void* pages = nullptr;
  if (memory::alloc(&pages, size, memory::MemoryFlags::kAccessRW) != asmjit::kErrorOk) return;
  if (code.relocateToBase(reinterpret_cast<std::uint64_t>(pages)) != asmjit::kErrorOk ||
      code.copyFlattenedData(pages, size) != asmjit::kErrorOk ||
      memory::protect(pages, size, memory::MemoryFlags::kAccessRX) != asmjit::kErrorOk) {
    memory::release(pages, size);
    return;
  }
  pages_ = pages;
  size_ = size;
}
MachineCode::~MachineCode() {
  if (pages_ != nullptr) asmjit::VirtMem::release(pages_, size_);
}

#endif

}  // namespace ricochet::formula
