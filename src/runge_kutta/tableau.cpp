// The list of tables. Hairer, Nørsett, Wanner: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential
// Equations I, 2nd ed., Springer 1993, doi:10.1007/978-3-540-78862-1; Hairer, Wanner: volume II, 2nd ed., Springer
// 1996, doi:10.1007/978-3-642-05221-7.
#include "ricochet/runge_kutta/tableau.hpp"

#include <cmath>
#include <string>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

// Irrational entries are computed in long double and rounded once.
using Row = std::vector<long double>;

std::vector<double> rounded(const Row& row) {
  std::vector<double> result;
  for (const long double entry : row) result.push_back(static_cast<double>(entry));
  return result;
}

// A matrix by rows from rows that may be short: what is missing is zero.
std::vector<double> rows_of(std::size_t length, const std::vector<Row>& rows) {
  std::vector<double> result;
  for (Row row : rows) {
    row.resize(length, 0.0L);
    for (const double entry : rounded(row)) result.push_back(entry);
  }
  return result;
}
std::vector<double> matrix(const std::vector<Row>& rows) { return rows_of(rows.size(), rows); }

// Heun, 2 stages. K. Heun, Z. Math. Phys. 45 (1900) 23.
Tableau heun() {
  return {.name = "heun", .order = 2, .A = matrix({{}, {1.0L}}), .b = {0.5, 0.5}, .c = {0.0, 1.0}, .dense_order = 2};
}

// Kutta, 3 stages. W. Kutta, Z. Math. Phys. 46 (1901) 435.
Tableau kutta_3() {
  return {.name = "kutta-3",
          .order = 3,
          .A = matrix({{}, {0.5L}, {-1.0L, 2.0L}}),
          .b = rounded({1.0L / 6, 2.0L / 3, 1.0L / 6}),
          .c = {0.0, 0.5, 1.0},
          .dense_order = 3};
}

// The classical method, 4 stages. W. Kutta, Z. Math. Phys. 46 (1901) 435.
Tableau rk4() {
  return {.name = "rk4",
          .order = 4,
          .A = matrix({{}, {0.5L}, {0.0L, 0.5L}, {0.0L, 0.0L, 1.0L}}),
          .b = rounded({1.0L / 6, 1.0L / 3, 1.0L / 3, 1.0L / 6}),
          .c = {0.0, 0.5, 0.5, 1.0},
          .dense_order = 3};
}

// Fehlberg 5(4), 6 stages, continued with the result of order 5. E. Fehlberg, Computing 6 (1970) 61,
// doi:10.1007/BF02241732.
Tableau rkf45() {
  return {.name = "rkf45",
          .order = 5,
          .A = matrix({{},
                       {1.0L / 4},
                       {3.0L / 32, 9.0L / 32},
                       {1932.0L / 2197, -7200.0L / 2197, 7296.0L / 2197},
                       {439.0L / 216, -8.0L, 3680.0L / 513, -845.0L / 4104},
                       {-8.0L / 27, 2.0L, -3544.0L / 2565, 1859.0L / 4104, -11.0L / 40}}),
          .b = rounded({16.0L / 135, 0.0L, 6656.0L / 12825, 28561.0L / 56430, -9.0L / 50, 2.0L / 55}),
          .c = rounded({0.0L, 1.0L / 4, 3.0L / 8, 12.0L / 13, 1.0L, 1.0L / 2}),
          .b_embedded = rounded({25.0L / 216, 0.0L, 1408.0L / 2565, 2197.0L / 4104, -1.0L / 5, 0.0L}),
          .embedded_order = 4,
          .dense_order = 3};
}

