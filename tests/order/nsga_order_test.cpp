// Orders of nsga with joints: the pendulum in Cartesian coordinates and the slider-crank, at times where the motion is
// known from elliptic functions and from the energy integral.
#include <gtest/gtest.h>

#include <cmath>

#include "support/orders.hpp"

namespace ricochet {
namespace {

struct Known {
  double t;
  std::vector<double> q, v;
};

// The fitted orders of q and v, and the largest error of q with the finest step.
struct Fit {
  double q, v, finest;
};

Fit fit_orders(const Model& model, const State& start, const std::vector<Known>& known, double unit) {
  std::vector<double> steps, q_errors, v_errors;
  for (const int halves : {1, 2, 4}) {
    const double h = unit / halves;
    double q_error = 0.0, v_error = 0.0;
    State state = start;
    double t = 0.0;
    const auto stepper = make_stepper(model, Nsga{});
    StepReport report;
    stepper->begin(state);
    for (const Known& at : known) {
      const int until = static_cast<int>(std::lround(at.t / h));
      for (int k = static_cast<int>(std::lround(t / h)); k < until; ++k)
        EXPECT_EQ(stepper->advance(state, h, (k + 1) * h, report), FailureKind::none) << stepper->failure_detail();
      t = at.t;
      for (std::size_t i = 0; i < at.q.size(); ++i) {
        q_error = std::max(q_error, std::abs(state.q[i] - at.q[i]));
        v_error = std::max(v_error, std::abs(state.v[i] - at.v[i]));
      }
    }
    steps.push_back(h), q_errors.push_back(q_error), v_errors.push_back(v_error);
  }
  return {testing::slope(steps, q_errors), testing::slope(steps, v_errors), q_errors.back()};
}

TEST(NsgaOrder, CartesianPendulum) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .potential = "9.81*y",
                                 .joints = {{.name = "string", .equation = {"(x^2 + y^2 - 1)/2"}}}});
  const std::vector<Known> known = {
      {0.5, {0.7444134422112098, -0.6677189731131338}, {-3.0791509270230173, -3.4328234376600135}},
      {1.0, {-0.9968207756937986, -0.07967647799202597}, {-0.2485095609035928, 3.1090668100569965}},
      {2.0, {0.00314576520380723, -0.9999950520684002}, {5.271093710197988, 0.016581705224691237}}};
  const Fit orders = fit_orders(*model, {.q = {std::sin(2.0), -std::cos(2.0)}, .v = {0.0, 0.0}}, known, 0.02);
  EXPECT_NEAR(orders.q, 2.0, 0.15);
  EXPECT_NEAR(orders.v, 2.0, 0.15);
  EXPECT_LT(orders.finest, 1e-3);
}

TEST(NsgaOrder, SliderCrank) {
  const auto model =
      lagrangian({.coordinates = {"crank", "xr", "yr", "rod", "xs"},
                  .kinetic = "l1^2/3*crank_dot^2/2 + (xr_dot^2 + yr_dot^2)/2 + l2^2/12*rod_dot^2/2 + xs_dot^2/2",
                  .potential = "9.81*l1/2*sin(crank) + 9.81*yr",
                  .parameters = {{"l1", 0.2}, {"l2", 0.5}},
                  .joints = {{.name = "crank-pin",
                              .equation = {"xr - l2/2*cos(rod) - l1*cos(crank)", "yr - l2/2*sin(rod) - l1*sin(crank)"}},
                             {.name = "piston-pin", .equation = {"xr + l2/2*cos(rod) - xs", "yr + l2/2*sin(rod)"}}}});
  const State start{
      .q = {1.0, 0.34347342984201776561, 0.084147098480789650665, -0.34329153918346440482, 0.57888639851040758774},
      .v = {20.0, -3.7521402410696325554, 1.0806046117362794348, -4.5902509868029122091, -4.1383965429076790841}};
  const std::vector<Known> known = {
      {0.05,
       {2.0225157138689207, 0.14594710932289903, 0.08996978976122547, -0.36813837134279914, 0.37919684014872634},
       {24.346980292021318, -3.971047613698169, -1.0627776025867957, 4.5563936936775935, -3.5611098310086224}},
      {0.1,
       {3.715784617565485, 0.0761020042280788, -0.05431565156048566, 0.21900920953987127, 0.32013030175842655},
       {34.78438414575683, 3.128606414811008, -2.9206063471995773, 11.968310137623963, 2.4785398516079966}},
      {0.2,
       {6.330997984267936, 0.4497257479505105, 0.00477944621254244, -0.019118949600647403, 0.6996800575630904},
       {39.12892563846599, -0.44876319883426513, 3.908420877707142, -15.636541269342601, -0.5234972067812882}},
      {0.3,
       {8.693177260662086, 0.09208736817407338, 0.06680615808999883, -0.27051177165070933, 0.33299593431744257},
       {30.350381267700826, -3.428912434511043, -2.2583900495420557, 9.374469682402435, -2.802640130898565}}};
  const Fit orders = fit_orders(*model, start, known, 1e-3);
  EXPECT_NEAR(orders.q, 2.0, 0.15);
  EXPECT_NEAR(orders.v, 2.0, 0.15);
  EXPECT_LT(orders.finest, 1e-3);
}

}  // namespace
}  // namespace ricochet
