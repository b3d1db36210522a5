// For the tests of files that scenarios name.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/input_bytes.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet::io_test {

using Rows = std::vector<std::vector<double>>;

// The matrices of tests/data/make.py.
inline const Rows A_rows = {{4.0, -1.0, 0.0, 0.5}, {0.0, 2.25, 0.0, 0.0}, {1e-3, 0.0, -7.0, 0.0}};
inline const Rows K_rows = {
    {2.0, -1.0, 0.0, 0.1}, {-1.0, 2.0, -1.0, 0.0}, {0.0, -1.0, 2.0, -1.0}, {0.1, 0.0, -1.0, 1.0}};
inline const Rows S_rows = {{0.0, 2.0, 0.0}, {-2.0, 0.0, 0.5}, {0.0, -0.5, 0.0}};

inline std::filesystem::path data_folder() { return std::filesystem::path(__FILE__).parent_path() / "../../../data"; }

inline Rows rows_of(const SparseMatrix& matrix) {
  Rows rows(static_cast<std::size_t>(matrix.rows()));
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.cols(); ++j) rows[static_cast<std::size_t>(i)].push_back(matrix.at(i, j));
  return rows;
}

// What is said about bytes that cannot be read: "FILE: …" or "FILE:LINE: …". "" if they can.
template <class Read>
std::string refusal(std::string_view bytes, Read read) {
  try {
    read(io::MemoryBytes(bytes, "FILE", "model.stiffness"));
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "model.stiffness");
    return error.message();
  }
}

}  // namespace ricochet::io_test
