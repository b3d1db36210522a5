#include "scheme/kernel/alpha/alpha_step.hpp"
#include "scheme/kernel/alpha/alpha_stepper.hpp"
#include "scheme/kernel/kernel_lanes.hpp"

namespace ricochet {

std::unique_ptr<LaneStepper> make_kernel_lanes(const Mechanics<Lanes>& model, const AlphaRule& rule,
                                               const ComplementaritySettings& solver) {
  if (!AlphaStep<Lanes>::takes_lanes(model.layout())) return nullptr;
  return with_size<2>(model, [&](auto size) -> std::unique_ptr<LaneStepper> {
    return std::make_unique<KernelLanes<AlphaStep<Lanes, Shape<size>>>>(model, rule, solver);
  });
}

}  // namespace ricochet
