// The event-driven scheme with friction on problems whose motion is known: blocks, disks, rods and a sphere in closed
// form, a rocking block and the woodpecker toy by quadrature; impacts that stick, slide and reverse, one that gains
// energy, and Painlevé's rod.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

using ::testing::HasSubstr;

const Scheme event_driven = EventDriven{.rtol = 1e-11};

struct Point {
  double t;
  std::vector<double> q, v;
};
struct Case {
  std::string name;
  LagrangianDescription model;
  State start;
  std::vector<Point> points;
  double tolerance = 1e-9;
};

// Each point by a run of its own, which takes what steps it likes.
void expect_points(const Case& problem) {
  const auto model = lagrangian(problem.model);
  for (const Point& point : problem.points) {
    const Solution solution = simulate(*model, problem.start, {0.0, point.t}, event_driven, {.h = point.t});
    ASSERT_EQ(solution.status, Status::completed) << problem.name << ": " << solution.failure.message;
    for (std::size_t i = 0; i < point.q.size(); ++i) {
      EXPECT_NEAR(solution.final.q[i], point.q[i], problem.tolerance) << problem.name << " t = " << point.t;
      EXPECT_NEAR(solution.final.v[i], point.v[i], problem.tolerance) << problem.name << " t = " << point.t;
    }
    EXPECT_NEAR(solution.energy.numerical, 0.0, problem.tolerance) << problem.name << " t = " << point.t;
  }
}

// x downhill, y along the normal.
LagrangianDescription incline(double mu) {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .potential = "9.81*(y*cos(0.3) - x*sin(0.3))",
          .constraints = {{.name = "slope", .gap = "y", .restitution = 0.0, .friction = mu, .slip = {"x_dot"}}}};
}
LagrangianDescription disk(double slope, double mu) {
  return {.coordinates = {"x", "y", "phi"},
          .kinetic = "(x_dot^2 + y_dot^2)/2 + R^2/4*phi_dot^2",
          .potential = "9.81*(y*cos(a) - x*sin(a))",
          .parameters = {{"R", 0.2}, {"a", slope}},
          .constraints = {
              {.name = "floor", .gap = "y - R", .restitution = 0.5, .friction = mu, .slip = {"x_dot - R*phi_dot"}}}};
}
LagrangianDescription belt() {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "x^2/2",
          .force = {{"x", "0.2*(x_dot - 0.5)"}},
          .frictions = {{.name = "belt", .slip = {"x_dot - 0.5"}, .limit = 1.0}}};
}
LagrangianDescription rod(double mu, double e, double e_T = 0.0) {
  return {.coordinates = {"x", "y", "phi"},
          .kinetic = "(x_dot^2 + y_dot^2)/2 + phi_dot^2/24",
          .potential = "9.81*y",
          .constraints = {{.name = "left-end",
                           .gap = "y - sin(phi)/2",
                           .restitution = e,
                           .friction = mu,
                           .slip = {"x_dot + sin(phi)/2*phi_dot"},
                           .tangential_restitution = e_T},
                          {.name = "right-end",
                           .gap = "y + sin(phi)/2",
                           .restitution = e,
                           .friction = mu,
                           .slip = {"x_dot - sin(phi)/2*phi_dot"},
                           .tangential_restitution = e_T}}};
}
LagrangianDescription rocking_block() {
  return {.coordinates = {"x", "y", "phi"},
          .kinetic = "(x_dot^2 + y_dot^2)/2 + (b^2 + h^2)/6*phi_dot^2",
          .potential = "9.81*y",
          .parameters = {{"b", 0.1}, {"h", 0.4}},
          .constraints = {{.name = "left",
                           .gap = "y - b*sin(phi) - h*cos(phi)",
                           .restitution = 0.0,
                           .friction = 0.6,
                           .slip = {"x_dot + (b*sin(phi) + h*cos(phi))*phi_dot"}},
                          {.name = "right",
                           .gap = "y + b*sin(phi) - h*cos(phi)",
                           .restitution = 0.0,
                           .friction = 0.6,
                           .slip = {"x_dot + (h*cos(phi) - b*sin(phi))*phi_dot"}}}};
}
State rocking_start() {
  const double tilt = std::atan(0.25) / 2.0, b = 0.1, h = 0.4;
  return {.q = {-b + b * std::cos(tilt) - h * std::sin(tilt), b * std::sin(tilt) + h * std::cos(tilt), tilt},
          .v = {0.0, 0.0, 0.0}};
}
LagrangianDescription woodpecker() {
  return {.coordinates = {"y", "M", "S"},
          .kinetic = "mM*y_dot^2/2 + JM*M_dot^2/2 + mS*(y_dot + lM*M_dot + lG*S_dot)^2/2 + JS*S_dot^2/2",
          .potential = "(mM + mS)*g*y + mS*g*(lM*M + lG*S) + c*(M - S)^2/2",
          .parameters = {{"mM", 0.0003},
                         {"JM", 5e-9},
                         {"mS", 0.0045},
                         {"JS", 7e-7},
                         {"c", 0.0056},
                         {"g", 9.81},
                         {"r0", 0.0025},
                         {"rM", 0.0031},
                         {"hM", 0.0058},
                         {"lM", 0.010},
                         {"lG", 0.015},
                         {"hS", 0.02},
                         {"lS", 0.0201}},
          .constraints = {{.name = "contact1",
                           .gap = "lM + lG - lS - r0 - hS*S",
                           .restitution = 0.5,
                           .friction = 0.3,
                           .slip = {"y_dot + lM*M_dot + (lG - lS)*S_dot"}},
                          {.name = "contact2",
                           .gap = "rM - r0 + hM*M",
                           .restitution = 0.0,
                           .friction = 0.3,
                           .slip = {"y_dot + rM*M_dot"}},
                          {.name = "contact3",
                           .gap = "rM - r0 - hM*M",
                           .restitution = 0.0,
                           .friction = 0.3,
                           .slip = {"y_dot + rM*M_dot"}}}};
}
const State woodpecker_start{.q = {0.0, 0.08940385274225082008, 0.12},
                             .v = {-0.13550179009339912716, -2.1574557692632013367, 16.911177368220861293}};

