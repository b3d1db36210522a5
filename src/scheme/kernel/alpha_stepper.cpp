#include "scheme/kernel/alpha_stepper.hpp"

#include "scheme/kernel/alpha_step.hpp"
#include "scheme/kernel/kernel_stepper.hpp"

namespace ricochet {

std::unique_ptr<Stepper> make_alpha_stepper(const Model& model, const AlphaRule& rule,
                                            const ComplementaritySettings& solver, std::vector<std::string> notes) {
  return with_size<2>(model, [&](auto size) -> std::unique_ptr<Stepper> {
    return std::make_unique<KernelStepper<AlphaStep<double, size>>>(model, std::move(notes), rule, solver);
  });
}

}  // namespace ricochet
