// The reference problems for schemes that locate events: states at several times and all impact times, to be met to the
// tolerances given. Impacts closer than 3e-7 to the one before are left out: an accumulation is a set with a limit.
#pragma once

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"
#include "support/references.hpp"

namespace ricochet::testing {

struct AccurateReference {
  Reference problem;
  std::vector<double> impacts;
  double until = 0.0;       // a motion up to here has exactly these impacts
  double step = 0.0;        // that resolves the smooth motion, for schemes of order 6
  double tolerance = 1e-8;  // of states, relative to the largest ones
  double time_tolerance = 1e-8;
};

inline void PrintTo(const AccurateReference& reference, std::ostream* out) { *out << reference.problem.name; }

// From height 1 at rest under gravity g: t₁ = √(2/g), t_{n+1} = t_n + 2 V eⁿ/g, V = √(2 g).
inline std::vector<double> ball_impacts(double g, double e) {
  const double V = std::sqrt(2.0 * g);
  std::vector<double> impacts = {V / g};
  for (double flight = 2.0 * V * e / g; flight >= 3e-8; flight *= e) impacts.push_back(impacts.back() + flight);
  return impacts;
}

// At rest after the impacts have accumulated at t = 3, and at t = 8.579.
inline AccurateReference bouncing_ball_f2_e05() {
  return {.problem = {.name = "bouncing_ball_f2_e05",
                      .restitution = 0.5,
                      .description = ball_description(2.0, 0.5),
                      .start = {.q = {1.0}, .v = {0.0}},
                      .points = {{0.5, {0.75}, {-1.0}},
                                 {1.25, {0.1875}, {0.5}},
                                 {1.9, {0.09}, {-0.8}},
                                 {2.3, {0.06}, {-0.1}},
                                 {2.7, {0.01}, {-0.15}},
                                 {2.9, {0.0009375}, {0.0125}},
                                 {2.99, {1.23046875e-05}, {-0.0034375}},
                                 {3.5, {0.0}, {0.0}}}},
          .impacts = ball_impacts(2.0, 0.5),
          .until = 4.0,
          .step = 0.02};
}

inline AccurateReference bouncing_ball_g981_e09() {
  Reference problem = {.name = "bouncing_ball_g981_e09",
                       .restitution = 0.9,
                       .description = ball_description(9.81, 0.9),
                       .start = {.q = {1.0}, .v = {0.0}},
                       .points = {{0.25, {0.6934375}, {-2.4525}},
                                  {0.75, {0.7528993582497787}, {1.0584491443330384}},
                                  {1.5, {0.5732050613491593}, {1.2753033742327728}},
                                  {2.5, {0.3810454528563347}, {-1.7177778188574662}},
                                  {5.0, {0.1215486548391244}, {-1.11841003329892}},
                                  {8.0, {0.001192658722772916}, {0.2418777836200921}}}};
  problem.points.push_back({9.0, {0.0}, {0.0}});
  return {.problem = problem, .impacts = ball_impacts(9.81, 0.9), .until = 9.0, .step = 0.02};
}

inline AccurateReference force_free_ball_e03() {
  return {.problem = {.name = "force_free_ball_e03",
                      .restitution = 0.3,
                      .description = ball_description(0.0, 0.3),
                      .start = {.q = {1.0}, .v = {-1.0}},
                      .points = {{0.5, {0.5}, {-1.0}}, {1.5, {0.15}, {0.3}}, {3.0, {0.6}, {0.3}}}},
          .impacts = {1.0},
          .until = 3.0,
          .step = 0.02};
}

// Against a stop at its rest position: impacts at π/2 + nπ.
inline AccurateReference impact_oscillator_rest() {
  return {.problem = {.name = "impact_oscillator_rest",
                      .restitution = 0.8,
                      .description = oscillator_description(0.8),
                      .start = {.q = {1.0}, .v = {0.0}},
                      .points = {{1.0, {0.5403023058681398}, {-0.8414709848078965}},
                                 {2.0, {0.3329174692377139}, {0.7274379414605453}},
                                 {3.0, {0.7919939972803564}, {0.11289600644789377}},
                                 {5.0, {0.1815437986964648}, {0.6137115357844086}},
                                 {10.0, {0.42960462288714363}, {-0.27853880877535736}},
                                 {20.0, {0.10697626401200983}, {-0.23932311980674323}}}},
          .impacts = {1.5707963267948966, 4.71238898038469, 7.853981633974483, 10.995574287564276, 14.137166941154069,
                      17.278759594743864, 20.420352248333657, 23.56194490192345, 26.703537555513243, 29.845130209103036,
                      32.98672286269283, 36.12831551628262},
          .until = 37.0,
          .step = 0.04};
}

// A forced oscillator on its orbit of one impact a period, which is stable: over 100 periods.
inline AccurateReference forced_impact_oscillator() {
  constexpr double period = 2.8559933214452666;
  constexpr int periods = 100;
  AccurateReference reference = {
      .problem = {.name = "forced_impact_oscillator",
                  .restitution = 0.8,
                  .description = {.coordinates = {"x"},
                                  .kinetic = "x_dot^2/2",
                                  .potential = "x^2/2",
                                  .force = {{"x", "A*cos(2.2*t + phase)"}},
                                  .parameters = {{"A", -0.6583282847164481}, {"phase", 2.803786574972142}},
                                  .constraints = {{.name = "stop", .gap = "x", .restitution = 0.8}}},
                  .start = {.q = {0.0}, .v = {1.0}},
                  .points = {{0.28559933214452665, {0.30789181414188}, {1.141896199340542}},
                             {0.7139983303613167, {0.8021430764193567}, {1.1001454447637817}},
                             {1.4279966607226333, {1.2983192105996357}, {0.125}},
                             {2.14199499108395, {0.9157794400557203}, {-1.1001454447637817}},
                             {2.5703939893007397, {0.37468559281147923}, {-1.344150447934279}}}},
      .impacts = {},
      .until = (periods + 0.5) * period,
      .step = 0.03};
  const std::vector<ReferencePoint> first = reference.problem.points;
  for (const ReferencePoint& point : first)
    reference.problem.points.push_back({point.t + (periods - 1) * period, point.q, point.v});
  for (int k = 1; k <= periods; ++k) reference.impacts.push_back(k * period);
  return reference;
}

// A clamped pipe shaken near its clamp, in a guide with play, by its first six modes.
inline LagrangianDescription guided_pipe_description() {
  const std::vector<double> frequency = {51.752934662293825, 324.3301052982941,  908.1336861634287,
                                         1779.5795763623667, 2941.7725504314685, 4394.498802569325};
  const std::vector<double> at_guide = {0.9222691074844012,  1.1789518769389125, -0.9475304829878284,
                                        -0.6529899506315521, 1.4005088024230767, -0.22219655330779964};
  const std::vector<double> acceleration = {5.755342927936663, 27.12775082215827, 54.47140155125579,
                                            67.92325300993338, 59.43810104698254, 30.348790432801096};
  LagrangianDescription pipe{.coordinates = {}, .kinetic = "0", .potential = "0"};
  pipe.parameters = {{"m", 1.3317211258567134}};
  std::string deflection = "0";
  for (std::size_t i = 0; i < frequency.size(); ++i) {
    const std::string n = std::to_string(i + 1), q = "q" + n;
    pipe.coordinates.push_back(q);
    pipe.parameters.push_back({"w" + n, frequency[i]});
    pipe.parameters.push_back({"G" + n, at_guide[i]});
    pipe.parameters.push_back({"a" + n, acceleration[i]});
    pipe.kinetic += " + m*" + q + "_dot^2/2";
    pipe.potential += " + m*w" + n + "^2*" + q + "^2/2";
    pipe.force.push_back({q, "m*a" + n + "*sin(36*pi*t)"});
    deflection += " + G" + n + "*" + q;
  }
  pipe.constraints = {{.name = "right", .gap = "0.0005 - (" + deflection + ")", .restitution = 0.5},
                      {.name = "left", .gap = "0.0005 + " + deflection, .restitution = 0.5}};
  return pipe;
}

inline AccurateReference guided_pipe() {
  return {.problem = {.name = "guided_pipe",
                      .restitution = 0.5,
                      .description = guided_pipe_description(),
                      .start = {.q = std::vector<double>(6, 0.0), .v = std::vector<double>(6, 0.0)},
                      .points = {{0.005991600216844297,
                                  {2.26939863417634e-05, 8.870938063912652e-05, 4.829505083326296e-05,
                                   1.4794686791782734e-05, 4.561107097097118e-06, 9.4824398935008e-07},
                                  {0.011151474508151113, 0.037951784301694616, 0.0008581266309523458,
                                   0.0026936496161491024, 0.0003413755207152098, 7.367079142476142e-05}},
                                 {0.010784880390319737,
                                  {0.00012428460221770038, 0.0003113951474863757, 6.601438802337052e-05,
                                   1.9761147705768717e-05, 6.378057709124343e-06, 1.4874661510336796e-06},
                                  {0.03246304985461173, 0.04253825417479802, 0.0096853625129876, -0.0014561120873094586,
                                   -0.00047315307920421494, 0.00023255999067200598}},
                                 {0.01243809171401028,
                                  {0.0001770765628724728, 0.00035932176540654886, 8.20432880074868e-05,
                                   2.6433592728342156e-05, -1.683412505143632e-06, 2.4543295684687396e-06},
                                  {0.02364320694357478, 0.004343845896806336, 0.015307504164930456,
                                   0.011274192790026323, -0.006286838298365487, -0.0016492695836319159}},
                                 {0.014128445386546434,
                                  {0.00020989641013206118, 0.0003330496551825454, 9.515391116675902e-05,
                                   2.1002221914910784e-05, 9.688667128874827e-06, 1.108791267472937e-06},
                                  {0.02064165394204499, -0.02750304655305023, -0.008825423317729978,
                                   -0.016987070111596843, -0.0099437214811155, -0.0024415540426391174}},
                                 {0.018715101360510782,
                                  {0.00033851074693694316, 0.0001537486532237562, 5.1431935315116647e-05,
                                   8.834081088179584e-06, 6.035988079005523e-06, 9.324497854752328e-07},
                                  {0.03701657808112651, -0.03542868657437394, 0.01684111637423443, 0.008369243723407669,
                                   -0.005581563388631666, 0.0005167515183216595}},
                                 {0.022602652941507723,
                                  {0.0004991604823403697, 6.814739299264393e-05, 4.238664660577136e-05,
                                   1.2631902650000868e-05, -2.8559293042162687e-06, 1.4364350894563899e-06},
                                  {0.03254865311393583, -0.02348855600667135, -0.01296371880713244, 0.02242193210548015,
                                   -0.002267038403864502, -0.004787242776092956}},
                                 {0.02372881743336905,
                                  {0.0005308301846420343, 3.893973504602723e-05, 3.2069413466751363e-05,
                                   2.5193322561868587e-05, 4.5108990090941075e-06, 2.145945650624811e-06},
                                  {0.024042686093414492, -0.027747005796808777, -0.005400667384851569,
                                   -0.010051200244650652, 8.611412702227742e-05, -0.0009119446603984186}},
                                 {0.024604924524370696,
                                  {0.0005511641594282427, 1.626768622598239e-05, 2.7457625178093408e-05,
                                   4.0629188749102e-06, -1.4681696690788673e-07, -2.3982718792661716e-07},
                                  {0.02097603732536377, -0.025708170912017995, -0.0039130794630336686,
                                   -0.02791426730548545, -0.00754354356487847, 0.004834412832151758}},
                                 {0.025026304979436302,
                                  {0.0005597040522181878, 5.692046079223308e-06, 2.5816179425018603e-05,
                                   -5.547063895496945e-06, -1.4193603870692548e-06, 1.871481515081922e-06},
                                  {0.0186363149176952, -0.025646903290875902, -0.003024628671375865,
                                   -0.015105696092048539, 0.0006572614785207714, 0.0022896974039478464}}}},
          .impacts = {0.011983200433688595, 0.012892982994331963, 0.015363907778760906, 0.02206629494226066,
                      0.02313901094075479, 0.024318623925983312, 0.02489122512275808, 0.025161384836114523},
          .until = 0.02517,
          .step = 3e-5,
          .tolerance = 1e-6,
          .time_tolerance = 2.5e-8};
}

// Along a floor into a wall: two contacts, one of them lasting, at right angles.
inline AccurateReference corner(double restitution) {
  return {.problem = {.name = "corner_e" + std::to_string(static_cast<int>(100.0 * restitution)),
                      .restitution = restitution,
                      .description = corner_description(restitution),
                      .start = {.q = {-1.0, 0.0}, .v = {1.0, 0.0}},
                      .points = {{0.5, {-0.5, 0.0}, {1.0, 0.0}}, {2.0, {-restitution, 0.0}, {-restitution, 0.0}}}},
          .impacts = {1.0},
          .until = 2.0,
          .step = 0.02};
}

inline std::vector<AccurateReference> accurate_references() {
  std::vector<AccurateReference> all = {
      bouncing_ball_f2_e05(),
      bouncing_ball_g981_e09(),
      force_free_ball_e03(),
      impact_oscillator_rest(),
      forced_impact_oscillator(),
      guided_pipe(),
      {.problem = pendulum_wall(),
       .impacts = {0.6380212560116985, 1.9923467353440696, 3.487560278984183, 5.137999470812991, 6.91796017820804,
                   8.788408618285445, 10.716652636775601, 12.680433761731466},
       .until = 13.0,
       .step = 0.01},
      {.problem = double_pendulum_wall(),
       .impacts = {0.8131446540971928, 2.6536978923657406},
       .until = 4.0,
       .step = 5e-3},
      {.problem = moving_table_e0(),
       .impacts = {0.3450889487814162, 0.8752923123423824, 1.3988910879406813, 1.9224898635389802, 2.446088639137279,
                   2.969687414735578},
       .until = 3.0,
       .step = 0.01},
      // Impacts accumulate at 1.5165; lift-off at 1.6333.
      {.problem = moving_table_e05(),
       .impacts = {0.3450889487814162, 0.4622309367831259, 0.5495752769183484, 0.9030009356915779, 0.9837040857997673,
                   1.035438574238873,  1.0751192662931341, 1.3968606843835532, 1.4547892514118745, 1.4843267689791115,
                   1.4999265280774758, 1.5080634146413148, 1.512238721247098,  1.5143565701429085, 1.5154235320086207,
                   1.515959087234634,  1.5162273917995754, 1.5163616768843422, 1.5164288527614214, 1.5164624490504683,
                   1.516479249284727,  1.516487649924554,  1.5164918503751752, 1.5164939506331665, 1.516495000770333,
                   1.5164955258409591, 1.5164959196448222, 1.9224898635389802, 1.9816069237171519},
       .until = 1.99,
       .step = 0.01,
       .time_tolerance = 1e-6},
      {.problem = two_ball_oscillator_e0(),
       .impacts = {0.4472135954999579, 0.9861912471094816, 1.0717862919673478, 1.246975409671858},
       .until = 2.0,
       .step = 1e-3},
      // Impacts accumulate at 1.2771 and 1.7323.
      {.problem = two_ball_oscillator_e05(),
       .impacts = {0.4472135954999579, 0.4945386959148372, 0.5187319527214922, 0.5369010924307263, 0.9507857252740812,
                   0.997104250277956,  1.2447153870389775, 1.2625208173504727, 1.2700253019086365, 1.2736052003181768,
                   1.2753642716335978, 1.2762373386828694, 1.2766723991404985, 1.276889578461757,  1.2769980825278717,
                   1.2770523134265959, 1.2770794236252736, 1.2770929774160453, 1.277099753984802,  1.2771031421875867,
                   1.2771048362685888, 1.2771056833039933, 1.2771061068204217, 1.2771064244571855, 1.498948622495078,
                   1.5885155714734347, 1.6527576821504746, 1.6964957543241435, 1.7154210998238437, 1.7240641318927645,
                   1.7282167261657784, 1.7302554675687474, 1.7312660154214023, 1.7317691528605208, 1.7320201960080797,
                   1.7321455872509572, 1.732208250422014,  1.7322395739114635, 1.7322552336342316, 1.7322630629903841,
                   1.7322669775421848, 1.7322689347865203, 1.7322699134007973, 1.7322704027059632, 1.7322707696839745},
       .until = 2.0,
       .step = 1e-3,
       .time_tolerance = 1e-6}};
  for (const CornerReference& reference : corner_orthogonal()) all.push_back(corner(reference.restitution));
  return all;
}

}  // namespace ricochet::testing