std::vector<Case> cases() {
  return {
      {"incline, sticks",
       incline(0.5),
       {.q = {0.0, 0.0}, .v = {-2.0, 0.0}},
       {{0.1, {-0.1620751064674558, 0.0}, {-1.2415021293491162, 0.0}},
        {0.2, {-0.24830042586982323, 0.0}, {-0.48300425869823227, 0.0}},
        {0.4, {-0.26367905268919944, 0.0}, {0.0, 0.0}},
        {0.6, {-0.26367905268919944, 0.0}, {0.0, 0.0}},
        {0.8, {-0.26367905268919944, 0.0}, {0.0, 0.0}},
        {1.0, {-0.26367905268919944, 0.0}, {0.0, 0.0}}}},
      {"incline, slides back",
       incline(0.2),
       {.q = {0.0, 0.0}, .v = {-2.0, 0.0}},
       {{0.1, {-0.1761328829049391, 0.0}, {-1.522657658098782, 0.0}},
        {0.2, {-0.3045315316197564, 0.0}, {-1.045315316197564, 0.0}},
        {0.4, {-0.4181261264790256, 0.0}, {-0.0906306323951279, 0.0}},
        {0.6, {-0.402199182742869, 0.0}, {0.1854814565295192, 0.0}},
        {0.8, {-0.3446092307232991, 0.0}, {0.39041806366617965, 0.0}},
        {1.0, {-0.2460319572763971, 0.0}, {0.5953546708028401, 0.0}}}},
      {"belt",
       belt(),
       {.q = {0.0}, .v = {0.5}},
       {{1.0, {0.5}, {0.5}},
        {3.0, {1.4166788632150384}, {0.25430848522456156}},
        {5.0, {0.8703633819595082}, {-0.6772485824867217}},
        {7.0, {0.15867182669885416}, {0.29396862410967073}},
        {8.0, {0.6315814041174325}, {0.5}},
        {10.0, {1.466501470862557}, {0.12097634073012799}},
        {12.0, {0.6905064169464225}, {-0.6817813167045733}},
        {15.0, {0.763162808234865}, {0.5}},
        {20.0, {0.10984399194120206}, {-0.08563317348569732}}}},
      {"disk rolls",
       disk(0.3, 0.3),
       {.q = {0.0, 0.2, 0.0}, .v = {2.0, 0.0, 0.0}},
       {{0.1, {0.2004374896992554, 0.2, 0.14057776437483294}, {2.0087497939851082, 0.0, 2.8115552874966587}},
        {0.2, {0.40174995879702163, 0.2, 0.5623110574993317}, {2.0174995879702164, 0.0, 5.6231105749933175}},
        {0.3, {0.6039374072932987, 0.2, 1.2651998793734964}, {2.0262493819553247, 0.0, 8.434665862489975}},
        {0.5, {1.0286867545998084, 0.2, 3.336948988186592}, {2.2996844091159137, 0.0, 11.498422045579568}},
        {1.0, {2.4201167281034106, 0.2, 10.294098855704602}, {3.2660354848984943, 0.0, 16.330177424492472}}}},
      {"disk slides",
       disk(0.3, 0.08),
       {.q = {0.0, 0.2, 0.0}, .v = {0.0, 0.0, 0.0}},
       {{0.1, {0.010746525753409827, 0.2, 0.03748740383328878}, {0.21493051506819658, 0.0, 0.7497480766657756}},
        {0.2, {0.04298610301363931, 0.2, 0.14994961533315512}, {0.42986103013639315, 0.0, 1.4994961533315512}},
        {0.3, {0.09671873178068845, 0.2, 0.33738663449959905}, {0.6447915452045897, 0.0, 2.249244229997327}},
        {0.5, {0.2686631438352457, 0.2, 0.9371850958322195}, {1.0746525753409828, 0.0, 3.748740383328878}},
        {1.0, {1.0746525753409828, 0.2, 3.748740383328878}, {2.1493051506819656, 0.0, 7.497480766657756}}}},
      {"disk bounces",
       disk(0.0, 0.15),
       {.q = {0.0, 1.2, 0.0}, .v = {3.0, 0.0, -10.0}},
       {{0.3, {0.9, 0.75855, -3.0}, {3.0, -2.943, -10.0}},
        {0.6,
         {1.6520246660605473, 0.4207022262630182, -4.520246660605473},
         {2.0033744434342453, 0.7581703771050302, -0.03374443434245461}},
        {0.8,
         {2.0526995547473965, 0.37613630168402423, -4.526995547473963},
         {2.0033744434342453, -1.2038296228949696, -0.03374443434245461}},
        {1.0,
         {2.405061665151368, 0.2612555656575454, -4.050616651513682},
         {1.5050616651513682, 0.1562555656575454, 4.949383348486318}},
        {1.2,
         {2.693848504107212, 0.21455779192056354, -2.938485041072121},
         {1.3333333333333333, -0.14470184006619705, 6.666666666666667}},
        {1.3,
         {2.8271818374405453, 0.20024163733329498, -2.2718183744054543},
         {1.3333333333333333, 0.12008010564099612, 6.666666666666667}},
        {1.6, {3.2271818374405457, 0.2, -0.27181837440545437}, {1.3333333333333333, 0.0, 6.666666666666667}},
        {2.0, {3.760515170773879, 0.2, 2.394848292261212}, {1.3333333333333333, 0.0, 6.666666666666667}}},
       1e-8},
      {"rod slides",
       rod(0.2, 0.5),
       {.q = {0.0, 1.0, 0.5}, .v = {3.0, 0.0, 0.0}},
       {{0.197, {0.591, 0.809641855, 0.5}, {3.0, -1.93257, 0.0}},
        {0.354, {1.062, 0.38532502, 0.5}, {3.0, -3.47274, 0.0}},
        {0.407,
         {1.2166759373872416, 0.20911196806379195, 0.3737199453531535},
         {2.674795451916137, -2.366647259580685, -9.497283407104977}},
        {0.427,
         {1.2701718464255642, 0.15981702287217825, 0.18377427721105397},
         {2.674795451916137, -2.562847259580685, -9.497283407104977}},
        {0.454,
         {1.3423913236273, 0.08704440186349975, -0.07265237478078042},
         {2.674795451916137, -2.8277172595806848, -9.497283407104977}}}},
      {"rocking block",
       rocking_block(),
       rocking_start(),
       {{0.1,
         {-0.04509837169502037, 0.4086389741684729, 0.11142599509670648},
         {0.0917480352398017, -0.012326569042264365, -0.22452101008352668}},
        {0.3,
         {-0.0042750360762952595, 0.40104455024573693, 0.010673552398259173},
         {0.33739601386701784, -0.08053275187415511, -0.8412931023754868}},
        {0.5,
         {0.03586794939518769, 0.407292376659841, -0.08880147268680874},
         {0.07322993582893772, 0.011530748473327994, -0.17979697147657955}},
        {0.7,
         {0.028338747539808622, 0.4060353000612591, -0.07028744198384489},
         {-0.15254072495230533, -0.026921943485254982, 0.37568340715521853}},
        {0.9,
         {-0.018616055780703498, 0.4041987798389679, 0.04628888314103563},
         {-0.1753377927327119, 0.03530362251211796, 0.43379099957344297}},
        {1.1,
         {-0.02777113755811212, 0.40593471326107455, 0.06888933643825924},
         {0.07904193767102619, -0.014064107002125351, -0.19471588678889556}}}},
      {"woodpecker",
       woodpecker(),
       woodpecker_start,
       {{0.0146,
         {0.0005977528934408711, 0.025896177808246927, 0.034776815035177856},
         {-0.05520259342084885, -1.3792916293348767, -6.111706585146228}},
        {0.0292,
         {-0.0007797746249884514, -0.053046958924210484, -0.04895570327069441},
         {-0.20742246947036547, -0.2634449136848595, -6.216039876502835}},
        {0.0438,
         {-0.004433000643432854, -0.10344827586206896, -0.13560780083471324},
         {-0.3395752094242609, -2.7873354985275755e-30, -6.313512794362841}},
        {0.0584,
         {-0.009784822567566806, -0.10344827586206896, -0.2313812571134052},
         {-0.37111071823334885, -2.989955301920467e-29, -6.930000819029541}},
        {0.073,
         {-0.014571943163160597, -0.10344827586206896, -0.3418137004812052},
         {-0.2587841640314531, -8.502333370563023e-29, -8.340551418804104}},
        {0.0876,
         {-0.016515491721324906, -0.10344827586206896, -0.47902171953209494},
         {4.881766341506946e-31, -1.6259499787415215e-28, -9.655513112002724}},
        {0.102,
         {-0.016515491721324906, -0.10344827586206896, -0.5204470584329014},
         {4.995543130127809e-32, -1.0168986151522348e-28, 4.230841706360079}},
        {0.117,
         {-0.016515491721324906, -0.10344827586206896, -0.3611547368226233},
         {-3.3658271303880355e-31, -5.130680292511297e-29, 15.689636595988938}},
        {0.131,
         {-0.016547334386692765, -0.10344827586206896, -0.12061701664066554},
         {-0.019740730068231568, -4.9918284659225245e-29, 17.421818603150093}}}},
      {"sphere",
       {.coordinates = {"x", "y", "z", "ax", "ay", "az"},
        .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + 0.004*(ax_dot^2 + ay_dot^2 + az_dot^2)/2",
        .potential = "9.81*z",
        .constraints = {{.name = "floor",
                         .gap = "z - 0.1",
                         .restitution = 0.5,
                         .friction = 0.2,
                         .slip = {"x_dot - 0.1*ay_dot", "y_dot + 0.1*ax_dot"}}}},
       {.q = {0.0, 0.0, 0.1, 0.0, 0.0, 0.0}, .v = {3.0, 0.0, 0.0, -20.0, -30.0, 5.0}},
       {{0.2,
         {0.5627736673844979, 0.01240877753850072, 0.1, -3.689780561537482, -5.069341684612446, 1.0},
         {2.6277366738449786, 0.1240877753850072, 0.0, -16.89780561537482, -20.69341684612446, 5.0}},
        {0.4,
         {1.0510946695379912, 0.04963511015400288, 0.1, -6.759122246149928, -8.277366738449784, 2.0},
         {2.2554733476899567, 0.2481755507700144, 0.0, -13.795611230749639, -11.386833692248919, 5.0}},
        {0.6,
         {1.4649630064604806, 0.11167899784650648, 0.1, -9.208025053837337, -9.624075161512014, 3.0},
         {1.8832100215349352, 0.3722633261550216, 0.0, -10.69341684612446, -2.0802505383733787, 5.0}},
        {0.8,
         {1.8043786781519655, 0.19854044061601153, 0.1, -11.036488984599712, -9.109466953799135, 4.0},
         {1.5109466953799136, 0.4963511015400288, 0.0, -7.59122246149928, 7.226332615502161, 5.0}},
        {1.0,
         {2.0751488885148546, 0.30828370382838177, 0.1, -12.292907404290457, -6.878722212871368, 5.0},
         {1.2857142857142858, 0.5714285714285714, 0.0, -5.714285714285714, 12.857142857142858, 5.0}},
        {1.5,
         {2.7180060313719974, 0.5939979895426675, 0.1, -15.150050261433313, -0.45015078429993965, 7.5},
         {1.2857142857142858, 0.5714285714285714, 0.0, -5.714285714285714, 12.857142857142858, 5.0}}}},
      {"particle across a slope",
       {.coordinates = {"x", "y", "z"},
        .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2",
        .potential = "9.81*(z*cos(0.4) - x*sin(0.4))",
        .constraints =
            {{.name = "slope", .gap = "z", .restitution = 0.0, .friction = 0.35, .slip = {"x_dot", "y_dot"}}}},
       {.q = {0.0, 0.0, 0.0}, .v = {0.0, 2.0, 0.0}},
       {{0.1, {0.018058143276563597, 0.18424014860223084, 0.0}, {0.350419062216578, 1.6858934277487894, 0.0}},
        {0.3, {0.1427531271391638, 0.4624230277188686, 0.0}, {0.8535019795480746, 1.1156224668127206, 0.0}},
        {0.5, {0.3452273927928595, 0.6410961819927709, 0.0}, {1.1454270670690854, 0.700168454450841, 0.0}},
        {0.8, {0.7315470536295083, 0.7925391604967257, 0.0}, {1.4122686198718875, 0.35339507632411293, 0.0}},
        {1.2, {1.353353885477844, 0.8886305228631592, 0.0}, {1.6917484776786955, 0.15798707699777226, 0.0}}}},
  };
}

