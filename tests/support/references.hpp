// Problems with reference motions: closed forms, elliptic functions, and high-order integration between located
// impacts, good to all digits given. Between them: M(q), curved gaps, moving gaps, several constraints, lasting
// contact.
#pragma once

#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace ricochet::testing {

struct ReferencePoint {
  double t = 0.0;
  std::vector<double> q = {}, v = {};
};

struct Reference {
  std::string name;
  double restitution = 0.0;
  LagrangianDescription description;
  State start;
  std::vector<ReferencePoint> points;
};

// A pendulum swings against a wall: a curved gap. Impacts at 0.638, 1.992, 3.488.
inline Reference pendulum_wall() {
  return {.name = "pendulum_wall",
          .restitution = 0.6,
          .description = {.coordinates = {"angle"},
                          .kinetic = "l^2*angle_dot^2/2",
                          .potential = "-g*l*cos(angle)",
                          .parameters = {{"l", 1.0}, {"g", 9.81}, {"d", 0.3}},
                          .constraints = {{.name = "wall", .gap = "l*sin(angle) + d", .restitution = 0.6}}},
          .start = {.q = {1.0}, .v = {0.0}},
          .points = {{0.3, {0.6446127937427877}, {-2.254367385196756}},
                     {0.8, {-0.0014188658640599434}, {1.9558356882785497}},
                     {1.2, {0.5968026841168268}, {0.6585861379946127}},
                     {2.0, {-0.2967582937525265}, {1.0478015402589729}},
                     {3.0, {0.31304175940301576}, {-1.0009902349588042}},
                     {4.0, {0.20543180448773599}, {0.9326319464468156}}}};
}

// The tip of a double pendulum hits a wall: M(q) and a curved gap. Impacts at 0.813, 2.654.
inline Reference double_pendulum_wall() {
  return {.name = "double_pendulum_wall",
          .restitution = 0.5,
          .description = {.coordinates = {"a", "b"},
                          .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                          .potential = "-2*g*cos(a) - g*cos(b)",
                          .parameters = {{"g", 9.81}, {"d", 0.5}},
                          .constraints = {{.name = "wall", .gap = "sin(a) + sin(b) + d", .restitution = 0.5}}},
          .start = {.q = {0.8, 0.6}, .v = {0.0, 0.0}},
          .points = {{0.3, {0.4654915924173527, 0.6760871144444583}, {-1.9133009871917812, 0.13422475489125127}},
                     {0.8, {-0.16709158185289166, -0.2913142839827723}, {-0.30870078837174963, -3.416342419699121}},
                     {1.2, {-0.009638311694631417, 0.28442541871550153}, {1.0963666702698431, 0.683578857236419}},
                     {2.0, {0.24003776332722754, 0.4481285185289122}, {-1.136133875156035, 0.2823180476088585}},
                     {3.0, {-0.1219542389630411, 0.07826033660688761}, {0.13494739864910865, 1.3913194765877692}},
                     {4.0, {0.14773250373202035, 0.3081793256797697}, {-0.9895180011990888, 0.39733971632466225}}}};
}

inline LagrangianDescription moving_table_description(double restitution) {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "g*x",
          .parameters = {{"g", 9.81}, {"A", 0.1}, {"w", 12.0}},
          .constraints = {{.name = "table", .gap = "x - A*sin(w*t)", .restitution = restitution}}};
}

// A ball on a shaking table, inelastic: lands at 0.345, 0.875, 1.399, 1.922, 2.446, is thrown off at 0.586, 1.110, ...
inline Reference moving_table_e0() {
  return {.name = "moving_table_e0",
          .restitution = 0.0,
          .description = moving_table_description(0.0),
          .start = {.q = {0.5}, .v = {0.0}},
          .points = {{0.2, {0.3038}, {-1.962}},
                     {0.5, {-0.027941549819892587}, {1.1522043439804392}},
                     {1.0, {-0.0536572918000435}, {1.0126247504789905}},
                     {1.5, {-0.0750987246771676}, {0.7923800498928961}},
                     {2.0, {-0.09055783620066238}, {0.5090148088043964}},
                     {2.9, {0.024558817627592294}, {-1.2753282903419962}}}};
}

// The same with rebounds: impacts at 0.345, 0.462, 0.550, 0.903, 0.984, 1.035, 1.075, 1.397, then accumulating.
inline Reference moving_table_e05() {
  return {.name = "moving_table_e05",
          .restitution = 0.5,
          .description = moving_table_description(0.5),
          .start = {.q = {0.5}, .v = {0.0}},
          .points = {{0.2, {0.3038}, {-1.962}},
                     {0.5, {-0.01567485318593979}, {1.1779932642945887}},
                     {1.0, {-0.04888441903143092}, {1.156383443958151}},
                     {1.5, {-0.0750927078794889}, {0.8735147732126285}},
                     {1.9, {-0.046559976003370106}, {-1.7383362675806202}}}};
}

inline LagrangianDescription two_ball_description(double restitution) {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .potential = "k*(y - x)^2/2 + g*(x + y)",
          .parameters = {{"k", 1000.0}, {"g", 10.0}},
          .constraints = {{.name = "floor", .gap = "x", .restitution = restitution}}};
}

