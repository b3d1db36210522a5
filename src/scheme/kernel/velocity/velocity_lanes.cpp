#include "scheme/kernel/kernel_lanes.hpp"
#include "scheme/kernel/velocity/velocity_step.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {

std::unique_ptr<LaneStepper> make_kernel_lanes(const Mechanics<Lanes>& model, const VelocityRule& rule,
                                               const ComplementaritySettings& solver) {
  return with_shape<2, 1>(model, rule, solver, [&](auto shape) -> std::unique_ptr<LaneStepper> {
    return std::make_unique<KernelLanes<VelocityStep<Lanes, decltype(shape)>>>(model, rule, solver);
  });
}

}  // namespace ricochet
