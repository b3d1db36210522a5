// Any bytes as a problem and a scheme: two coordinates, two gaps and forces of random formulas, a few steps. A run ends
// with numbers or with a sentence, whatever it was given.
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "ricochet/ricochet.hpp"

namespace {

using namespace ricochet;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
  unsigned next(unsigned below) { return data_ < end_ ? *data_++ % below : 0; }
  double number() { return (static_cast<double>(next(256)) - 128.0) / 32.0; }

  std::string formula(int depth = 3) {
    const std::string a = depth > 0 ? formula(depth - 1) : "";
    const auto unary = [&](const char* name) { return std::string(name) + "(" + a + ")"; };
    const auto binary = [&](const char* sign) { return "(" + a + sign + formula(depth - 1) + ")"; };
    if (depth == 0) {
      constexpr const char* leaves[] = {"x", "y", "t", "1", "0.5", "1e-3", "1e6", "0"};
      return leaves[next(8)];
    }
    constexpr const char* functions[] = {"sin", "cos", "sqrt", "log", "exp", "abs", "sign", "acos", "floor", "tanh"};
    switch (next(8)) {
      case 0: return binary("+");
      case 1: return binary("-");
      case 2: return binary("*");
      case 3: return binary("/");
      case 4: return "if(" + a + " < " + formula(0) + ", " + formula(depth - 1) + ", " + formula(0) + ")";
      case 5: return binary("^");
      default: return unary(functions[next(10)]);
    }
  }

 private:
  const std::uint8_t *data_, *end_;
};

void check_numbers(const Solution& solution) {
  const Trajectory& t = solution.trajectory;
  for (const std::vector<double>* x : {&t.t, &t.q, &t.v, &t.gap, &t.rate, &t.impulse, &t.kinetic, &t.potential})
    for (const double value : *x)
      if (!std::isfinite(value)) __builtin_trap();
  if (solution.status == Status::failed && solution.failure.message.empty()) __builtin_trap();
}

// Ends runs that say that they take very long, and after some seconds all others, as a user would: a million steps take
// long under sanitizers. Runs that do not listen are found by the fuzzer's own limit.
struct Impatience final : Observer {
  std::atomic<bool> over = false;
  void note(const std::string&) override { over = true; }
  std::jthread clock{[this](const std::stop_token& ended) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, ended, std::chrono::seconds(3), [] { return false; });
    over = true;
  }};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  try {
    const SchemeEntry& entry = catalogue()[bytes.next(static_cast<unsigned>(catalogue().size()))];
    const double restitutions[] = {0.0, 0.5, 1.0};
    const double e = restitutions[bytes.next(3)], h = bytes.next(2) == 0 ? 1e-2 : 0.3;
    const State start{.q = {bytes.number(), bytes.number()}, .v = {bytes.number(), bytes.number()}};
    const auto model =
        lagrangian({.coordinates = {"x", "y"},
                    .kinetic = bytes.next(2) == 0 ? "(x_dot^2 + 2*y_dot^2)/2"
                                                  : "((1 + x^2)*x_dot^2 + y_dot^2 + sin(y)*x_dot*y_dot)/2",
                    .potential = bytes.formula(),
                    .force = {{"x", bytes.formula(2) + " - x_dot"}},
                    .constraints = {{.name = "a", .gap = "x + 3 + " + bytes.formula(), .restitution = e},
                                    {.name = "b", .gap = bytes.formula(), .restitution = e}}});
    Impatience impatience;
    check_numbers(
        simulate(*model, start, {0.0, 12.0 * h}, entry, {.h = h, .interrupt = &impatience.over}, &impatience));
  } catch (const Error&) {
    // Refused with a sentence.
  }
  return 0;
}