// Two balls on a stiff spring dropped on a floor, inelastic: impacts at 0.447, 0.986, 1.072, 1.247, closed between
// 0.447 and 0.553, 1.072 and 1.147, and from 1.247 on.
inline Reference two_ball_oscillator_e0() {
  return {.name = "two_ball_oscillator_e0",
          .restitution = 0.0,
          .description = two_ball_description(0.0),
          .start = {.q = {1.0, 1.0}, .v = {0.0, 0.0}},
          .points = {{0.2, {0.8, 0.8}, {-2.0, -2.0}},
                     {0.45, {0.0, -0.012483856277675643}, {0.0, -4.482614243718932}},
                     {0.6, {0.05718525420867433, 0.13839529171180356}, {3.047081517901217, 0.4567418456804697}},
                     {0.8, {0.29756608959090913, 0.19877912904590608}, {-0.5572294075842292, 0.06105277116591582}},
                     {1.0, {0.00421492606558966, 0.047244983658276264}, {0.5774432395554857, -1.137709167626482}},
                     {1.5, {0.0, -0.0246145844321006}, {0.0, 0.32487221642780295}},
                     {2.0, {0.0, 0.003475860384323734}, {0.0, -0.3708493252412961}}}};
}

// The same with rebounds: impacts at 0.447, 0.495, 0.519, 0.537, 0.951, 0.997, then two accumulations.
inline Reference two_ball_oscillator_e05() {
  return {.name = "two_ball_oscillator_e05",
          .restitution = 0.5,
          .description = two_ball_description(0.5),
          .start = {.q = {1.0, 1.0}, .v = {0.0, 0.0}},
          .points = {{0.2, {0.8, 0.8}, {-2.0, -2.0}},
                     {0.45, {0.0061676010911428, -0.01247583146642671}, {2.1821961973729076, -4.473992264873539}},
                     {0.6, {0.06903392226715185, 0.12043341584798772}, {2.8793149886511715, -0.061891704473738124}},
                     {0.8, {0.2144652957313701, 0.1384866992192562}, {-1.3641108531380852, 0.18153413731551887}},
                     {1.0, {0.002068237598728819, -0.01725791011591737}, {0.6703100796753274, 1.7449239283828455}},
                     {1.5, {0.0007046467703820904, 0.024804538148546138}, {0.6777697184381339, -0.12019304109543424}},
                     {2.0, {0.0, -0.012580067448308955}, {0.0, 0.2372709294747352}}}};
}

// A particle slides along the floor y = 0 into the wall x = 0 and comes back at −e times its speed.
inline LagrangianDescription corner_description(double restitution) {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .constraints = {{.name = "wall", .gap = "-x", .restitution = restitution},
                          {.name = "floor", .gap = "y", .restitution = restitution}}};
}

// The velocity after the corner, from (−1, 0) with (1, 0): the impact is at t = 1.
struct CornerReference {
  double restitution = 0.0, vx = 0.0, vy = 0.0;
};

inline std::vector<CornerReference> corner_orthogonal() {
  return {{0.0, 0.0, 0.0}, {0.25, -0.25, 0.0}, {0.5, -0.5, 0.0}, {1.0, -1.0, 0.0}};
}

// A free particle aimed at the vertex of a wedge with the given opening angle, between the floor y = 0 and a second
// wall: velocities in, and out again when it is aimed exactly at the vertex or a little to the left or right of it.
// A force-free motion in a cone looks the same at every scale, so "a little" may be any distance.
struct WedgeReference {
  std::string name;
  double angle = 0.0;  // degrees
  double restitution = 0.0;
  bool continuous = false;  // does the motion depend continuously on the data?
  std::vector<double> v_in, v_vertex, v_left, v_right;
};

inline LagrangianDescription wedge_description(double angle, double restitution) {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .parameters = {{"a", angle}},
          .constraints = {{.name = "floor", .gap = "y", .restitution = restitution},
                          {.name = "slope", .gap = "x*sin(a*pi/180) - y*cos(a*pi/180)", .restitution = restitution}}};
}

inline std::vector<WedgeReference> wedge_continuity() {
  const std::vector<double> in60 = {-0.9396926207859084, -0.3420201433256687}, in90 = {-0.8660254037844386, -0.5},
                            in120 = {-0.766044443118978, -0.6427876096865394}, still = {0.0, 0.0},
                            half90 = {0.4330127018922193, 0.25}, back90 = {0.8660254037844386, 0.5};
  return {{"60_e0", 60.0, 0.0, true, in60, still, still, still},
          {"60_e05",
           60.0,
           0.5,
           false,
           in60,
           {0.4698463103929542, 0.17101007166283436},
           {0.2285358773704975, 0.2517334831113794},
           {0.2807237272979743, 0.18953842547054142}},
          {"60_e1",
           60.0,
           1.0,
           false,
           in60,
           {0.9396926207859084, 0.3420201433256687},
           {0.766044443118978, 0.6427876096865394},
           {0.766044443118978, 0.6427876096865394}},
          {"90_e0", 90.0, 0.0, true, in90, still, still, still},
          {"90_e05", 90.0, 0.5, true, in90, half90, half90, half90},
          {"90_e1", 90.0, 1.0, true, in90, back90, back90, back90},
          {"120_e0",
           120.0,
           0.0,
           false,
           in120,
           still,
           {-0.1915111107797445, 0.3317069740844692},
           {0.08682408883346518, 0.0}},
          {"120_e05",
           120.0,
           0.5,
           false,
           in120,
           {0.383022221559489, 0.3213938048432697},
           {-0.11299584432003501, 0.6984315891537474},
           {0.5132583548096867, 0.09581820507261672}},
          {"120_e1",
           120.0,
           1.0,
           false,
           in120,
           {0.766044443118978, 0.6427876096865394},
           {-0.17364817766693036, 0.984807753012208},
           {0.9396926207859084, 0.3420201433256687}}};
}

}  // namespace ricochet::testing