TEST(FrictionReference, EventDrivenFollowsKnownMotions) {
  for (const Case& problem : cases()) expect_points(problem);
}

// Errors at the end over h, h/2, h/4, against the event-driven motion; the order between the first and the last.
double order_of(const Scheme& scheme, const LagrangianDescription& description, const State& start, double until,
                double h) {
  const auto model = lagrangian(description);
  const Solution exact = simulate(*model, start, {0.0, until}, event_driven, {.h = until});
  const auto error = [&](double step) {
    const Solution solution = simulate(*model, start, {0.0, until}, scheme, {.h = step});
    EXPECT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
    double largest = 0.0;
    for (std::size_t i = 0; i < start.q.size(); ++i)
      largest = std::max(largest, std::abs(solution.final.q[i] - exact.final.q[i]));
    return largest;
  };
  return std::log2(error(h) / error(h / 4.0)) / 2.0;
}

TEST(FrictionReference, MannshardtKeepsTheOrderOfItsTable) {
  EXPECT_NEAR(order_of(Mannshardt{}, belt(), {.q = {0.0}, .v = {0.5}}, 9.0, 0.1), 4.0, 0.15);
  EXPECT_NEAR(order_of(Mannshardt{}, rocking_block(), rocking_start(), 1.1, 0.02), 4.0, 0.15);
  EXPECT_NEAR(order_of(Mannshardt{}, woodpecker(), woodpecker_start, 0.14, 4e-4), 4.0, 0.15);
}

