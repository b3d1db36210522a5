// A model whose parts are Python functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "python_function.hpp"

namespace ricochet::python {

// A part that is a constant or a function; neither: left out.
struct Part {
  std::vector<double> constant = {};  // row after row
  PythonFunction function = {};
  bool given() const { return !constant.empty() || function; }
};

// Constraints whose gaps one function gives; a joint, whose equation is a gap, or there is only a rate; or a friction,
// whose slips are a rate.
struct RowBlock {
  int first = 0, size = 0;
  PythonFunction gap;        // size numbers of (t, q)
  PythonFunction rate = {};  // U, size numbers of (t, q, v), linear in v: in place of the gap
  Part gradient;             // size × nq
  Part time_derivative;      // size numbers: U at v = 0
  Part restitution = {};     // size numbers
  std::string name = {};     // of a joint or friction
  int constraint = -1;       // whose force bounds a friction
  Part bound = {};           // of a friction: μ or its limit, one number
  Part tangential_restitution = {};
};

struct CallableParts {
  std::vector<std::string> coordinates, constraints, states;
  Part mass;  // nq × nq
  PythonFunction force;
  Part stiffness, damping;   // −∂F/∂q, −∂F/∂v
  PythonFunction potential;  // V(t, q)
  PythonFunction power;      // (input, damping) of (t, q, v)
  PythonFunction rate;       // z'
  std::vector<RowBlock> blocks, joints, frictions;
};

std::unique_ptr<Model> callable_model(CallableParts parts);

// A linear model with one more load f(t), a vector of nq numbers.
std::unique_ptr<Model> with_load(std::shared_ptr<const Model> model, PythonFunction load);

}  // namespace ricochet::python
