#include "ricochet/model/lagrangian.hpp"

#include <algorithm>

#include "model/lagrangian_equations.hpp"
#include "model/scratch.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/model/compliance.hpp"
#include "ricochet/model/poles.hpp"

namespace ricochet {
namespace {

template <class Value>
using ModelBase = std::conditional_t<std::is_same_v<Value, Lanes>, LagrangianLanes, Mechanics<Value>>;

// The equations with one set of parameter values, or one set a lane.
template <class Value>
class EquationsModel : public ModelBase<Value>, public CompliantContacts, public KnownPoles {
 public:
  EquationsModel(std::shared_ptr<const LagrangianEquations> equations, const std::vector<Value>& parameters)
      : ModelBase<Value>(equations->layout), equations_(std::move(equations)) {
    for (std::size_t i = 0; i < functions_.size(); ++i) functions_[i] = {&equations_->tapes[i], {}};
    set_parameters(parameters.data());
  }

  void mass(Value t, const Value* q, Value* M) const override { call(Part::mass, {&t, q}, M); }
  void force(Value t, const Value* q, const Value* v, const Value* z, Value* F) const override {
    call(Part::force, {&t, q, v, z}, F);
  }
  void force_jacobians(Value t, const Value* q, const Value* v, const Value* z, Value* K, Value* C) const override {
    const int nK = this->layout().stiffness.size(), nC = this->layout().damping.size();
    Scratch<Value> both(nK + nC);
    call(Part::jacobians, {&t, q, v, z}, both.data());
    std::copy(both.data(), both.data() + nK, K);
    std::copy(both.data() + nK, both.data() + nK + nC, C);
  }
  void gap(Value t, const Value* q, Value* g) const override { call(Part::gap, {&t, q}, g); }
  void gap_gradient(Value t, const Value* q, Value* H) const override { call(Part::gradient, {&t, q}, H); }
  void gap_time_derivative(Value t, const Value* q, Value* g_t) const override {
    call(Part::time_derivative, {&t, q}, g_t);
  }
  void gap_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const override {
    call(Part::acceleration, {&t, q, v}, c);
  }
  void joint(Value t, const Value* q, Value* g) const override { call(Part::joint, {&t, q}, g); }
  void joint_gradient(Value t, const Value* q, Value* H) const override { call(Part::joint_gradient, {&t, q}, H); }
  void joint_drift(Value t, const Value* q, Value* o) const override { call(Part::joint_drift, {&t, q}, o); }
  void joint_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const override {
    call(Part::joint_acceleration, {&t, q, v}, c);
  }
  void slip_gradient(Value t, const Value* q, Value* H) const override { call(Part::slip_gradient, {&t, q}, H); }
  void slip_drift(Value t, const Value* q, Value* o) const override { call(Part::slip_drift, {&t, q}, o); }
  void slip_acceleration_terms(Value t, const Value* q, const Value* v, Value* c) const override {
    call(Part::slip_acceleration, {&t, q, v}, c);
  }
  void friction_bound(Value t, const Value* q, Value* bound) const override {
    call(Part::friction_bound, {&t, q}, bound);
  }
  void tangential_restitution(Value t, const Value* q, Value* e) const override {
    call(Part::tangential_restitution, {&t, q}, e);
  }
  void restitution(Value t, const Value* q, Value* e) const override { call(Part::restitution, {&t, q}, e); }
  void compliance(Compliance* laws) const override {
    if constexpr (std::is_same_v<Value, double>) {
      static_assert(sizeof(Compliance) == 4 * sizeof(Value));
      if (this->nc() > 0) call(Part::compliance, {}, &laws->stiffness);
    } else {
      std::fill_n(laws, this->nc(), Compliance());
    }
  }
  int pole_count() const override {
    if constexpr (!std::is_same_v<Value, double>) return 0;
    return equations_->tapes[static_cast<std::size_t>(Part::poles)].output_count();
  }
  void poles(double t, const double* q, const double* v, const double* z, double* functions) const override {
    if constexpr (std::is_same_v<Value, double>) call(Part::poles, {&t, q, v, z}, functions);
  }
  void state_rate(Value t, const Value* q, const Value* v, const Value* z, Value* rate) const override {
    call(Part::rate, {&t, q, v, z}, rate);
  }
  void state_jacobians(Value t, const Value* q, const Value* v, const Value* z, Value* F_z, Value* rate_q,
                       Value* rate_v, Value* rate_z) const override {
    const int nq = this->nq(), nz = this->nz();
    Scratch<Value> all(3 * nq * nz + nz * nz);
    call(Part::state_jacobians, {&t, q, v, z}, all.data());
    const Value* from = all.data();
    for (Value* part : {F_z, rate_q, rate_v}) {
      std::copy(from, from + nq * nz, part);
      from += nq * nz;
    }
    std::copy(from, from + nz * nz, rate_z);
  }
  Energy<Value> energy(Value t, const Value* q, const Value* v) const override {
    Value parts[2];
    call(Part::energy, {&t, q, v}, parts);
    return {parts[0], parts[1]};
  }
  Power<Value> power(Value t, const Value* q, const Value* v, const Value* z) const override {
    Value parts[2];
    call(Part::power, {&t, q, v, z}, parts);
    return {parts[0], parts[1]};
  }
  LinearForce<Value> linear_force() const override {
    const std::size_t nK = static_cast<std::size_t>(this->layout().stiffness.size());
    const std::size_t nC = static_cast<std::size_t>(this->layout().damping.size());
    std::vector<Value> all(2 * (nK + nC));
    call(Part::linear, {}, all.data());
    const auto part = [&](std::size_t from, std::size_t n) {
      return std::vector<Value>(all.begin() + from, all.begin() + static_cast<std::ptrdiff_t>(from + n));
    };
    return {part(0, nK), part(nK, nK), part(2 * nK, nC), part(2 * nK + nC, nC)};
  }
  void load(Value t, Load<Value>& load) const override {
    const int nq = this->nq();
    Scratch<Value> all(2 * nq + 1);
    call(Part::load, {&t}, all.data());
    for (int i = 0; i < nq; ++i) load.f[i] = all.data()[i], load.l[i] = all.data()[nq + i];
    load.V0 = all.data()[2 * nq];
  }
  std::optional<LinearTerms> linear_terms(double) const override {
    const std::vector<std::vector<int>>& powers = equations_->powers;
    if (!std::is_same_v<Value, double> || powers.empty()) return std::nullopt;
    std::vector<Value> all(
        static_cast<std::size_t>(equations_->tapes[static_cast<std::size_t>(Part::terms)].output_count()));
    call(Part::terms, {}, all.data());
    LinearTerms terms;
    const Value* part = all.data();
    for (std::size_t i = 0; i < powers.size(); ++i) {
      TimeSum sum;
      for (const int power : powers[i]) {
        sum.push_back({power, lane(part[0], 0), lane(part[1], 0), lane(part[2], 0), lane(part[3], 0)});
        part += 4;
      }
      (i < static_cast<std::size_t>(this->nq()) ? terms.force : terms.rows).push_back(std::move(sum));
    }
    return terms;
  }

