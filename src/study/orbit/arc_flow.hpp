// The flow over one arc of an orbit, Y = φ(t, τ, y), with contacts held as they are: in closed form where the model has
// one (flow/linear_flow.hpp), otherwise by Runge-Kutta steps of order 8 at the limit of round-off.
#pragma once

#include <memory>
#include <vector>

#include "flow/linear_flow.hpp"
#include "ricochet/study/orbit.hpp"
#include "runge_kutta/adaptive.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"

namespace ricochet {

class ArcFlow {
 public:
  // Steps as parts of the arc: chosen by the error where there are none yet, otherwise repeated, so that differences of
  // flows are those of one smooth map.
  using Steps = std::vector<double>;

  explicit ArcFlow(std::shared_ptr<const Model> model);

  const Model& model() const { return *model_; }
  int size() const { return n_; }
  bool is_exact() const { return exact_ != nullptr; }
  // The sizes of (q, v, z): what errors are measured by.
  void set_sizes(const std::vector<double>& sizes);

  // False if the motion cannot be followed there.
  bool advance(double t, double tau, const double* y, const OrbitHold& held, Steps& steps, double* Y);
  // f(t, y)
  bool rate(double t, const double* y, const OrbitHold& held, double* f);
  // What ends an arc that is held, at (t, y): positive along it, 0 where it ends.
  double force(double t, const double* y, const OrbitHold& held, int contact);        // λ_N
  double slip_along(double t, const double* y, const OrbitHold& held, int friction);  // s·U_S
  double reserve(double t, const double* y, const OrbitHold& held, int friction);  // μ λ_N − ‖λ_S‖, or L − ‖λ_S‖
  double separation(double t, const double* y, const OrbitHold& held, int contact);  // Γ_N of a contact that is open
  // The fastest rate of the last arc, if it is exact; otherwise 0.
  double fastest() const { return fastest_; }

 private:
  struct Rhs {
    ArcFlow& flow;
    bool operator()(double t, const double* y, double* dy) { return flow.evaluate(t, y, dy); }
  };
  bool evaluate(double t, const double* y, double* dy);
  void hold(const OrbitHold& held);
  bool fly(double t, double tau, const double* y, const OrbitHold& held, double* Y);
  bool integrate(double t, double tau, const double* y, Steps& steps, double* Y);
  bool repeat(double t, double tau, const double* y, const Steps& steps, double* Y);

  std::shared_ptr<const Model> model_;
  const int nq_ = model_->nq(), n_ = 2 * nq_ + model_->nz();
  HeldContactsOde ode_{*model_};
  ContactKinematics<double> rows_{*model_};
  std::unique_ptr<LinearFlow> exact_;
  AdaptiveRungeKutta adaptive_;
  ExplicitRungeKutta fixed_;
  std::vector<double> padded_, rate_, now_;
  double fastest_ = 0.0;
};

}  // namespace ricochet
