// The keys of a table of a scenario, each with the member that holds its value. The reader, the writer, the checks, the
// messages on unknown keys, the axes of sweeps and docs/scenario-reference.md are loops over such tables: a key added
// to the descriptions (keys.cpp, keys_model.cpp, keys_sweep.cpp) is known to all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ricochet/scenario/scenario.hpp"
#include "scenario/keys/key.hpp"

namespace ricochet {

enum class KeyType {
  text,               // words
  formula,            // a formula in quotes, or a number
  quantity,           // a number or a formula
  optional_quantity,  // likewise, without a default
  quantities,         // a table from names to these
  names,              // a list of names
  formulas,           // a formula, or a list of them
  row,                // a list of numbers or formulas
  matrix,             // a list of rows
  matrix_or_file,     // a matrix, or the name of a file
  values,             // quantities, or one for all
  count,              // a whole number, 0 or more
  flag,               // true or false
  points,             // a table from names to rows
  table,              // a table of its own ([key])
  tables,             // a list of tables ([[key]])
  rows,               // a list of tables, one a line
  word_or_table,      // a word in quotes, or a table of its own in one line
  choice,             // a table with a `kind`
  scheme              // the [scheme] table, whose keys are those of the catalogue
};

struct TableKey;
using KeyTable = std::vector<TableKey>;  // in the order of a file; holds as long as the members stay where they are

// The tables under a key, whatever holds them: always one, perhaps one, or a list.
struct InnerTables {
  void* holder;
  std::size_t (*count)(void* holder);
  KeyTable (*keys)(void* holder, std::size_t i);
  void (*append)(void* holder);

  std::size_t size() const { return count(holder); }
  KeyTable at(std::size_t i) const;
  KeyTable add() const;  // one more in a list; otherwise the one, with its defaults if it was not there
};

struct TableKey : Key {
  KeyType type;
  std::variant<std::string*, Quantity*, std::optional<Quantity>*, NamedQuantities*, std::vector<std::string>*,
               std::vector<Quantity>*, std::vector<std::vector<Quantity>>*, MatrixSource*, CoordinateValues*,
               std::uint64_t*, bool*, NamedRows*, SweepRecording*, ModelDescription*, Scheme*, InnerTables>
      member;

  template <class T>
  T& as() const {
    return *std::get<T*>(member);
  }
  const InnerTables& tables() const { return std::get<InnerTables>(member); }
};

KeyTable keys_of(Scenario& scenario);
KeyTable keys_of(ModelDescription& model);  // all but `kind`
KeyTable keys_of(SectionDescription& section);

// Makes it a model of the kind with this position in model_kinds, with its defaults.
void choose_kind(ModelDescription& model, std::size_t kind);

const TableKey* find(const KeyTable& keys, std::string_view name);
std::vector<std::string> names_of(const KeyTable& keys);

// docs/scenario-reference.md, made from the tables and the catalogue of schemes.
std::string key_listing();

}  // namespace ricochet