// While nothing switches: stick-slip on a belt up to the first stop, and a slip that turns.
TEST(FrictionReference, D1MinusSlidesWithOrderTwo) {
  const Case across = cases().back();
  EXPECT_NEAR(order_of(D1Minus{}, across.model, across.start, 1.2, 0.02), 2.0, 0.15);
  EXPECT_NEAR(order_of(D1Minus{}, belt(), {.q = {1.0}, .v = {0.5}}, 5.0, 0.04), 2.0, 0.15);
}

TEST(FrictionReference, WorkOfFriction) {
  const auto model = lagrangian(incline(0.2));
  const std::vector<std::pair<double, double>> known = {{0.1, -0.3301382254889409}, {0.2, -0.570804825289988},
                                                        {0.4, -0.7837231478284007}, {0.6, -0.8168014758745058},
                                                        {0.8, -0.9247463652793729}, {1.0, -1.1095166682038005}};
  for (const auto& [t, work] : known) {
    const Solution solution = simulate(*model, {.q = {0.0, 0.0}, .v = {-2.0, 0.0}}, {0.0, t}, event_driven, {.h = t});
    EXPECT_NEAR(solution.energy.friction, work, 1e-10) << t;
  }
  // One period of stick and slip, begun where it begins to slip.
  const double period = 6.736837191765135;
  const Solution belted =
      simulate(*lagrangian(belt()), {.q = {1.0}, .v = {0.5}}, {0.0, period}, event_driven, {.h = 0.1});
  EXPECT_NEAR(belted.final.q[0], 1.0, 1e-9);
  EXPECT_NEAR(belted.final.v[0], 0.5, 1e-9);
  EXPECT_NEAR(belted.energy.friction, -3.3684185958825674, 1e-9);
}

