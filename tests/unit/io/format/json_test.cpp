// JSON is written as another reader understands it, and what is written reads back.
#include "io/format/json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace ricochet {
namespace {

Json example() {
  Json json = {{"scheme", "moreau-jean"}, {"steps", 3}, {"window", {0.0, 2.5}}, {"final", {{"q", {0.1, -1e-300}}}}};
  json["notes"] = Json::array();
  json["names"] = std::vector<std::string>{"a", "b"};
  json["none"] = std::optional<double>();
  json["nan"] = std::numeric_limits<double>::quiet_NaN();
  json["on"] = true;
  return json;
}

TEST(Json, OneLineAndIndented) {
  EXPECT_EQ(example().dump(),
            R"({"scheme":"moreau-jean","steps":3,"window":[0.0,2.5],"final":{"q":[0.1,-1e-300]},"notes":[],)"
            R"("names":["a","b"],"none":null,"nan":null,"on":true})");
  EXPECT_EQ(Json({{"a", {1, 2}}, {"b", Json::object()}}).dump(2), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

TEST(Json, TextIsEscapedAndAlwaysUtf8) {
  EXPECT_EQ(Json("a\"\\\n\t\x01é").dump(), "\"a\\\"\\\\\\n\\t\\u0001é\"");
  EXPECT_EQ(Json(std::string("x\xFFy")).dump(), "\"x\uFFFDy\"");
  EXPECT_EQ(Json::parse("\"\\u00e9\\ud83d\\ude00\\/\""), Json("é\U0001F600/"));
}

TEST(Json, WhatIsNotJsonIsNotRead) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "1 2", "\"a", "\"\\x\"", "+1", "01x", "{a:1}", "\"\n\"",
                           "[1 2]", "\"\\ud800\\u0041\""})
    EXPECT_EQ(Json::parse(text), std::nullopt) << text;
  EXPECT_EQ(Json::parse(std::string(200, '[') + std::string(200, ']')), std::nullopt);
}

RC_GTEST_PROP(Json, NumbersAndTextsReadBackTheSame, (double number, std::string text, std::int64_t whole)) {
  const Json json = {{"number", number}, {text, {text, whole}}};
  const nlohmann::json other = nlohmann::json::parse(json.dump(2));
  if (std::isfinite(number)) RC_ASSERT(text == "number" || other.at("number").get<double>() == number);
  RC_ASSERT(*Json::parse(json.dump()) == *Json::parse(json.dump(2)));
  RC_ASSERT(Json::parse(json.dump())->dump() == json.dump());
}

}  // namespace
}  // namespace ricochet
