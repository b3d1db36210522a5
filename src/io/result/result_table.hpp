// The contents of a result: names, shapes and units of its columns, listed once for all formats that keep columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ricochet/io/result/result_writer.hpp"

namespace ricochet {

enum class Element { float64, int32 };

constexpr std::size_t bytes_of(Element element) { return element == Element::float64 ? 8 : 4; }

struct Column {
  std::string name;  // "q", "energy/kinetic"
  std::string_view units;
  Element element = Element::float64;
  std::size_t width = 1;
  bool is_matrix = false;             // shape [n, width], otherwise [n]
  std::vector<std::byte> block = {};  // the rows not yet done with, up to Table::capacity()

  std::size_t row_bytes() const { return width * bytes_of(element); }
};

// Columns that grow together. Rows gather in a block of fixed size; the owner writes it out and says next().
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  const std::vector<Column>& columns() const { return columns_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t rows() const { return rows_; }          // in the block
  std::uint64_t first_row() const { return first_; }  // of the block, in the whole table
  std::uint64_t total() const { return first_ + rows_; }
  bool full() const { return rows_ == capacity_; }
  void next() { first_ += std::exchange(rows_, 0); }

 protected:
  // Sets column k in the row after the last.
  void put(std::size_t k, const void* values) {
    Column& column = columns_[k];
    const std::size_t size = column.row_bytes();
    if (size > 0) std::memcpy(column.block.data() + rows_ * size, values, size);
  }
  void end_row() { ++rows_; }

 private:
  std::vector<Column> columns_;
  std::size_t capacity_ = 0, rows_ = 0;
  std::uint64_t first_ = 0;
};

// t, event, q, v, z (if there are states), gap, rate, impulse, slip and friction (if there is friction), reaction (if
// there are joints), energy/{kinetic, potential, total}, ledger/{input, damping, impact, friction, numerical}, and
// where the model observes something observed, observed_rate; output
class SampleTable : public Table {
 public:
  explicit SampleTable(const ResultHeader& header);
  void add(const Sample& sample);

 private:
  bool has_states_, has_slips_, has_joints_, has_observations_, has_outputs_;
};

// impacts/{t, constraint, rate_minus, rate_plus, impulse, energy_loss, discontinuous}, and where contacts have friction
// impacts/{slip_minus, slip_plus, friction_impulse, status}
class ImpactTable : public Table {
 public:
  explicit ImpactTable(const ResultHeader& header);
  void add(const Impact& impact);
};

using NamedTexts = std::vector<std::pair<std::string, std::string>>;
using NamedLists = std::vector<std::pair<std::string, const std::vector<std::string>*>>;
using NamedNumbers = std::vector<std::pair<std::string, double>>;

// Parameters of a scheme as a JSON object, and back: values that read as numbers or truths are such, others text.
std::string parameters_json(const NamedTexts& parameters);
NamedTexts read_parameters(const std::string& json);

// Units and labels by name as a JSON object, and back.
std::string display_json(const std::vector<Display>& display);
std::vector<Display> read_display(const std::string& json);

// scenario, version, title, scheme, scheme_parameters and display (JSON objects), units
NamedTexts header_texts(const ResultHeader& header);
// coordinates, states, constraints, slips, joints, observations, outputs
NamedLists header_lists(const ResultHeader& header);
// status and, for a failed run, failure
NamedTexts closing_texts(const Solution& solution);
// initial, final, input, damping, impact, friction, numerical
NamedNumbers energy_terms(const EnergyLedger& ledger);

// Names of columns with their units, where there are any: "x [m]", "x_dot [m/s]", "floor.impulse [N s]", "x.mean [m]".
std::vector<std::string> with_units(std::vector<std::string> names, const std::vector<Display>& display);

}  // namespace ricochet