TEST(FrictionReference, WoodpeckerKeepsItsPeriod) {
  const double period = 0.14597606514375183, drop = 0.019445379284716527;
  const Solution solution =
      simulate(*lagrangian(woodpecker()), woodpecker_start, {0.0, 1.1 * period}, event_driven, {.h = 0.01});
  ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
  std::vector<double> beak;
  for (const Impact& impact : solution.impacts)
    if (impact.constraint == 0) beak.push_back(impact.t);
  ASSERT_EQ(beak.size(), 2u);
  EXPECT_NEAR(beak[1], period, 1e-9);
  const Solution once =
      simulate(*lagrangian(woodpecker()), woodpecker_start, {0.0, 0.99 * period}, event_driven, {.h = 0.01});
  State later = woodpecker_start;
  later.q[0] -= drop;
  const Solution twice =
      simulate(*lagrangian(woodpecker()), woodpecker_start, {0.0, 1.99 * period}, event_driven, {.h = 0.01});
  EXPECT_NEAR(twice.final.q[0], once.final.q[0] - drop, 1e-8);
  EXPECT_NEAR(twice.final.q[2], once.final.q[2], 1e-6);
}

struct Blow {
  double mu, e, e_T;
  std::vector<double> v_minus, v_plus;
  double P_N, P_T, friction;  // friction: ½(U_T⁻ + U_T⁺) P_T
};

