#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/format/text_lines.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet::io {

namespace {

enum class Symmetry { general, symmetric, skew };

constexpr std::string_view expected_banner = "%%MatrixMarket matrix coordinate|array real|integer general|symmetric";

class MatrixMarketReader {
 public:
  explicit MatrixMarketReader(const InputBytes& file) : lines_(file) {}

  SparseMatrix read() {
    read_banner();
    read_sizes();
    if (coordinate_)
      read_coordinates();
    else
      read_array();
    std::string_view line;
    if (next_content(line))
      refuse(fmt::format("more entries than the {} that line {} announces", announced_, size_line_));
    return sparse_from_triplets(rows_, cols_, std::move(entries_));
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { lines_.file().refuse(lines_.number(), message); }

  // The next line that is neither empty nor a comment.
  bool next_content(std::string_view& line) {
    while (lines_.next(line)) {
      line = trimmed(line);
      if (!line.empty() && line.front() != '%') return true;
    }
    return false;
  }

  void read_banner() {
    std::string_view line;
    if (!lines_.next(line)) lines_.file().refuse("is empty");
    const std::string text = lowered(line);
    std::string_view words = text;
    if (next_word(words) != "%%matrixmarket" || next_word(words) != "matrix")
      refuse(fmt::format("a Matrix Market file begins with '{}', got {}", expected_banner, shown(line)));

    const std::string_view format = next_word(words), field = next_word(words), symmetry = next_word(words);
    if (format != "coordinate" && format != "array")
      refuse(fmt::format("the format must be coordinate or array, got {}", shown(format)));
    if (field == "complex") refuse("holds complex numbers; a matrix here is real");
    if (field == "pattern") refuse("holds a pattern without values; a matrix here needs its numbers");
    if (field != "real" && field != "double" && field != "integer")
      refuse(fmt::format("the numbers must be real or integer, got {}", shown(field)));
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
      refuse(fmt::format("must be general, symmetric or skew-symmetric, got {}", shown(symmetry)));
    if (const std::string_view rest = next_word(words); !rest.empty())
      refuse(fmt::format("the first line goes on with {}: it ends after the symmetry", shown(rest)));

    coordinate_ = format == "coordinate";
    integer_ = field == "integer";
    symmetry_ =
        symmetry == "general" ? Symmetry::general : (symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::skew);
  }

  // A whole number of a line with several.
  std::uint64_t whole(std::string_view& line, std::string_view what) {
    const std::string_view word = next_word(line);
    if (word.empty()) refuse(fmt::format("{} is missing", what));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || error == std::errc::invalid_argument)
      refuse(fmt::format("{} must be a whole number, got {}", what, shown(word)));
    if (error == std::errc::result_out_of_range) refuse(fmt::format("{} is too large: {}", what, shown(word)));
    return value;
  }

  void end_of_line(std::string_view line) {
    if (const std::string_view rest = trimmed(line); !rest.empty())
      refuse(fmt::format("goes on with {} where the line should end", shown(rest)));
  }

  int matrix_size(std::string_view& line, std::string_view what) {
    const std::uint64_t size = whole(line, what), most = size_limit(lines_.file().size());
    if (size == 0) refuse(fmt::format("{} must be at least 1, got 0", what));
    if (size > most) refuse(fmt::format("{} is {}: too large for a file of this size", what, size));
    return static_cast<int>(size);
  }

  void read_sizes() {
    std::string_view line;
    if (!next_content(line)) lines_.file().refuse("ends before the line with the sizes");
    size_line_ = lines_.number();
    rows_ = matrix_size(line, "the number of rows");
    cols_ = matrix_size(line, "the number of columns");
    const auto rows = static_cast<std::uint64_t>(rows_);
    if (symmetry_ != Symmetry::general && rows_ != cols_)
      refuse(fmt::format("a symmetric matrix must be square, got {} rows and {} columns", rows_, cols_));

    if (coordinate_)
      announced_ = whole(line, "the number of entries");
    else if (symmetry_ == Symmetry::general)
      announced_ = rows * static_cast<std::uint64_t>(cols_);
    else
      announced_ = symmetry_ == Symmetry::symmetric ? rows * (rows + 1) / 2 : rows * (rows - 1) / 2;
    end_of_line(line);

    // "1 1 0" and a line end are the shortest entry, "0" and a line end the shortest number.
    const std::uint64_t bytes = lines_.file().size(), shortest = coordinate_ ? 6 : 2;
    if (announced_ > (bytes + 1) / shortest)
      refuse(fmt::format("announces {} entries, more than the file's {} bytes can hold", announced_, bytes));
    if (announced_ > INT_MAX / (symmetry_ == Symmetry::general ? 1 : 2))
      refuse(fmt::format("announces {} entries; a matrix here has at most {}", announced_, INT_MAX));
  }

