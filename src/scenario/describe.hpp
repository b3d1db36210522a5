// How the keys of a struct are said: describe(keys, value) names them one by one, in the order of a file. Only the
// sources with the descriptions include this; all others see the finished KeyTable.
#pragma once

#include <utility>

#include "scenario/key_table.hpp"

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

// One function a type of key; see KeyType.
class Keys {
 public:
  void text(const Key& key, std::string& value) { add(key, KeyType::text, &value); }
  void formula(const Key& key, std::string& value) { add(key, KeyType::formula, &value); }
  void quantity(const Key& key, Quantity& value) { add(key, KeyType::quantity, &value); }
  void quantity(const Key& key, std::optional<Quantity>& value) { add(key, KeyType::optional_quantity, &value); }
  void quantities(const Key& key, NamedQuantities& values) { add(key, KeyType::quantities, &values); }
  void names(const Key& key, std::vector<std::string>& names) { add(key, KeyType::names, &names); }
  void row(const Key& key, std::vector<Quantity>& values) { add(key, KeyType::row, &values); }
  void matrix(const Key& key, std::vector<std::vector<Quantity>>& rows) { add(key, KeyType::matrix, &rows); }
  void matrix_or_file(const Key& key, MatrixSource& source) { add(key, KeyType::matrix_or_file, &source); }
  void values(const Key& key, CoordinateValues& values) { add(key, KeyType::values, &values); }
  void count(const Key& key, std::uint64_t& value) { add(key, KeyType::count, &value); }
  template <class T>
  void table(const Key& key, T& table) {
    add(key, KeyType::table, inner_tables(table));
  }
  template <class T>
  void tables(const Key& key, std::vector<T>& tables) {
    add(key, KeyType::tables, inner_tables(tables));
  }
  template <class T>
  void rows(const Key& key, std::vector<T>& tables) {
    add(key, KeyType::rows, inner_tables(tables));
  }
  void word_or_table(const Key& key, SweepRecording& value) { add(key, KeyType::word_or_table, &value); }
  void choice(const Key& key, ModelDescription& model) { add(key, KeyType::choice, &model); }
  void scheme(const Key& key, Scheme& scheme) { add(key, KeyType::scheme, &scheme); }

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

}  // namespace ricochet