// Two rods that hang from each other: e = ½ with stick gains energy by Newton's law.
TEST(FrictionReference, KaneAndLevinson) {
  const std::vector<Blow> blows = {
      {0.5,
       0.5,
       0.0,
       {-0.1, -0.2},
       {-0.3346489298435629, 0.363115364230321},
       0.5679798804836066,
       -0.24459659102263598,
       0.03267496673313554},
      {0.5,
       0.7,
       0.0,
       {-0.1, -0.2},
       {-0.44303839983043125, 0.4909389340831517},
       0.9165848137653183,
       -0.45829240688265915,
       0.05919503380053727},
      {0.5,
       0.5,
       0.5,
       {-0.1, -0.2},
       {-0.20629301926759447, 0.27531475036654207},
       0.11371673201672622,
       0.05685836600836311,
       -0.006328245245985588},
      {0.0, 0.5, 0.0, {-0.1, -0.2}, {-0.23050263059640955, 0.29187509983962223}, 0.1993967308265825, 0.0, 0.0},
      {0.5,
       0.0,
       0.0,
       {-0.1, -0.2},
       {-0.17086201284506297, 0.11687650024436137},
       0.07581115467781747,
       0.03790557733890874,
       -0.006188352681101045},
      {0.7,
       0.9,
       0.0,
       {-0.1, -0.2},
       {-0.6023680737184133, 0.6536076556145778},
       1.4454717247434838,
       -0.791625697240375,
       0.10575103771593736},
      {0.2,
       0.9,
       0.0,
       {-0.1, -0.2},
       {-0.29609002764077114, 0.4441011331806159},
       0.3615260856747768,
       -0.07230521713495536,
       0.005813523608696537}};
  for (const Blow& blow : blows) {
    const auto model = lagrangian({.coordinates = {"q1", "q2"},
                                   .kinetic = "(4/3*q1_dot^2 + q2_dot^2/3 + cos(q1 - q2)*q1_dot*q2_dot)/2",
                                   .parameters = {{"d", std::cos(M_PI / 9.0) + std::cos(M_PI / 6.0)}},
                                   .constraints = {{.name = "floor",
                                                    .gap = "d - cos(q1) - cos(q2)",
                                                    .restitution = blow.e,
                                                    .friction = blow.mu,
                                                    .slip = {"cos(q1)*q1_dot + cos(q2)*q2_dot"},
                                                    .tangential_restitution = blow.e_T}}});
    const Solution solution =
        simulate(*model, {.q = {M_PI / 9.0, M_PI / 6.0}, .v = blow.v_minus}, {0.0, 1e-9}, event_driven, {.h = 1e-9});
    ASSERT_EQ(solution.impacts.size(), 1u);
    EXPECT_NEAR(solution.final.v[0], blow.v_plus[0], 1e-8);
    EXPECT_NEAR(solution.final.v[1], blow.v_plus[1], 1e-8);
    EXPECT_NEAR(solution.impacts[0].impulse, blow.P_N, 1e-12);
    EXPECT_NEAR(solution.impacts[0].slip.impulse[0], blow.P_T, 1e-12);
    EXPECT_NEAR(solution.energy.friction, blow.friction, 1e-12);
  }
}