// Dormand and Prince 5(4), 7 stages, the last one shared. J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980)
// 19, doi:10.1016/0771-050X(80)90013-3.
// Dense output: Hairer, Nørsett, Wanner, section II.6, (6.12), with d_i of the program DOPRI5.
Tableau dormand_prince() {
  const Row b = {35.0L / 384, 0.0L, 500.0L / 1113, 125.0L / 192, -2187.0L / 6784, 11.0L / 84, 0.0L};
  return {
      .name = "dormand-prince",
      .order = 5,
      .A = matrix({{},
                   {1.0L / 5},
                   {3.0L / 40, 9.0L / 40},
                   {44.0L / 45, -56.0L / 15, 32.0L / 9},
                   {19372.0L / 6561, -25360.0L / 2187, 64448.0L / 6561, -212.0L / 729},
                   {9017.0L / 3168, -355.0L / 33, 46732.0L / 5247, 49.0L / 176, -5103.0L / 18656},
                   b}),
      .b = rounded(b),
      .c = rounded({0.0L, 1.0L / 5, 3.0L / 10, 4.0L / 5, 8.0L / 9, 1.0L, 1.0L}),
      .b_embedded =
          rounded({5179.0L / 57600, 0.0L, 7571.0L / 16695, 393.0L / 640, -92097.0L / 339200, 187.0L / 2100, 1.0L / 40}),
      .embedded_order = 4,
      .dense = rounded({-12715105075.0L / 11282082432, 0.0L, 87487479700.0L / 32700410799, -10690763975.0L / 1880347072,
                        701980252875.0L / 199316789632, -1453857185.0L / 822651844, 69997945.0L / 29380423}),
      .dense_order = 4,
      .first_same_as_last = true};
}