 protected:
  void set_parameters(const Value* parameters) {
    for (Function& function : functions_) function.constants = function.tape->constants(parameters);
  }

 private:
  // A tape with its constants.
  struct Function {
    const formula::Tape* tape = nullptr;
    std::vector<Value> constants = {};
  };
  void call(Part part, const formula::Inputs<Value>& inputs, Value* outputs) const {
    const Function& function = functions_[static_cast<std::size_t>(part)];
    function.tape->evaluate(inputs, function.constants.data(), outputs);
  }

  std::shared_ptr<const LagrangianEquations> equations_;
  std::array<Function, std::tuple_size_v<decltype(LagrangianEquations::tapes)>> functions_;
};

class LanesModel final : public EquationsModel<Lanes> {
 public:
  LanesModel(std::shared_ptr<const LagrangianEquations> equations, const std::vector<Lanes>& parameters)
      : EquationsModel<Lanes>(std::move(equations), parameters), parameters_(parameters) {}

  void set(int lane, const double* parameters) override {
    for (std::size_t k = 0; k < parameters_.size(); ++k) parameters_[k].set(lane, parameters[k]);
    set_parameters(parameters_.data());
  }

 private:
  std::vector<Lanes> parameters_;
};

// The values of the parameters in the order of the equations, which is that of the description.
std::vector<double> values_of(const NamedQuantities& parameters) {
  std::vector<double> values;
  for (const auto& [name, value] : evaluate_parameters(parameters)) values.push_back(value);
  return values;
}

void check_count(const LagrangianEquations& equations, const std::vector<double>& parameters) {
  if (parameters.size() != equations.parameters.size())
    throw InputError("parameters", "the model has " + std::to_string(equations.parameters.size()) + ", got " +
                                       std::to_string(parameters.size()) + " values");
}

}  // namespace

std::unique_ptr<Model> lagrangian(const LagrangianDescription& description) {
  return std::make_unique<EquationsModel<double>>(derive_equations(description), values_of(description.parameters));
}

LagrangianFamily::LagrangianFamily(const LagrangianDescription& description)
    : equations_(derive_equations(description)) {}

const Layout& LagrangianFamily::layout() const { return equations_->layout; }

const std::vector<std::string>& LagrangianFamily::parameters() const { return equations_->parameters; }

std::unique_ptr<Model> LagrangianFamily::model(const std::vector<double>& parameters) const {
  check_count(*equations_, parameters);
  return std::make_unique<EquationsModel<double>>(equations_, parameters);
}

std::unique_ptr<LagrangianLanes> LagrangianFamily::lanes(const std::vector<double>& parameters) const {
  check_count(*equations_, parameters);
  return std::make_unique<LanesModel>(equations_, std::vector<Lanes>(parameters.begin(), parameters.end()));
}

}  // namespace ricochet