TEST(FrictionReference, RodStruckAtItsEnd) {
  const std::vector<Blow> blows = {
      {0.2,
       0.5,
       0.0,
       {2.0, -1.0, 0.0},
       {1.9064837905236909, -0.5324189526184538, -2.5810473815461346},
       0.46758104738154616,
       -0.09351620947630923,
       -0.14645431309506785},
      {0.2,
       0.5,
       0.0,
       {-2.0, -1.0, 0.0},
       {-1.8860182370820668, -0.43009118541033436, -2.325227963525836},
       0.5699088145896657,
       0.11398176291793313,
       -0.26122264206723883},
      {0.2,
       0.5,
       0.0,
       {0.0, -1.0, 0.0},
       {0.11398176291793313, -0.43009118541033436, -2.325227963525836},
       0.5699088145896657,
       0.11398176291793313,
       -0.033259116231372586},
      {0.2,
       0.5,
       0.0,
       {0.1, -1.0, 0.0},
       {0.21398176291793314, -0.43009118541033436, -2.325227963525836},
       0.5699088145896657,
       0.11398176291793313,
       -0.021860939939579275},
      {0.6,
       0.5,
       0.0,
       {0.1, -1.0, 0.0},
       {0.5377431906614786, -0.2704280155642023, -1.9260700389105059},
       0.7295719844357976,
       0.4377431906614786,
       0.013115262910869204},
      {0.5, 0.0, 0.0, {0.5, -1.0, 0.0}, {0.495, -0.66, -1.65}, 0.34, -0.005, -0.00125},
      {0.9,
       0.5,
       0.0,
       {-1.0, -1.0, 0.0},
       {-0.1687192118226601, -0.07635467980295567, -1.4408866995073892},
       0.9236453201970444,
       0.8312807881773399,
       -0.6654341284670824},
      {0.9,
       0.5,
       0.5,
       {-1.0, -1.0, 0.0},
       {-0.1687192118226601, -0.07635467980295567, -1.4408866995073892},
       0.9236453201970444,
       0.8312807881773399,
       -0.6654341284670824},
      {0.2,
       0.9,
       0.0,
       {0.3, -1.0, 0.0},
       {0.44437689969604866, -0.27811550151975684, -2.945288753799392},
       0.7218844984802432,
       0.14437689969604864,
       -0.010049334355743204},
      {0.6, 0.9, 0.0, {0.3, -1.0, 0.0}, {0.765, -0.12, -2.55}, 0.88, 0.465, 0.06975},
      {0.2,
       0.9,
       0.4,
       {-0.3, -1.0, 0.0},
       {-0.15562310030395138, -0.27811550151975684, -2.945288753799392},
       0.7218844984802432,
       0.14437689969604864,
       -0.09667547417337238},
      {0.0, 0.5, 0.0, {0.5, -1.0, 0.0}, {0.5, -0.4863013698630137, -2.4657534246575343}, 0.5136986301369864, 0.0, 0.0}};
  for (const Blow& blow : blows) {
    const auto model = lagrangian(rod(blow.mu, blow.e, blow.e_T));
    // A moment before: gravity does nothing in it.
    const State start{.q = {0.0, 0.3, std::asin(0.6)}, .v = blow.v_minus};
    const Solution solution = simulate(*model, start, {0.0, 1e-9}, event_driven, {.h = 1e-9});
    ASSERT_EQ(solution.impacts.size(), 1u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(solution.final.v[i], blow.v_plus[i], 1e-7);
    EXPECT_NEAR(solution.impacts[0].impulse, blow.P_N, 1e-12);
    EXPECT_NEAR(solution.impacts[0].slip.impulse[0], blow.P_T, 1e-12);
    EXPECT_NEAR(solution.energy.friction, blow.friction, 1e-12);
  }
}

// Slides on its left end with the centre to the right: the sliding contact has one acceleration, none, or two.
TEST(FrictionReference, PainleveRod) {
  const double phi = std::atan(2.0), y = std::sin(phi) / 2.0;
  const auto run = [&](double mu, const std::vector<double>& v) {
    return simulate(*lagrangian(rod(mu, 0.0)), {.q = {0.0, y, phi}, .v = v}, {0.0, 1e-7}, event_driven, {.h = 1e-7});
  };
  // One: λ_N = 61.3125, λ_T = 73.575.
  const Solution regular = run(1.2, {-1.0, 0.0, 0.0});
  ASSERT_EQ(regular.status, Status::completed) << regular.failure.message;
  EXPECT_NEAR(regular.final.v[0], -1.0 + 1e-7 * 73.575, 1e-11);
  EXPECT_NEAR(regular.final.v[1], 1e-7 * (61.3125 - 9.81), 1e-11);
  // None: an impact without collision, P = (0.3, 0.4).
  const Solution caught = run(1.5, {-1.0, 0.0, 0.0});
  ASSERT_EQ(caught.status, Status::completed) << caught.failure.message;
  EXPECT_NEAR(caught.final.v[0], -0.6, 1e-5);
  EXPECT_NEAR(caught.final.v[1], 0.3, 1e-5);
  EXPECT_NEAR(caught.final.v[2], 1.3416407864998738, 1e-5);
  EXPECT_NEAR(caught.energy.friction, -0.2, 1e-5);
  EXPECT_THAT(::testing::PrintToString(caught.notes), HasSubstr("impact without collision"));
  ASSERT_EQ(caught.impacts.size(), 1u);
  EXPECT_NEAR(caught.impacts[0].impulse, 0.3, 1e-12);
  EXPECT_NEAR(caught.impacts[0].slip.impulse[0], 0.4, 1e-12);
  EXPECT_EQ(caught.impacts[0].slip.status, SlipStatus::stick);
  // Two: it lifts off.
  const Solution lifted = run(1.5, {-3.6832815729997477, 1.3416407864998738, 6.0});
  ASSERT_EQ(lifted.status, Status::completed) << lifted.failure.message;
  EXPECT_NEAR(lifted.final.v[0], -3.6832815729997477, 1e-12);
  EXPECT_NEAR(lifted.final.v[1], 1.3416407864998738 - 1e-7 * 9.81, 1e-12);
  EXPECT_THAT(::testing::PrintToString(lifted.notes), HasSubstr("it opens"));
}

}  // namespace
}  // namespace ricochet
