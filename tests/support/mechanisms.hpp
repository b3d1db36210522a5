// Mechanisms with joints whose motions are known: a pendulum in Cartesian coordinates (elliptic functions) and a
// slider-crank (energy integral, quadrature).
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "ricochet/core/state.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet::testing {

struct KnownMotion {
  double t;
  std::vector<double> q, v;
};

inline LagrangianDescription pendulum_description() {
  return {.coordinates = {"x", "y"},
          .kinetic = "m*(x_dot^2 + y_dot^2)/2",
          .potential = "m*g*y",
          .parameters = {{"m", 1.0}, {"l", 1.0}, {"g", 9.81}},
          .joints = {{.name = "string", .equation = {"(x^2 + y^2 - l^2)/(2*l)"}}}};
}
inline std::unique_ptr<Model> pendulum() { return lagrangian(pendulum_description()); }
inline State pendulum_start() { return {.q = {std::sin(2.0), -std::cos(2.0)}, .v = {0.0, 0.0}}; }
inline std::vector<KnownMotion> pendulum_known() {
  return {{0.5, {0.7444134422112098, -0.6677189731131338}, {-3.0791509270230173, -3.4328234376600135}},
          {1.0, {-0.9968207756937986, -0.07967647799202597}, {-0.2485095609035928, 3.1090668100569965}},
          {2.0, {0.00314576520380723, -0.9999950520684002}, {5.271093710197988, 0.016581705224691237}},
          {3.0, {0.9965166706148715, -0.08339379585228046}, {-0.26107702386429915, -3.119747745457449}},
          {5.0, {0.9971099557727549, -0.07597194283980704}, {0.23606831677113052, 3.0983289369253213}},
          {10.0, {0.01572798363207563, -0.9998763076155316}, {5.270246823189803, 0.08290060994624592}}};
}

inline LagrangianDescription slider_crank_description() {
  return {.coordinates = {"crank", "xr", "yr", "rod", "xs"},
          .kinetic = "m1*l1^2/3*crank_dot^2/2 + m2*(xr_dot^2 + yr_dot^2)/2 + m2*l2^2/12*rod_dot^2/2 + m3*xs_dot^2/2",
          .potential = "m1*g*l1/2*sin(crank) + m2*g*yr",
          .parameters = {{"l1", 0.2}, {"l2", 0.5}, {"m1", 1.0}, {"m2", 1.0}, {"m3", 1.0}, {"g", 9.81}},
          .joints = {{.name = "crank-pin",
                      .equation = {"xr - l2/2*cos(rod) - l1*cos(crank)", "yr - l2/2*sin(rod) - l1*sin(crank)"}},
                     {.name = "piston-pin", .equation = {"xr + l2/2*cos(rod) - xs", "yr + l2/2*sin(rod)"}}}};
}
inline std::unique_ptr<Model> slider_crank() { return lagrangian(slider_crank_description()); }
inline State slider_crank_start() {
  return {.q = {1.0, 0.34347342984201776561, 0.084147098480789650665, -0.34329153918346440482, 0.57888639851040758774},
          .v = {20.0, -3.7521402410696325554, 1.0806046117362794348, -4.5902509868029122091, -4.1383965429076790841}};
}
// The same in three coordinates, crank, rod and slider, with one pin: the mass depends on the position.
inline std::unique_ptr<Model> slider_crank_in_angles() {
  return lagrangian({.coordinates = {"crank", "rod", "xs"},
                     .kinetic =
                         "m1*l1^2/3*crank_dot^2/2 + m3*xs_dot^2/2 + m2*l1^2*crank_dot^2/2 + m2*l2^2/3*rod_dot^2/2"
                         " + m2*l1*l2/2*crank_dot*rod_dot*cos(crank - rod)",
                     .potential = "m1*g*l1/2*sin(crank) + m2*g*(l1*sin(crank) + l2/2*sin(rod))",
                     .parameters = slider_crank_description().parameters,
                     .joints = {{.name = "piston-pin",
                                 .equation = {"l1*cos(crank) + l2*cos(rod) - xs", "l1*sin(crank) + l2*sin(rod)"}}}});
}
inline State in_angles(const State& state) {
  return {.q = {state.q[0], state.q[3], state.q[4]}, .v = {state.v[0], state.v[3], state.v[4]}};
}
inline std::vector<KnownMotion> slider_crank_known() {
  return {{0.05,
           {2.0225157138689207, 0.14594710932289903, 0.08996978976122547, -0.36813837134279914, 0.37919684014872634},
           {24.346980292021318, -3.971047613698169, -1.0627776025867957, 4.5563936936775935, -3.5611098310086224}},
          {0.1,
           {3.715784617565485, 0.0761020042280788, -0.05431565156048566, 0.21900920953987127, 0.32013030175842655},
           {34.78438414575683, 3.128606414811008, -2.9206063471995773, 11.968310137623963, 2.4785398516079966}},
          {0.5,
           {14.122498318723585, 0.23206709900391867, 0.09998924176870436, -0.41146989377781584, 0.46120057872811693},
           {19.97010300847178, -4.006373503537156, 0.029292339601827335, -0.12783963145449423, -4.019156091354281}}};
}

}  // namespace ricochet::testing