// Dormand and Prince 8(5,3), 12 stages and one that is shared, as in the program DOP853: P. J. Prince, J. R. Dormand,
// J. Comput. Appl. Math. 7 (1981) 67, doi:10.1016/0771-050X(81)90010-3; Hairer, Nørsett, Wanner, section II.5 and, for
// the error by two embedded results and the dense output with three more stages, II.10.
Tableau dop853() {
  const Row b = {0.0542937341165687622380535766363L,
                 0.0L,
                 0.0L,
                 0.0L,
                 0.0L,
                 4.45031289275240888144113950566L,
                 1.89151789931450038304281599044L,
                 -5.8012039600105847814672114227L,
                 0.31116436695781989440891606237L,
                 -0.152160949662516078556178806805L,
                 0.201365400804030348374776537501L,
                 0.0447106157277725905176885569043L,
                 0.0L};
  const Row difference = {0.01312004499419488073250102996L,
                          0.0L,
                          0.0L,
                          0.0L,
                          0.0L,
                          -1.225156446376204440720569753L,
                          -0.4957589496572501915214079952L,
                          1.664377182454986536961530415L,
                          -0.350328848749973681688648729L,
                          0.3341791187130174790297318841L,
                          0.08192320648511571246570742613L,
                          -0.02235530786388629525884427845L,
                          0.0L};  // b − b̂
  Row embedded;
  for (std::size_t i = 0; i < b.size(); ++i) embedded.push_back(b[i] - difference[i]);
  return {.name = "dop853",
          .order = 8,
          .A = matrix(
              {{},
               {0.0526001519587677318785587544488L},
               {0.0197250569845378994544595329183L, 0.0591751709536136983633785987549L},
               {0.0295875854768068491816892993775L, 0.0L, 0.0887627564304205475450678981324L},
               {0.241365134159266685502369798665L, 0.0L, -0.884549479328286085344864962717L,
                0.924834003261792003115737966543L},
               {0.037037037037037037037037037037L, 0.0L, 0.0L, 0.170828608729473871279604482173L,
                0.125467687566822425016691814123L},
               {0.037109375L, 0.0L, 0.0L, 0.170252211019544039314978060272L, 0.0602165389804559606850219397283L,
                -0.017578125L},
               {0.0370920001185047927108779319836L, 0.0L, 0.0L, 0.170383925712239993810214054705L,
                0.107262030446373284651809199168L, -0.0153194377486244017527936158236L,
                0.00827378916381402288758473766002L},
               {0.624110958716075717114429577812L, 0.0L, 0.0L, -3.36089262944694129406857109825L,
                -0.868219346841726006818189891453L, 27.5920996994467083049415600797L, 20.1540675504778934086186788979L,
                -43.4898841810699588477366255144L},
               {0.477662536438264365890433908527L, 0.0L, 0.0L, -2.48811461997166764192642586468L,
                -0.590290826836842996371446475743L, 21.2300514481811942347288949897L, 15.2792336328824235832596922938L,
                -33.2882109689848629194453265587L, -0.0203312017085086261358222928593L},
               {-0.93714243008598732571704021658L, 0.0L, 0.0L, 5.18637242884406370830023853209L,
                1.09143734899672957818500254654L, -8.14978701074692612513997267357L, -18.5200656599969598641566180701L,
                22.7394870993505042818970056734L, 2.49360555267965238987089396762L, -3.0467644718982195003823669022L},
               {2.27331014751653820792359768449L, 0.0L, 0.0L, -10.5344954667372501984066689879L,
                -2.00087205822486249909675718444L, -17.9589318631187989172765950534L, 27.9488845294199600508499808837L,
                -2.85899827713502369474065508674L, -8.87285693353062954433549289258L, 12.3605671757943030647266201528L,
                0.643392746015763530355970484046L},
               b}),
          .b = rounded(b),
          .c = rounded({0.0L, 0.0526001519587677318785587544488L, 0.0789002279381515978178381316732L,
                        0.11835034190722739672675719751L, 0.28164965809277260327324280249L, 1.0L / 3, 1.0L / 4,
                        4.0L / 13, 127.0L / 195, 3.0L / 5, 6.0L / 7, 1.0L, 1.0L}),
          .b_embedded = rounded(embedded),
          .embedded_order = 5,
          .b_low = rounded({0.244094488188976377952755905512L, 0.0L, 0.0L, 0.0L, 0.0L, 0.0L, 0.0L, 0.0L,
                            0.733846688281611857341361741547L, 0.0L, 0.0L, 0.0220588235294117647058823529412L, 0.0L}),
          .low_order = 3,
          .dense = rows_of(
              16, {{-8.4289382761090128651353491142L, 0.0L, 0.0L, 0.0L, 0.0L, 0.5667149535193777696253178359L,
                    -3.0689499459498916912797304727L, 2.384667656512069828772814968L, 2.1170345824450282767155149946L,
                    -0.8713915837779729920678990749L, 2.240437430260788275854177165L, 0.6315787787694688181557024929L,
                    -0.0889903364513333108206981174L, 18.148505520854727256656404962L, -9.1946323924783554000451984436L,
                    -4.4360363875948939664310572L},
                   {10.427508642579134603413151009L, 0.0L, 0.0L, 0.0L, 0.0L, 242.28349177525818288430175319L,
                    165.20045171727028198505394887L, -374.54675472269020279518312152L, -22.113666853125306036270938578L,
                    7.7334326684722638389603898808L, -30.674084731089398182061213626L, -9.3321305264302278729567221706L,
                    15.697238121770843886131091075L, -31.139403219565177677282850411L, -9.3529243588444783865713862664L,
                    35.81684148639408375246589854L},
                   {19.985053242002433820987653617L, 0.0L, 0.0L, 0.0L, 0.0L, -387.03730874935176555105901742L,
                    -189.17813819516756882830838328L, 527.80815920542364900561016686L, -11.573902539959630126141871134L,
                    6.8812326946963000169666922661L, -1.000605096691083840318386098L, 0.7777137798053443209286926574L,
                    -2.7782057523535084065932004339L, -60.196695231264120758267380846L, 84.320405506677161018159903784L,
                    11.99229113618278932803513003L},
                   {-25.693933462703749003312586129L, 0.0L, 0.0L, 0.0L, 0.0L, -154.18974869023643374053993627L,
                    -231.52937917604549567536039109L, 357.6391179106141237828534991L, 93.405324183624310003907691704L,
                    -37.458323136451633156875139351L, 104.09964950896230045147246184L, 29.840293426660503123344363579L,
                    -43.533456590011143754432175058L, 96.3245539591882829483949506L, -39.177261675615439165231486172L,
                    -149.72683625798562581422125276L}}),
          .dense_order = 7,
          .A_dense = rows_of(
              16, {{0.0561675022830479523392909219681L, 0.0L, 0.0L, 0.0L, 0.0L, 0.0L, 0.253500210216624811088794765333L,
                    -0.246239037470802489917441475441L, -0.124191423263816360469010140626L,
                    0.15329179827876569731206322685L, 0.00820105229563468988491666602057L,
                    0.00756789766054569976138603589584L, -0.008298L},
                   {0.0318346481635021405060768473261L, 0.0L, 0.0L, 0.0L, 0.0L, 0.0283009096723667755288322961402L,
                    0.0535419883074385676223797384372L, -0.0549237485713909884646569340306L, 0.0L, 0.0L,
                    -1.08347328697249322858509316994e-4L, 3.82571090835658412954920192323e-4L,
                    -3.40465008687404560802977114492e-4L, 0.141312443674632500278074618366L},
                   {-0.428896301583791923408573538692L, 0.0L, 0.0L, 0.0L, 0.0L, -4.69762141536116384314449447206L,
                    7.68342119606259904184240953878L, 4.06898981839711007970213554331L,
                    0.356727187455281109270669543021L, 0.0L, 0.0L, 0.0L, -0.00139902416515901462129418009734L,
                    2.9475147891527723389556272149L, -9.15095847217987001081870187138L}}),
          .c_dense = rounded({1.0L / 10, 1.0L / 5, 7.0L / 9}),
          .first_same_as_last = true};
}

