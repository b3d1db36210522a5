#include "scheme/kernel/alpha_stepper.hpp"

#include "scheme/kernel/alpha_step.hpp"
#include "scheme/kernel/kernel_stepper.hpp"

namespace ricochet {

std::unique_ptr<Stepper> make_alpha_stepper(const Model& model, const AlphaRule& rule,
                                            const ComplementaritySettings& solver, std::vector<std::string> notes) {
  switch (model.nq()) {
    case 1: return std::make_unique<KernelStepper<AlphaStep<1>>>(model, std::move(notes), rule, solver);
    case 2: return std::make_unique<KernelStepper<AlphaStep<2>>>(model, std::move(notes), rule, solver);
    default: return std::make_unique<KernelStepper<AlphaStep<>>>(model, std::move(notes), rule, solver);
  }
}

}  // namespace ricochet
