// Parameters described once: lists, structs and values of schemes say the same.
#include <gmock/gmock.h>

#include "ricochet/core/error.hpp"
#include "ricochet/ricochet.hpp"
#include "scheme/describe.hpp"

namespace ricochet {

// Defined in the schemes' sources.
void describe(ParameterTable& table, ExtrapolatedMoreau& scheme);
void describe(ParameterTable& table, Mannshardt& scheme);
void describe(ParameterTable& table, Newmark& scheme);
void describe(ParameterTable& table, Penalty& scheme);

namespace {

std::string complaint(const Scheme& scheme) {
  try {
    check(scheme);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was wrong";
}

TEST(Catalogue, DefaultsAreThoseOfTheStructs) {
  for (const Scheme& scheme : {Scheme(MoreauJeanAdaptive{}), Scheme(ExtrapolatedMoreau{}), Scheme(Newmark{}),
                               Scheme(Splitting{}), Scheme(EventDriven{}), Scheme(Mannshardt{}), Scheme(Penalty{})})
    for (const ParameterSpec& spec : find_scheme(scheme.name).parameters)
      EXPECT_EQ(parameter(scheme, spec.name), parameter({scheme.name}, spec.name)) << scheme.name << " " << spec.name;
  EXPECT_EQ(std::get<double>(parameter({"penalty"}, "stiffness")), 0.0);
  EXPECT_EQ(std::get<double>(parameter({"newmark"}, "beta")), 0.25);
  EXPECT_EQ(std::get<std::string>(parameter({"newmark"}, "choice")), "average-acceleration");
}

TEST(Catalogue, StructsAndValues) {
  EXPECT_EQ(Scheme(MoreauJean{.theta = 0.7}), (Scheme{"moreau-jean", {{"theta", 0.7}, {"forecast", 0.5}}}));
  EXPECT_EQ(Scheme(Newmark{.gamma = 0.7}), (Scheme{"newmark", {{"gamma", 0.7}, {"forecast", 0.5}}}));
  EXPECT_EQ(Scheme(PaoliSchatzman{.force = PaoliSchatzman::Force::newmark}),
            (Scheme{"paoli-schatzman", {{"start", "acceleration"}, {"force", "newmark"}}}));
  const Mannshardt read = typed<Mannshardt>(Mannshardt{.tableau = "rk4", .bracket = 2.0, .repeat = false});
  EXPECT_EQ(read.tableau, "rk4");
  EXPECT_EQ(read.bracket, 2.0);
  EXPECT_FALSE(read.repeat);
  EXPECT_EQ(typed<ExtrapolatedMoreau>({"extrapolated-moreau", {{"columns", 5.0}}}).columns, 5);
}

TEST(Catalogue, OnAndOffAreBools) {
  for (const ParameterValue& off : std::vector<ParameterValue>{false, "off", "false"}) {
    const Scheme scheme{"mannshardt", {{"repeat", off}}};
    EXPECT_NO_THROW(check(scheme));
    EXPECT_FALSE(typed<Mannshardt>(scheme).repeat);
    EXPECT_EQ(std::get<std::string>(parameter(scheme, "repeat")), "off");
  }
  EXPECT_EQ(complaint({"mannshardt", {{"repeat", "maybe"}}}), "scheme.repeat: must be one of on, off, got \"maybe\"");
  EXPECT_EQ(complaint({"mannshardt", {{"repeat", 1.0}}}), "scheme.repeat: must be one of on, off, got the number 1");
  EXPECT_EQ(complaint({"moreau-jean", {{"theta", true}}}), "scheme.theta: must be a number in [0, 1], got true");
}

TEST(Catalogue, ZeroIsTheDefaultWhereThereIsNone) {
  EXPECT_EQ(typed<Penalty>({"penalty", {{"stiffness", 0.0}}}).stiffness, std::nullopt);
  EXPECT_EQ(typed<Penalty>({"penalty", {{"stiffness", 2.0}}}).stiffness, 2.0);
  EXPECT_EQ(typed<Newmark>({"newmark", {{"beta", 0.0}}}).beta, 0.0);
}

TEST(Catalogue, NumbersThatAreRefused) {
  EXPECT_EQ(complaint({"extrapolated-moreau", {{"columns", 2.5}}}), "scheme.columns: must be a whole number, got 2.5");
  EXPECT_EQ(complaint(MoreauJeanAdaptive{.safety = 0.0}), "scheme.safety: must be positive, got 0");
  EXPECT_EQ(complaint(Splitting{.atol = -1.0}), "scheme.atol: must be at least 0, got -1");
}

TEST(Catalogue, TraitsFollowTheParameters) {
  EXPECT_FALSE(traits(Splitting{}).chooses_steps);
  EXPECT_TRUE(traits(Splitting{.steps = Splitting::Steps::adaptive}).chooses_steps);
  EXPECT_TRUE(traits(Penalty{}).chooses_steps);
  EXPECT_FALSE(traits(Penalty{.steps = Penalty::Steps::fixed}).chooses_steps);
  EXPECT_TRUE(traits(Scheme{"penalty", {{"steps", 7.0}}}).chooses_steps) << "what check() refuses is left out";
}

}  // namespace
}  // namespace ricochet
