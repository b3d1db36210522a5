// The tables of the keys: every key of every table has a member of its own, is written, and reads back.
#include "scenario/keys/key_table.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io/scenario/toml_document.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"

namespace ricochet {
namespace {

// Gives every key below a table a value that no other key has. What may be of two forms takes one in even rounds, the
// other in odd ones.
class Filler {
 public:
  explicit Filler(bool odd) : odd_(odd) {}

  std::set<std::string> names;     // of keys that stand in a line of their own
  std::size_t shared_members = 0;  // keys that lead where another one led

  void fill(const KeyTable& keys) {
    std::set<const void*> members;
    for (const TableKey& key : keys) {
      if (key.type != KeyType::choice && key.type != KeyType::table && key.type != KeyType::tables &&
          key.type != KeyType::scheme)
        names.emplace(key.name);
      const void* member = std::visit([](const auto& at) { return address(at); }, key.member);
      if (!members.insert(member).second) ++shared_members;
      fill(key);
    }
  }

 private:
  static const void* address(const InnerTables& tables) { return tables.holder; }
  static const void* address(const void* member) { return member; }

  std::string word() { return "w" + std::to_string(++count_); }
  Quantity quantity() {
    const bool is_number = (++count_ % 2 == 0) != odd_;
    return is_number ? Quantity(count_ + 0.1) : Quantity("2*f" + std::to_string(count_));
  }
  std::vector<Quantity> row() { return {quantity(), quantity()}; }
  NamedQuantities named() { return {{word(), quantity()}, {word(), quantity()}}; }

  void fill(const TableKey& key) {
    switch (key.type) {
      case KeyType::text:
      case KeyType::formula: key.as<std::string>() = word(); break;
      case KeyType::quantity: key.as<Quantity>() = quantity(); break;
      case KeyType::optional_quantity: key.as<std::optional<Quantity>>() = quantity(); break;
      case KeyType::quantities: key.as<NamedQuantities>() = named(); break;
      case KeyType::names: key.as<std::vector<std::string>>() = {word(), word()}; break;
      case KeyType::formulas:
        key.as<std::vector<std::string>>() =
            odd_ ? std::vector<std::string>{word()} : std::vector<std::string>{word(), word()};
        break;
      case KeyType::row: key.as<std::vector<Quantity>>() = row(); break;
      case KeyType::matrix: key.as<std::vector<std::vector<Quantity>>>() = {row(), row()}; break;
      case KeyType::matrix_or_file:
        if (odd_)
          key.as<MatrixSource>() = word();
        else
          key.as<MatrixSource>() = std::vector<std::vector<Quantity>>{row(), row()};
        break;
      case KeyType::values:
        key.as<CoordinateValues>() = odd_ ? CoordinateValues(quantity()) : CoordinateValues(named());
        break;
      case KeyType::count: key.as<std::uint64_t>() = static_cast<std::uint64_t>(++count_); break;
      case KeyType::flag: key.as<bool>() = odd_; break;
      case KeyType::points: key.as<NamedRows>() = {{word(), row()}, {word(), row()}}; break;
      case KeyType::word_or_table:
        if (odd_)
          key.as<SweepRecording>() = word();
        else
          fill(keys_of(key.as<SweepRecording>().emplace<SectionDescription>()));
        break;
      case KeyType::choice: fill(keys_of(key.as<ModelDescription>())); break;
      case KeyType::table: fill(key.tables().add()); break;
      case KeyType::tables:
      case KeyType::rows:
        fill(key.tables().add());
        fill(key.tables().add());
        break;
      case KeyType::scheme: break;  // its keys are those of the catalogue
    }
  }

  bool odd_;
  int count_ = 0;
};

TEST(KeyTable, EveryKeyRoundTrips) {
  for (std::size_t kind = 0; kind < model_kinds.size(); ++kind)
    for (const bool odd : {false, true}) {
      SCOPED_TRACE(std::string(model_kinds[kind]) + (odd ? ", odd" : ", even"));
      Scenario scenario;
      choose_kind(scenario.model, kind);
      Filler filler(odd);
      filler.fill(keys_of(scenario));
      EXPECT_EQ(filler.shared_members, 0u);

      const std::string text = write_scenario(scenario);
      for (const std::string& name : filler.names) EXPECT_NE(text.find(name + " = "), std::string::npos) << name;
      EXPECT_EQ(io::read(io::parse_toml(text, "written")), scenario) << text;
    }
}

TEST(KeyTable, KeysAreFoundByName) {
  Scenario scenario;
  const KeyTable keys = keys_of(scenario);
  ASSERT_NE(find(keys, "title"), nullptr);
  EXPECT_EQ(&find(keys, "title")->as<std::string>(), &scenario.title);
  EXPECT_EQ(find(keys, "titel"), nullptr);
  EXPECT_EQ(names_of(keys).front(), "title");
}

TEST(KeyTable, TablesThatMayBeMissingAreMadeWhenAdded) {
  Scenario scenario;
  const KeyTable keys = keys_of(scenario);
  const InnerTables& known = find(keys, "known")->tables();
  EXPECT_EQ(known.size(), 0u);
  find(known.add(), "impacts")->tables().add();
  EXPECT_EQ(known.size(), 1u);
  ASSERT_TRUE(scenario.known.has_value());
  EXPECT_EQ(scenario.known->impacts.size(), 1u);
}

}  // namespace
}  // namespace ricochet