// Gauss, 1 stage: the implicit midpoint rule. J. C. Butcher, Math. Comp. 18 (1964) 50, doi:10.2307/2003405.
Tableau gauss_1() {
  return {.name = "gauss-1", .order = 2, .A = {0.5}, .b = {1.0}, .c = {0.5}, .dense_order = 1, .is_explicit = false};
}

// Gauss, 2 stages.
Tableau gauss_2() {
  const long double r = std::sqrt(3.0L) / 6;
  return {.name = "gauss-2",
          .order = 4,
          .A = matrix({{1.0L / 4, 1.0L / 4 - r}, {1.0L / 4 + r, 1.0L / 4}}),
          .b = {0.5, 0.5},
          .c = rounded({0.5L - r, 0.5L + r}),
          .dense_order = 2,
          .is_explicit = false};
}

// Gauss, 3 stages.
Tableau gauss_3() {
  const long double r = std::sqrt(15.0L);
  return {.name = "gauss-3",
          .order = 6,
          .A = matrix({{5.0L / 36, 2.0L / 9 - r / 15, 5.0L / 36 - r / 30},
                       {5.0L / 36 + r / 24, 2.0L / 9, 5.0L / 36 - r / 24},
                       {5.0L / 36 + r / 30, 2.0L / 9 + r / 15, 5.0L / 36}}),
          .b = rounded({5.0L / 18, 4.0L / 9, 5.0L / 18}),
          .c = rounded({0.5L - r / 10, 0.5L, 0.5L + r / 10}),
          .dense_order = 3,
          .is_explicit = false};
}

// Radau IIA, 2 stages. Hairer, Wanner, section IV.5.
Tableau radau_iia_2() {
  return {.name = "radau-iia-2",
          .order = 3,
          .A = matrix({{5.0L / 12, -1.0L / 12}, {3.0L / 4, 1.0L / 4}}),
          .b = {0.75, 0.25},
          .c = rounded({1.0L / 3, 1.0L}),
          .dense_order = 2,
          .is_explicit = false};
}

// Radau IIA, 3 stages.
Tableau radau_iia_3() {
  const long double r = std::sqrt(6.0L);
  const Row b = {(16 - r) / 36, (16 + r) / 36, 1.0L / 9};
  return {.name = "radau-iia-3",
          .order = 5,
          .A = matrix({{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                       {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                       b}),
          .b = rounded(b),
          .c = rounded({(4 - r) / 10, (4 + r) / 10, 1.0L}),
          .dense_order = 3,
          .is_explicit = false};
}

const std::vector<Tableau>& entries() {
  static const std::vector<Tableau> list = [] {
    std::vector<Tableau> all = {heun(),    kutta_3(), rk4(),     rkf45(),       dormand_prince(), dop853(),
                                gauss_1(), gauss_2(), gauss_3(), radau_iia_2(), radau_iia_3()};
    for (Tableau& tableau : all) tableau.stages = static_cast<int>(tableau.b.size());
    return all;
  }();
  return list;
}

}  // namespace

std::span<const Tableau> tableaus() { return entries(); }

const Tableau& find_tableau(std::string_view name) {
  for (const Tableau& tableau : entries())
    if (tableau.name == name) return tableau;
  std::vector<std::string> known;
  for (const Tableau& tableau : entries()) known.emplace_back(tableau.name);
  throw InputError("scheme.tableau", no_such("tableau", name, known));
}

}  // namespace ricochet
