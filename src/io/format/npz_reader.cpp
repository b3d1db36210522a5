#include "io/format/npz_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

#include "io/format/npy.hpp"
#include "io/format/text_lines.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet::io {

namespace {

constexpr std::string_view ending = ".npy";

NpyArray whole_file(const InputBytes& file) {
  // Before memory is asked for: is it one at all?
  std::string magic(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), npy_magic.size())), '\0');
  file.read(0, magic.data(), magic.size());
  if (magic != npy_magic) file.refuse("is not an array file of NumPy");

  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return {std::move(bytes), file, {}};
}

void check_sizes(const NpyArray& array, std::uint64_t limit) {
  const std::size_t dimensions = array.shape().size();
  if (array.is_text()) array.refuse("holds text where numbers are needed");
  if (dimensions != 1 && dimensions != 2)
    array.refuse(fmt::format("has {} dimensions; one or two are needed", dimensions));
  if (array.size() == 0) array.refuse("is empty");
  if (array.rows() > limit || array.cols() > limit)
    array.refuse(fmt::format("is {} times {}: too large", array.rows(), array.cols()));
}

SparseMatrix dense_matrix(const NpyArray& array) {
  check_sizes(array, INT_MAX - 1);
  SparseMatrix matrix{{static_cast<int>(array.rows()), static_cast<int>(array.cols()), {0}, {}}, {}};
  for (std::uint64_t j = 0; j < array.cols(); ++j) {
    for (std::uint64_t i = 0; i < array.rows(); ++i) {
      const double value = array.number(i, j);
      if (value == 0.0) continue;
      if (matrix.values.size() == INT_MAX) array.refuse("has too many entries");
      matrix.pattern.row.push_back(static_cast<int>(i));
      matrix.values.push_back(value);
    }
    matrix.pattern.start.push_back(static_cast<int>(matrix.values.size()));
  }
  return matrix;
}

NumberTable dense_table(const NpyArray& array) {
  check_sizes(array, INT_MAX - 1);
  array.check_columns();
  NumberTable table;
  table.values = array.columns();
  return table;
}

// "K, M, C": the arrays of an archive without their ending.
std::vector<std::string> array_names(const ZipReader& zip) {
  std::vector<std::string> names;
  for (const std::string& name : zip.names()) {
    if (name.ends_with(ending)) names.push_back(name.substr(0, name.size() - ending.size()));
  }
  return names;
}

// The array of the name, or the only one.
NpyArray one_array(const ZipReader& zip, const std::string& name) {
  const std::vector<std::string> names = array_names(zip);
  if (names.empty()) zip.file().refuse("holds no arrays");
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  if (!name.empty() && !known) zip.file().refuse(no_such("array", name, names));
  if (name.empty() && names.size() > 1)
    zip.file().refuse(fmt::format("holds {} arrays; name one of them behind a colon, as in FILE.npz:{} (there are {})",
                                  names.size(), names.front(), fmt::join(names, ", ")));
  return npz_array(zip, name.empty() ? names.front() : name);
}

// A matrix as scipy.sparse.save_npz writes it: its format, shape, data and places in arrays of their own.
class SparseReader {
 public:
  explicit SparseReader(const ZipReader& zip) : zip_(zip), data_(npz_array(zip, "data")) {}

  SparseMatrix read() {
    read_shape();
    const NpyArray kind = npz_array(zip_, "format");
    if (!kind.is_text() || kind.size() != 1) kind.refuse("must hold a single text");
    const std::string format = kind.texts().front();
    if (format == "csr" || format == "csc")
      read_compressed(format == "csr");
    else if (format == "bsr")
      read_blocks();
    else if (format == "coo")
      read_coordinates();
    else if (format == "dia")
      read_diagonals();
    else
      zip_.file().refuse(
          fmt::format("is a sparse matrix of the format {}; csr, csc, coo, dia and bsr are read", shown(format)));
    return sparse_from_triplets(static_cast<int>(rows_), static_cast<int>(cols_), std::move(entries_));
  }

 private:
  void read_shape() {
    const NpyArray shape = npz_array(zip_, "shape");
    if (shape.size() != 2) shape.refuse(fmt::format("must hold two sizes, got {}", shape.size()));
    rows_ = shape.integer(0);
    cols_ = shape.integer(1);
    const auto most = static_cast<std::int64_t>(size_limit(zip_.file().size()));
    if (rows_ < 1 || cols_ < 1 || rows_ > most || cols_ > most)
      shape.refuse(fmt::format("is {} times {}: must be from 1 to {}", rows_, cols_, most));
    if (data_.size() > INT_MAX) data_.refuse("has too many entries");
  }

  NpyArray list(const std::string& name) const {
    NpyArray array = npz_array(zip_, name);
    if (array.shape().size() != 1) array.refuse(fmt::format("must be a list, has {} dimensions", array.shape().size()));
    return array;
  }

  // Element k of a list of places, from 0 to size − 1.
  static std::int64_t place(const NpyArray& array, std::uint64_t k, std::int64_t size) {
    const std::int64_t value = array.integer(k);
    if (value < 0 || value >= size)
      array.refuse(fmt::format("element {} is {}: outside 0 to {}", k + 1, value, size - 1));
    return value;
  }

  void add(std::int64_t row, std::int64_t col, double value) {
    entries_.push_back({static_cast<int>(row), static_cast<int>(col), value});
  }

