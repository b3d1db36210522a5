// The one description of a scenario's keys. The reader, the writer, the checks, the messages on unknown
// keys and docs/scenario-reference.md all run over it: a key added here is known to all of them.
//
// describe(visit, value) calls, for each key in the order of a file, one of
//     text      words                              formula    a formula in quotes, or a number
//     quantity  a number or a formula              quantities a table from names to these
//     names     a list of names                    row        a list of numbers or formulas
//     matrix    a list of rows                     count      a whole number, 0 or more
//     table     a table of its own ([key])         tables     a list of tables ([[key]])
//     rows      a list of tables, one a line       choice     a table with a `kind`
//     values    quantities, or one for all         matrix_or_file  a matrix, or the name of a file
//     word_or_table  a word in quotes, or a table of its own in one line
//     scheme    the [scheme] table, whose keys are those of the catalogue
#pragma once

#include "ricochet/scenario/describe_kinds.hpp"
#include "ricochet/scenario/describe_sweep.hpp"
#include "ricochet/scenario/key.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

template <class Visitor>
void describe(Visitor& visit, ConstraintDescription& constraint) {
  visit.text({"name", "its name in results and messages", "\"floor\"", true}, constraint.name);
  visit.formula({"gap", "g(t, q) ≥ 0: the gap, open when positive; may depend on t", "\"x\"", true}, constraint.gap);
  visit.quantity({"restitution", "e: U⁺ = −e U⁻; a number or a formula of t and q", "0.9", false, zero_to_one},
                 constraint.restitution);
  visit.quantity(
      {"dissipation_index", "d in place of the restitution: e = (1 − d)/(1 + d)", "0.05", false, zero_to_one},
      constraint.dissipation_index);
}

template <class Visitor>
void describe(Visitor& visit, StateDescription& state) {
  visit.text({"name", "its name in formulas", "\"p\"", true}, state.name);
  visit.formula({"rate", "z' as a formula of t, coordinates, velocities and states", "\"-p/tau + x_dot\"", true},
                state.rate);
  visit.quantity({"initial", "its value at the start; a number or a formula of the parameters", "0.0"}, state.initial);
}

template <class Visitor>
void describe(Visitor& visit, LagrangianDescription& model) {
  visit.names({"coordinates", "q; the velocity of x is x_dot in formulas", "[\"x\"]", true}, model.coordinates);
  visit.quantities(
      {"parameters", "names for use in formulas: values, or formulas of other parameters", "{ m = 1.0, g = 9.81 }"},
      model.parameters);
  visit.formula({"kinetic",
                 "T(t, q, q_dot), at most quadratic in the velocities: the mass matrix and the inertia "
                 "terms are derived from it",
                 "\"m*x_dot^2/2\""},
                model.kinetic);
  visit.matrix({"mass", "M(t, q) in place of kinetic: M q'' = force − dV/dq − dD/dq_dot, no inertia terms are derived",
                "[[\"m\"]]"},
               model.mass);
  visit.formula({"potential", "V(t, q)", "\"m*g*x\""}, model.potential);
  visit.formula({"dissipation", "D(t, q, q_dot), the Rayleigh function: force −dD/dq_dot", "\"c*x_dot^2/2\""},
                model.dissipation);
  visit.quantities({"force", "further generalised forces Q(t, q, q_dot) by coordinate", "{ x = \"A*cos(w*t)\" }"},
                   model.force);
  visit.tables({"state", "an auxiliary first-order state z, for use in forces", {}}, model.states);
  visit.tables({"constraint", "a unilateral constraint", {}}, model.constraints);
}

template <class Visitor>
void describe(Visitor& visit, Initial& initial) {
  visit.values({"q",
                "the coordinates at the start: numbers or formulas of the parameters by coordinate, all of them where "
                "the model is made of formulas; or one for all, on bars and beams also a formula of the abscissa x; "
                "or a CSV or NPY file",
                "{ x = 1.0 }"},
               initial.q);
  visit.values({"v", "the velocities at the start, likewise; those not given are 0", "{ x = 0.0 }"}, initial.v);
}

