// The functions that compiled tapes call, over what one register holds.
#include "formula/execute.hpp"
#include "formula/machine_code.hpp"
#include "formula/operations.hpp"

namespace ricochet::formula {

#if defined(RICOCHET_HAS_ASMJIT)

namespace {

template <class Part>
struct InRegister {
  using Type = typename Part::Vector;
};
template <>
struct InRegister<double> {
  using Type = double;
};

// A struct for each kind of registers, whose functions are compiled for them. A pack and its vector have the same bits.
#define RICOCHET_CALLS(Calls, Part, attributes)                                                 \
  struct Calls {                                                                                \
    using Vector = InRegister<Part>::Type;                                                      \
    template <Operation operation>                                                              \
    attributes static Vector call(Vector a, Vector b) {                                         \
      return __builtin_bit_cast(Vector, Part(calculate<operation>(Part(a), Part(b), Part(b)))); \
    }                                                                                           \
    attributes static Vector sincos(Vector x, Vector* cosine) {                                 \
      Part s, c;                                                                                \
      elementary::sincos(Part(x), s, c);                                                        \
      *cosine = __builtin_bit_cast(Vector, c);                                                  \
      return __builtin_bit_cast(Vector, s);                                                     \
    }                                                                                           \
  };
RICOCHET_CALLS(ScalarCalls, double, )
RICOCHET_CALLS(Sse2Calls, Pack<2>, )
#if !defined(RICOCHET_NO_CLONES)
RICOCHET_CALLS(Avx2Calls, Pack<4>, __attribute__((target("avx2"))))
#endif
#undef RICOCHET_CALLS

template <class Calls>
const void* address(std::uint16_t code) {
  if (code == opcode(Extra::sincos)) return reinterpret_cast<const void*>(&Calls::sincos);
  if (code == opcode(Operation::power)) return reinterpret_cast<const void*>(&Calls::template call<Operation::power>);
  if (code == opcode(Operation::curve)) return reinterpret_cast<const void*>(&Calls::template call<Operation::curve>);
  switch (code) {
#define RICOCHET_ADDRESS(name) \
  case opcode(Operation::name): return reinterpret_cast<const void*>(&Calls::template call<Operation::name>);
    RICOCHET_FORMULA_FUNCTIONS(RICOCHET_ADDRESS)
#undef RICOCHET_ADDRESS
  }
  return nullptr;
}

}  // namespace

const void* elementary_call(std::uint16_t opcode, Registers registers) {
  if (is_scalar(registers)) return address<ScalarCalls>(opcode);
#if !defined(RICOCHET_NO_CLONES)
  if (registers == Registers::avx2) return address<Avx2Calls>(opcode);
#endif
  return registers == Registers::sse2 ? address<Sse2Calls>(opcode) : nullptr;
}

bool has(Registers registers) {
  switch (registers) {
    case Registers::sse2_scalar:
    case Registers::sse2: return true;
    case Registers::avx_scalar: return __builtin_cpu_supports("avx");
    case Registers::avx2: return has_avx2();
    case Registers::avx512: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  }
  return false;
}

#else

bool has(Registers) { return false; }
const void* elementary_call(std::uint16_t, Registers) { return nullptr; }

#endif

}  // namespace ricochet::formula
