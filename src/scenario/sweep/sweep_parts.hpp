// What a sweep is put together from. All throw InputError with the field's path in the scenario.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/scenario/sweep_plan.hpp"
#include "scenario/keys/key.hpp"

namespace ricochet {

inline constexpr std::uint64_t trajectories_max = 1'000'000'000;

const SweepDescription& needed_sweep(const Scenario& scenario);

// transient = "settled"
bool ends_when_settled(const SweepDescription& sweep);

// Where the path of an axis leads.
struct AxisTarget {
  Quantity* quantity = nullptr;       // null: a parameter of the scheme
  std::string scheme_parameter = {};  // its name
  std::string field = {};             // the path with positions: "model.constraint[0].restitution"
  Range range = {};
};

// Makes room for a value that is not given yet but may be: an initial velocity, a restitution. `axis` is the place of
// the path in messages.
AxisTarget find_target(Scenario& scenario, const std::string& path, const std::string& axis);

// Sets a parameter of the scheme, given or not.
void set_parameter(Scheme& scheme, const std::string& name, double value);

// Trajectories by the values on their axes.
class ValuedCases : public SweepCases {
 public:
  explicit ValuedCases(const SweepPlan& plan) : plan_(plan) {}
  virtual SweepCase of(const std::vector<double>& axes) const = 0;
  SweepCase at(std::uint64_t trajectory) const override { return of(plan_.values(trajectory)); }

 protected:
  SweepPlan plan_;
};

// A formula of the motion, `field`, as a function with one output.
formula::Tape section_tape(const std::string& text, const std::string& field, const Layout& layout,
                           const std::vector<std::string>& parameters);

// How trajectories are made, and what section formulas may use: the model's layout and parameters.
struct CasesBuild {
  std::unique_ptr<ValuedCases> cases;
  Layout layout;
  std::vector<std::string> parameters;  // names, in the order of SweepCase::parameters
  std::shared_ptr<const Outputs> outputs = nullptr;
};
CasesBuild make_cases(const Scenario& scenario, const SweepPlan& plan, const Attachments* files);

}  // namespace ricochet
