// Any small whole numbers as the parts of a sparse matrix in a sound NPZ file: a sentence, or a matrix that holds
// together. (Random bytes hardly ever pass the checksums that guard these parts.)
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/format/bytes.hpp"
#include "io/format/npy.hpp"
#include "io/format/npz_reader.hpp"
#include "io/format/zip_format.hpp"
#include "io/format/zip_writer.hpp"
#include "ricochet/core/error.hpp"
#include "support/matrix_check.hpp"

namespace {

using namespace ricochet;
using Bytes = std::span<const std::uint8_t>;

void put(std::string& out, std::size_t count, std::uint64_t value) {
  for (std::size_t i = 0; i < count; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

// An archive in memory, nothing compressed.
class Archive {
 public:
  void add(const std::string& name, const std::string& bytes) {
    const std::size_t offset = text_.size();
    put(text_, 4, zip::local_signature);
    put_traits(text_, name, bytes);
    text_ += name + bytes;
    put(directory_, 4, zip::directory_signature);
    put(directory_, 2, 20);
    put_traits(directory_, name, bytes);
    put(directory_, 8, 0);  // comment, disk, kind of contents, attributes: 10 bytes
    put(directory_, 2, 0);
    put(directory_, 4, offset);
    directory_ += name;
    ++count_;
  }

  std::string text() const {
    std::string result = text_ + directory_;
    put(result, 4, zip::end_signature);
    put(result, 4, 0);
    for (int i = 0; i < 2; ++i) put(result, 2, count_);
    put(result, 4, directory_.size());
    put(result, 4, text_.size());
    put(result, 2, 0);
    return result;
  }

 private:
  // Version, flags, method, time, checksum, sizes, lengths of the name and of the extra field.
  static void put_traits(std::string& out, const std::string& name, const std::string& bytes) {
    put(out, 2, 20);
    put(out, 8, 0);
    put(out, 4, crc32(0, bytes));
    for (int i = 0; i < 2; ++i) put(out, 4, bytes.size());
    put(out, 2, name.size());
    put(out, 2, 0);
  }

  std::string text_, directory_;
  std::uint64_t count_ = 0;
};

// Takes up to `count` bytes from the front.
Bytes take(Bytes& input, std::size_t count) {
  const Bytes result = input.first(std::min(count, input.size()));
  input = input.subspan(result.size());
  return result;
}
std::size_t take_one(Bytes& input) {
  const Bytes byte = take(input, 1);
  return byte.empty() ? 0 : byte[0];
}

std::string array(Bytes numbers, const std::vector<std::uint64_t>& shape) {
  return npy_header("i1", shape) + std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size());
}

// The array's elements are as many as the shape says.
std::string data_array(Bytes& input) {
  std::vector<std::uint64_t> shape;
  std::size_t size = 1;
  for (std::size_t left = take_one(input) % 4; left > 0; --left) {
    shape.push_back(take_one(input) % 8);
    size *= shape.back();
  }
  std::vector<std::uint8_t> numbers(size);
  const Bytes given = take(input, size);
  std::copy(given.begin(), given.end(), numbers.begin());
  return array(numbers, shape);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes input(data, size);
  Archive archive;
  const char* formats[] = {"csr", "csc", "bsr", "coo", "dia"};
  archive.add("format.npy", npy_text(formats[take_one(input) % 5]));
  archive.add("shape.npy", array(take(input, 2), {2}));
  archive.add("data.npy", data_array(input));
  const char* first[] = {"indices.npy", "row.npy", "offsets.npy"};
  const Bytes places = take(input, take_one(input) % 32);
  for (const char* name : first) archive.add(name, array(places, {places.size()}));
  for (const char* name : {"indptr.npy", "col.npy"}) archive.add(name, array(input, {input.size()}));

  const std::string text = archive.text();
  const io::MemoryBytes file(text, "fuzz", "field");
  try {
    if (!holds_together(io::read_npz_matrix(file, ""))) __builtin_trap();
  } catch (const InputError& error) {
    if (error.field() != "field" || error.message().find("zip") != std::string::npos) __builtin_trap();
  }
  return 0;
}