  // A line that must be there.
  std::string_view entry_line(std::uint64_t done) {
    std::string_view line;
    if (!next_content(line))
      lines_.file().refuse(
          fmt::format("ends after {} of the {} entries that line {} announces", done, announced_, size_line_));
    return line;
  }

  double value(std::string_view& line) {
    const std::string_view word = next_word(line);
    if (word.empty()) refuse("the value is missing");
    const double result = number_or_refuse(word, lines_, "the value");
    if (integer_ && result != std::nearbyint(result))
      refuse(fmt::format("the file announces integers, got {}", shown(word)));
    return result;
  }

  int index(std::string_view& line, std::string_view what, int size) {
    const std::uint64_t value = whole(line, what);
    if (value < 1 || value > static_cast<std::uint64_t>(size))
      refuse(fmt::format("{} {} is outside 1 to {}{}", what, value, size, value == 0 ? "; the first one is 1" : ""));
    return static_cast<int>(value) - 1;
  }

  void add(int row, int col, double value) {
    entries_.push_back({row, col, value});
    if (symmetry_ != Symmetry::general && row != col)
      entries_.push_back({col, row, symmetry_ == Symmetry::skew ? -value : value});
  }

  // One triangle only.
  void check_side(int row, int col, double value) {
    if (symmetry_ == Symmetry::skew && row == col && value != 0.0)
      refuse(fmt::format("the diagonal of a skew-symmetric matrix is 0, got {}", value));
    if (symmetry_ == Symmetry::general || row == col) return;
    const bool below = row > col;
    if (side_line_ == 0) {
      side_line_ = lines_.number();
      below_ = below;
    }
    if (below != below_)
      refuse(
          fmt::format("a symmetric file holds one triangle only, but this entry is {} the diagonal and that of "
                      "line {} is not",
                      below ? "below" : "above", side_line_));
  }

  void read_coordinates() {
    for (std::uint64_t done = 0; done < announced_; ++done) {
      std::string_view line = entry_line(done);
      const int row = index(line, "row", rows_), col = index(line, "column", cols_);
      const double number = value(line);
      end_of_line(line);
      check_side(row, col, number);
      add(row, col, number);
    }
  }

  // By columns; of symmetric ones the part from the diagonal, of skew-symmetric ones from below it.
  void read_array() {
    std::uint64_t done = 0;
    for (int col = 0; col < cols_; ++col) {
      const int first = symmetry_ == Symmetry::general ? 0 : (symmetry_ == Symmetry::symmetric ? col : col + 1);
      for (int row = first; row < rows_; ++row, ++done) {
        std::string_view line = entry_line(done);
        const double number = value(line);
        end_of_line(line);
        if (number != 0.0) add(row, col, number);
      }
    }
  }

  LineReader lines_;
  bool coordinate_ = true, integer_ = false;
  Symmetry symmetry_ = Symmetry::general;
  int rows_ = 0, cols_ = 0;
  std::uint64_t announced_ = 0, size_line_ = 0;
  std::uint64_t side_line_ = 0;  // of the first entry off the diagonal
  bool below_ = false;
  std::vector<Triplet> entries_;
};

}  // namespace

std::uint64_t size_limit(std::uint64_t file_size) {
  return std::clamp<std::uint64_t>(file_size, 10'000'000, INT_MAX - 1);
}

SparseMatrix read_matrix_market(const InputBytes& file) { return MatrixMarketReader(file).read(); }

}  // namespace ricochet::io
