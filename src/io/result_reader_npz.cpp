#include <fmt/format.h>

#include <algorithm>

#include "io/attachment.hpp"
#include "io/npy_reader.hpp"
#include "io/result_reader.hpp"
#include "io/zip_reader.hpp"

namespace ricochet::io {

namespace {

// One character as UTF-8.
void append(std::string& text, std::uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
  const auto byte = [&text](std::uint32_t value) { text += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

class NpzReader {
 public:
  explicit NpzReader(const Attachment& file) : file_(file), zip_(file) {}

  void read(StoredResult& result, const std::string& name) {
    for (const char* needed : {"t", "q", "v", "gap"})
      if (!zip_.has(entry(needed)))
        file_.refuse(fmt::format("is an archive of arrays, but no result of ricochet: it has no {}", needed));
    for (const auto& [key, column] : series_of(result)) *column = series(key);
    for (const auto& [key, columns] : matrices_of(result)) *columns = matrix(key);
    result.impacts = impacts_of([this](const char* key) { return series(fmt::format("impacts/{}", key)); }, name);
    for (const auto& [key, text] : texts_of(result)) {
      const std::vector<std::string> values = texts(key);
      if (!values.empty()) *text = values.front();
    }
    for (const auto& [key, list] : lists_of(result)) *list = texts(key);
    if (const std::vector<double> steps = values("steps"); !steps.empty())
      result.steps = static_cast<std::uint64_t>(std::max(0.0, steps.front()));
    for (const char* key : energy_names)
      if (const std::vector<double> value = values(fmt::format("energy/{}", key)); value.size() == 1)
        result.energy.emplace_back(key, value.front());
  }

 private:
  static std::string entry(const std::string& name) { return name + ".npy"; }

  std::vector<double> series(const std::string& name) {
    if (!zip_.has(entry(name))) return {};
    const NpyArray array(zip_.bytes(entry(name)), file_, name);
    if (array.shape().size() != 1) return {};
    return numbers(array);
  }

  std::vector<double> values(const std::string& name) {
    if (!zip_.has(entry(name))) return {};
    return numbers(NpyArray(zip_.bytes(entry(name)), file_, name));
  }

  std::vector<double> numbers(const NpyArray& array) {
    count(array);
    std::vector<double> result(array.size());
    for (std::uint64_t k = 0; k < array.size(); ++k) result[k] = array.number(k);
    return result;
  }

  StoredResult::Columns matrix(const std::string& name) {
    if (!zip_.has(entry(name))) return {};
    const NpyArray array(zip_.bytes(entry(name)), file_, name);
    if (array.shape().size() != 2) array.refuse("must have two sizes");
    count(array);
    if (array.cols() > result_values_max) array.refuse("is too large to be read");
    StoredResult::Columns columns(array.cols(),
                                  std::vector<double>(array.size() / std::max<std::uint64_t>(1, array.cols())));
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t i = 0; i < columns[j].size(); ++i) columns[j][i] = array.number(i, j);
    return columns;
  }

  void count(const NpyArray& array) {
    count_ += array.size();
    if (count_ > result_values_max) array.refuse("is too large to be read");
  }

  // Text is UTF-32 of a fixed width, filled up with zeros.
  std::vector<std::string> texts(const std::string& name) {
    if (!zip_.has(entry(name))) return {};
    const std::string bytes = zip_.bytes(entry(name));
    const NpyArray array(bytes, file_, name);
    if (!array.is_text() || array.size() == 0) return {};
    const std::size_t begin = data_begin(bytes);
    const bool swapped = bytes.substr(0, begin).find(">U") != std::string::npos;
    const bool wide = bytes.substr(0, begin).find('U', 6) != std::string::npos;
    const std::size_t size = (bytes.size() - begin) / array.size(), width = wide ? 4 : 1;
    std::vector<std::string> result;
    for (std::size_t k = 0; k < array.size(); ++k) {
      std::string text;
      for (std::size_t i = 0; i + width <= size; i += width) {
        std::uint32_t c = 0;
        for (std::size_t b = 0; b < width; ++b) {
          const std::size_t at = begin + k * size + i + (swapped ? width - 1 - b : b);
          c |= std::uint32_t{static_cast<unsigned char>(bytes[at])} << (8 * b);
        }
        append(text, c);
      }
      result.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
    }
    return result;
  }

  // NpyArray has looked at the header already.
  static std::size_t data_begin(const std::string& bytes) {
    const auto byte = [&bytes](std::size_t i) { return std::size_t{static_cast<unsigned char>(bytes[i])}; };
    if (byte(6) == 1) return 10 + byte(8) + (byte(9) << 8);
    return 12 + byte(8) + (byte(9) << 8) + (byte(10) << 16) + (byte(11) << 24);
  }

  const Attachment& file_;
  ZipReader zip_;
  std::uint64_t count_ = 0;
};

}  // namespace

void read_npz_result(const std::filesystem::path& path, const std::string& name, StoredResult& result) {
  const FileAttachment file(path, name, "", std::uint64_t{1} << 40);
  NpzReader(file).read(result, name);
}

}  // namespace ricochet::io