template <class Visitor>
void describe(Visitor& visit, Time& time) {
  visit.quantity({"from", "start of the run", "0.0"}, time.from);
  visit.quantity({"until", "end of the run, after its start", "3.0", true}, time.until);
  visit.quantity({"step",
                  "largest step h: the grid is even, and the run ends exactly at `until`; for schemes that "
                  "choose their own steps, the interval at which the result is recorded",
                  "1e-3", true, positive},
                 time.step);
  visit.count(
      {"record_every", "record every so many steps, and always the first and the last state; 0: only these two", "1"},
      time.record_every);
}

template <class Visitor>
void describe(Visitor& visit, Solver& solver) {
  visit.text({"name", "the solver of the contact problems; `ricochet solvers` lists them", "\"active-set\""},
             solver.name);
  visit.quantity({"tolerance", "largest accepted residual; the solver's own if not given", "1e-8", false, positive},
                 solver.tolerance);
  visit.count({"max_iterations", "iterations before a contact problem counts as failed; 0: the solver's own", "0"},
              solver.max_iterations);
  visit.quantity({"relaxation", "ω in (0, 2), over-relaxation of gauss-seidel", "1.2", false, positive},
                 solver.relaxation);
}

template <class Visitor>
void describe(Visitor& visit, KnownImpact& impact) {
  visit.quantity({"t", "its time", "0.45", true}, impact.t);
  visit.text({"constraint", "the name of the constraint", "\"floor\"", true}, impact.constraint);
  visit.quantity({"rate_minus", "gap rate U before it", "-4.43"}, impact.rate_minus);
  visit.quantity({"rate_plus", "gap rate U after it", "3.99"}, impact.rate_plus);
  visit.quantity({"impulse", "contact impulse P", "8.42"}, impact.impulse);
}

template <class Visitor>
void describe(Visitor& visit, KnownSample& sample) {
  visit.quantity({"t", "its time", "0.25", true}, sample.t);
  visit.row({"q", "all coordinates, in their order", "[0.69]"}, sample.q);
  visit.row({"v", "all velocities, in their order", "[-2.45]"}, sample.v);
  visit.quantities({"observed", "displacements that the model observes, by name", "{ tip = 1e-3 }"}, sample.observed);
  visit.quantity({"energy", "kinetic plus potential energy", "9.81"}, sample.energy);
}

template <class Visitor>
void describe(Visitor& visit, KnownAnswer& known) {
  visit.text({"source", "where the answer comes from", "\"closed form\"", true}, known.source);
  visit.row({"window", "the times from and until which the answer holds; the whole run if not given", "[0.0, 2.5]"},
            known.window);
  visit.quantity({"error",
                  "the largest |q − q exact| allowed at the scenario's own step: the maximum over the "
                  "coordinates and over the samples, or over the recorded times where q is given as formulas",
                  "1e-2", false, positive},
                 known.error);
  visit.quantity({"time_error", "the largest error allowed in the times of the impacts", "1e-3", false, positive},
                 known.time_error);
  visit.quantities({"q", "the exact motion: formulas of t, by coordinate", "{ x = \"cos(t)\" }"}, known.q);
  visit.quantities({"v", "its velocities: formulas of t, by coordinate", "{ x = \"-sin(t)\" }"}, known.v);
  visit.rows({"impacts", "the first impacts, one a line, in the order of time", {}}, known.impacts);
  visit.rows({"samples", "states at given times, one a line, in the order of time", {}}, known.samples);
}

template <class Visitor>
void describe(Visitor& visit, Scenario& scenario) {
  visit.text({"title", "one line that names the scenario", "\"Ball on a floor\""}, scenario.title);
  visit.text({"about", "what it shows, in as many lines as it needs", "\"A ball falls on a floor.\""}, scenario.about);
  visit.choice({"model", "the mechanical system", {}, true}, scenario.model);
  visit.table({"initial", "the state at the start; required where the model is made of formulas", {}},
              scenario.initial);
  visit.scheme({"scheme", "the time integrator and its parameters", {}}, scenario.scheme);
  visit.table({"time", "span and step of the run", {}, true}, scenario.time);
  visit.table({"solver", "how the contact problems are solved", {}}, scenario.solver);
  visit.table({"sweep", "many trajectories with different values, for `ricochet sweep`; a run does not need it", {}},
              scenario.sweep);
  visit.table({"known", "what the motion is known to be; a run does not need it, the tests of the gallery do", {}},
              scenario.known);
}

}  // namespace ricochet