  // Where each row of a compressed format begins: 0, …, at most `entries`.
  std::vector<std::uint64_t> starts(std::int64_t lines, std::uint64_t entries) const {
    const NpyArray indptr = list("indptr");
    if (indptr.size() != static_cast<std::uint64_t>(lines) + 1)
      indptr.refuse(fmt::format("has {} elements; the shape needs {}", indptr.size(), lines + 1));
    std::vector<std::uint64_t> result;
    for (std::uint64_t k = 0; k < indptr.size(); ++k) {
      const std::int64_t start = indptr.integer(k);
      const bool good = result.empty() ? start == 0 : start >= static_cast<std::int64_t>(result.back());
      if (!good || start > static_cast<std::int64_t>(entries))
        indptr.refuse(fmt::format("element {} is {}: must ascend from 0 to at most {}", k + 1, start, entries));
      result.push_back(static_cast<std::uint64_t>(start));
    }
    return result;
  }

  void need_same_size(const NpyArray& array) const {
    if (array.size() != data_.rows())
      array.refuse(fmt::format("has {} elements, but data has {}", array.size(), data_.rows()));
  }

  void read_compressed(bool by_rows) {
    const NpyArray indices = list("indices");
    if (data_.shape().size() != 1) data_.refuse("must be a list");
    need_same_size(indices);
    const std::vector<std::uint64_t> start = starts(by_rows ? rows_ : cols_, indices.size());
    for (std::size_t line = 0; line + 1 < start.size(); ++line) {
      const auto i = static_cast<std::int64_t>(line);
      for (std::uint64_t k = start[line]; k < start[line + 1]; ++k) {
        const std::int64_t j = place(indices, k, by_rows ? cols_ : rows_);
        add(by_rows ? i : j, by_rows ? j : i, data_.number(k));
      }
    }
  }

  void read_coordinates() {
    const NpyArray row = list("row"), col = list("col");
    if (data_.shape().size() != 1) data_.refuse("must be a list");
    need_same_size(row);
    need_same_size(col);
    for (std::uint64_t k = 0; k < data_.size(); ++k) add(place(row, k, rows_), place(col, k, cols_), data_.number(k));
  }

  // data(k, j) lies in row j − offset_k, column j.
  void read_diagonals() {
    const NpyArray offsets = list("offsets");
    if (data_.shape().size() != 2) data_.refuse("must have two dimensions");
    need_same_size(offsets);
    const auto width = std::min<std::int64_t>(cols_, static_cast<std::int64_t>(data_.cols()));
    for (std::uint64_t k = 0; k < offsets.size(); ++k) {
      const std::int64_t offset = offsets.integer(k);
      if (offset <= -rows_ || offset >= cols_)
        offsets.refuse(fmt::format("element {} is {}: no diagonal of the matrix", k + 1, offset));
      const std::int64_t first = std::max<std::int64_t>(0, offset), last = std::min(width, rows_ + offset);
      for (std::int64_t j = first; j < last; ++j) {
        const double value = data_.number(k, static_cast<std::uint64_t>(j));
        if (value != 0.0) add(j - offset, j, value);
      }
    }
  }

  // Dense blocks: data(k) is a block of block_rows times block_cols, in C order.
  void read_blocks() {
    const NpyArray indices = list("indices");
    if (data_.shape().size() != 3 || data_.size() == 0) data_.refuse("must have three dimensions, none of them 0");
    need_same_size(indices);
    const auto block_rows = static_cast<std::int64_t>(data_.shape()[1]);
    const auto block_cols = static_cast<std::int64_t>(data_.shape()[2]);
    if (rows_ % block_rows != 0 || cols_ % block_cols != 0)
      data_.refuse(fmt::format("has blocks of {} times {}, which do not fill the shape", block_rows, block_cols));
    const std::vector<std::uint64_t> start = starts(rows_ / block_rows, indices.size());
    for (std::size_t line = 0; line + 1 < start.size(); ++line) {
      const std::int64_t first_row = static_cast<std::int64_t>(line) * block_rows;
      for (std::uint64_t k = start[line]; k < start[line + 1]; ++k) {
        const std::int64_t first_col = place(indices, k, cols_ / block_cols) * block_cols;
        add_block(k, first_row, first_col, block_rows, block_cols);
      }
    }
  }

  void add_block(std::uint64_t k, std::int64_t first_row, std::int64_t first_col, std::int64_t block_rows,
                 std::int64_t block_cols) {
    std::uint64_t element = k * static_cast<std::uint64_t>(block_rows * block_cols);
    for (std::int64_t i = 0; i < block_rows; ++i)
      for (std::int64_t j = 0; j < block_cols; ++j) add(first_row + i, first_col + j, data_.number(element++));
  }

  const ZipReader& zip_;
  NpyArray data_;
  std::int64_t rows_ = 0, cols_ = 0;
  std::vector<Triplet> entries_;
};

}  // namespace

SparseMatrix read_npy_matrix(const InputBytes& file) { return dense_matrix(whole_file(file)); }
NumberTable read_npy_table(const InputBytes& file) { return dense_table(whole_file(file)); }

SparseMatrix read_npz_matrix(const InputBytes& file, const std::string& array) {
  const ZipReader zip(file);
  if (array.empty() && zip.has("format.npy")) return SparseReader(zip).read();
  return dense_matrix(one_array(zip, array));
}

bool npz_has_array(const ZipReader& zip, const std::string& name) { return zip.has(name + std::string(ending)); }
NpyArray npz_array(const ZipReader& zip, const std::string& name) {
  return {zip.bytes(name + std::string(ending)), zip.file(), name};
}

NumberTable read_npz_table(const InputBytes& file, const std::string& array) {
  const ZipReader zip(file);
  return dense_table(one_array(zip, array));
}

}  // namespace ricochet::io
