#include "scheme/kernel/alpha/alpha_stepper.hpp"

#include "scheme/kernel/alpha/alpha_step.hpp"
#include "scheme/kernel/kernel_stepper.hpp"

namespace ricochet {

std::unique_ptr<Stepper> make_kernel_stepper(const Model& model, const AlphaRule& rule,
                                             const ComplementaritySettings& solver, std::vector<std::string> notes) {
  const auto make = [&](auto shape) -> std::unique_ptr<Stepper> {
    return std::make_unique<KernelStepper<AlphaStep<double, decltype(shape)>>>(model, std::move(notes), rule, solver);
  };
  if (is_constant_of(model, solver, 1, 1)) return make(Shape<1, 1, 0, 3>());
  return with_size<2>(model, [&](auto size) { return make(Shape<size>()); });
}

}  // namespace ricochet
