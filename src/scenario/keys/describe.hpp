// How the keys of a struct are said: describe(keys, value) names them one by one, in the order of a file. Only the
// sources with the descriptions include this; all others see the finished KeyTable.
#pragma once

#include <utility>

#include "scenario/keys/key_table.hpp"

namespace ricochet {

template <class T>
KeyTable described(T& value);

// What may hold tables.
template <class T>
InnerTables inner_tables(T& table) {
  return {&table, [](void*) { return std::size_t{1}; },
          [](void* holder, std::size_t) { return described(*static_cast<T*>(holder)); }, [](void*) {}};
}
template <class T>
InnerTables inner_tables(std::optional<T>& table) {
  using Holder = std::optional<T>;
  return {&table, [](void* holder) { return std::size_t{static_cast<Holder*>(holder)->has_value()}; },
          [](void* holder, std::size_t) { return described(**static_cast<Holder*>(holder)); },
          [](void* holder) { static_cast<Holder*>(holder)->emplace(); }};
}
template <class T>
InnerTables inner_tables(std::vector<T>& tables) {
  using Holder = std::vector<T>;
  return {&tables, [](void* holder) { return static_cast<Holder*>(holder)->size(); },
          [](void* holder, std::size_t i) { return described((*static_cast<Holder*>(holder))[i]); },
          [](void* holder) { static_cast<Holder*>(holder)->emplace_back(); }};
}

// One function a type of key (see KeyType): the member, then what a Key says of it, part by part.
class Keys {
 public:
  void text(std::string& value, auto... about) { add({about...}, KeyType::text, &value); }
  void formula(std::string& value, auto... about) { add({about...}, KeyType::formula, &value); }
  void quantity(Quantity& value, auto... about) { add({about...}, KeyType::quantity, &value); }
  void quantity(std::optional<Quantity>& value, auto... about) { add({about...}, KeyType::optional_quantity, &value); }
  void quantities(NamedQuantities& values, auto... about) { add({about...}, KeyType::quantities, &values); }
  void names(std::vector<std::string>& names, auto... about) { add({about...}, KeyType::names, &names); }
  void formulas(std::vector<std::string>& texts, auto... about) { add({about...}, KeyType::formulas, &texts); }
  void row(std::vector<Quantity>& values, auto... about) { add({about...}, KeyType::row, &values); }
  void matrix(std::vector<std::vector<Quantity>>& rows, auto... about) { add({about...}, KeyType::matrix, &rows); }
  void matrix_or_file(MatrixSource& source, auto... about) { add({about...}, KeyType::matrix_or_file, &source); }
  void values(CoordinateValues& values, auto... about) { add({about...}, KeyType::values, &values); }
  void count(std::uint64_t& value, auto... about) { add({about...}, KeyType::count, &value); }
  void flag(bool& value, auto... about) { add({about...}, KeyType::flag, &value); }
  void points(NamedRows& points, auto... about) { add({about...}, KeyType::points, &points); }
  void table(auto& table, auto... about) { add({about...}, KeyType::table, inner_tables(table)); }
  void tables(auto& tables, auto... about) { add({about...}, KeyType::tables, inner_tables(tables)); }
  void rows(auto& tables, auto... about) { add({about...}, KeyType::rows, inner_tables(tables)); }
  void word_or_table(SweepRecording& value, auto... about) { add({about...}, KeyType::word_or_table, &value); }
  void choice(ModelDescription& model, auto... about) { add({about...}, KeyType::choice, &model); }
  void scheme(Scheme& scheme, auto... about) { add({about...}, KeyType::scheme, &scheme); }

  KeyTable take() { return std::move(table_); }

 private:
  void add(const Key& key, KeyType type, decltype(TableKey::member) member) { table_.push_back({key, type, member}); }

  KeyTable table_;
};

template <class T>
KeyTable described(T& value) {
  Keys keys;
  describe(keys, value);
  return keys.take();
}

void describe(Keys& keys, SweepDescription& sweep);
void describe(Keys& keys, OrbitDescription& orbit);
void describe(Keys& keys, ContinueDescription& table);

}  // namespace ricochet
