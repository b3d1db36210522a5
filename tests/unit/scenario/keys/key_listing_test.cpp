// docs/scenario-reference.md is what the tables of the keys say.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenario/keys/key_table.hpp"

namespace ricochet {
namespace {

TEST(KeyListing, CommittedPageIsCurrent) {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../../../docs/scenario-reference.md";
  // Run this test once with the variable set to write the page anew.
  if (std::getenv("RICOCHET_WRITE_DOCS")) std::ofstream(page, std::ios::binary) << key_listing();
  std::ostringstream text;
  text << std::ifstream(page, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), key_listing()) << "write it anew: RICOCHET_WRITE_DOCS=1 with this test";
}

TEST(KeyListing, NamesEveryTable) {
  const std::string text = key_listing();
  for (const char* piece : {"`[model]`", "`[[model.constraint]]`", "`[[model.state]]`", "`[initial]`", "`[scheme]`",
                            "`[time]`", "`[sweep]`", "`[[sweep.axis]]`", "`sweep.record = { … }`", "`[known]`",
                            "`restitution`", "`theta`", "`record_every`"})
    EXPECT_NE(text.find(piece), std::string::npos) << piece;
}

}  // namespace
}  // namespace ricochet
