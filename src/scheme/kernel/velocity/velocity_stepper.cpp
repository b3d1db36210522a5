#include "scheme/kernel/velocity/velocity_stepper.hpp"

#include "ricochet/core/error.hpp"
#include "scheme/kernel/kernel_stepper.hpp"
#include "scheme/kernel/velocity/velocity_step.hpp"

namespace ricochet {
namespace {

// Auxiliary states make the matrix of the step dense.
void refuse_many_with_states(const Model& model) {
  constexpr int most = 3000;
  if (model.nz() == 0 || model.nq() + model.nz() <= most) return;
  throw InputError("scheme.name", "with auxiliary states (" + model.layout().states[0] +
                                      ") this scheme solves with a dense matrix: at most " + std::to_string(most) +
                                      " coordinates and states, the model has " +
                                      std::to_string(model.nq() + model.nz()) + "; event-driven takes more");
}

}  // namespace

std::unique_ptr<ContactStepper> make_kernel_stepper(const Model& model, const VelocityRule& rule,
                                                    const ComplementaritySettings& solver,
                                                    std::vector<std::string> notes) {
  refuse_many_with_states(model);
  return with_shape<3, 2>(model, rule, solver, [&](auto shape) -> std::unique_ptr<ContactStepper> {
    return std::make_unique<KernelStepper<VelocityStep<double, decltype(shape)>>>(model, std::move(notes), rule,
                                                                                  solver);
  });
}

}  // namespace ricochet
