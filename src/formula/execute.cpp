// The interpreter, written once for a part of a value: a double, or as many lanes as a register holds.
#include "formula/execute.hpp"

#include "formula/operations.hpp"

// Define RICOCHET_NO_CLONES for builds that should have only the baseline code.
#if defined(__x86_64__) && !defined(RICOCHET_NO_CLONES)
#define RICOCHET_HAS_AVX2_CLONE 1
#endif

namespace ricochet::formula {

namespace {

// What each instruction does. A value consists of `parts` parts that are calculated one after the other.
template <class Part, int parts>
struct Machine {
  static constexpr int part_width = pack_width<Part>;
  static constexpr int width = parts * part_width;

  // Offsets count the bytes of doubles; Lanes are as many times larger as they have lanes.
  [[gnu::always_inline]] static double* place(double* array, std::uint32_t offset) {
    return reinterpret_cast<double*>(reinterpret_cast<char*>(array) + std::size_t{offset} * std::size_t{width});
  }

  // target = f(a, b, c); where an instruction has fewer operands, the last one stands for the others.
  template <int operands, class Function>
  [[gnu::always_inline]] static void calculate_parts(const Instruction& i, const Arrays& arrays, double* frame,
                                                     const Function& f) {
    const double* a = place(frame, i.a);
    const double* b = operands > 1 ? place(frame, i.b) : a;
    const double* c = operands > 2 ? place(frame, i.c) : b;
    double* target = place(arrays[i.target_array], i.target);
    for (int k = 0; k < width; k += part_width)
      store<Part>(target + k, f(load<Part>(a + k), load<Part>(b + k), load<Part>(c + k)));
  }
  [[gnu::always_inline]] static void sincos(const Instruction& i, const Arrays& arrays, double* frame) {
    const double* a = place(frame, i.a);
    double* sine = place(arrays[i.target_array], i.target);
    double* cosine = place(arrays[i.second_array], i.b);
    for (int k = 0; k < width; k += part_width) {
      Part s, c;
      elementary::sincos(load<Part>(a + k), s, c);
      store<Part>(sine + k, s);
      store<Part>(cosine + k, c);
    }
  }

  template <Operation operation>
  [[gnu::always_inline]] static void apply(const Instruction& i, const Arrays& arrays, double* frame) {
    calculate_parts<arity(operation)>(
        i, arrays, frame, [](const Part& a, const Part& b, const Part& c) __attribute__((always_inline)) {
          return calculate<operation>(a, b, c);
        });
  }
  template <Extra extra>
  [[gnu::always_inline]] static void apply(const Instruction& i, const Arrays& arrays, double* frame) {
    if constexpr (extra == Extra::sincos) return sincos(i, arrays, frame);
    calculate_parts<extra == Extra::copy ? 1 : 3>(
        i, arrays, frame, [](const Part& a, const Part& b, const Part& c) __attribute__((always_inline)) {
          if constexpr (extra == Extra::multiply_add) return a * b + c;
          if constexpr (extra == Extra::multiply_subtract) return a * b - c;
          if constexpr (extra == Extra::subtract_multiply) return c - a * b;
          return a;
        });
  }
};

}  // namespace

// Each instruction jumps to the next by itself: processors then learn the sequence of a tape, which
// they do not from one common jump. Labels have addresses in g++ and clang only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define RICOCHET_EXTRAS(X) X(multiply_add) X(multiply_subtract) X(subtract_multiply) X(sincos) X(copy)
#define RICOCHET_LABEL(name) &&label_##name,
#define RICOCHET_NEXT goto* labels[code->opcode]
#define RICOCHET_STEP(name, number)                                     \
  label_##name : M::apply<number>(*code, arrays, frame);                \
  asm volatile("" : : "i"(opcode(number))); /* keeps the jumps apart */ \
  ++code;                                                               \
  RICOCHET_NEXT;
#define RICOCHET_OPERATION(name) RICOCHET_STEP(name, Operation::name)
#define RICOCHET_EXTRA(name) RICOCHET_STEP(name, Extra::name)
#define RICOCHET_EXECUTE(Part, parts)                                                                                 \
  using M = Machine<Part, parts>;                                                                                     \
  static const void* const labels[] = {RICOCHET_FORMULA_OPERATIONS(RICOCHET_LABEL) RICOCHET_EXTRAS(RICOCHET_LABEL) && \
                                       label_end};                                                                    \
  double* const frame = arrays[0];                                                                                    \
  RICOCHET_NEXT;                                                                                                      \
  RICOCHET_FORMULA_OPERATIONS(RICOCHET_OPERATION)                                                                     \
  RICOCHET_EXTRAS(RICOCHET_EXTRA)                                                                                     \
  label_end:                                                                                                          \
  return;

void execute(const Instruction* code, const Arrays& arrays) { RICOCHET_EXECUTE(double, 1) }

void execute_lanes_baseline(const Instruction* code, const Arrays& arrays) {
  RICOCHET_EXECUTE(NativePack, lane_count / pack_width<NativePack>)
}

#if defined(RICOCHET_HAS_AVX2_CLONE)
__attribute__((target("avx2"))) void execute_lanes_avx2(const Instruction* code, const Arrays& arrays) {
  RICOCHET_EXECUTE(Pack<4>, lane_count / 4)
}
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
void execute_lanes_avx2(const Instruction* code, const Arrays& arrays) { execute_lanes_baseline(code, arrays); }
bool has_avx2() { return false; }
#endif

#pragma GCC diagnostic pop

void execute_lanes(const Instruction* code, const Arrays& arrays) {
  if (has_avx2()) {
    execute_lanes_avx2(code, arrays);
  } else {
    execute_lanes_baseline(code, arrays);
  }
}

}  // namespace ricochet::formula
