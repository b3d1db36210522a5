#include "io/format/zip_reader.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "io/format/bytes.hpp"
#include "io/format/text_lines.hpp"
#include "io/format/zip_format.hpp"

namespace ricochet::io {

namespace {

constexpr std::uint64_t directory_size_max = std::uint64_t{16} << 20;
constexpr std::size_t comment_size_max = 0xFFFF;
constexpr std::uint16_t stored = 0, deflated = 8;
constexpr std::uint16_t encrypted = 1;  // flag

// Unpacked sizes up to the first are taken as they come, larger ones up to this many times the packed size.
constexpr std::uint64_t unpacked_free = std::uint64_t{256} << 20;
constexpr std::uint64_t unpacked_ratio = 100;

std::string part(const InputBytes& file, std::uint64_t offset, std::uint64_t size) {
  std::string result(size, '\0');
  file.read(offset, result.data(), result.size());
  return result;
}

// Undoes deflate piece by piece; memory grows with what really comes out.
class Inflater {
 public:
  explicit Inflater(const InputBytes& file) : file_(file) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) file_.refuse("cannot be unpacked: out of memory");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // False if the data are broken, or do not give `size` bytes.
  bool unpack(std::uint64_t begin, std::uint64_t packed_size, std::uint64_t size, std::string& result) {
    std::array<char, 1 << 16> in, out;
    int state = Z_OK;
    while (state == Z_OK && packed_size > 0) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), packed_size));
      file_.read(begin, in.data(), count);
      begin += count;
      packed_size -= count;
      stream_.next_in = reinterpret_cast<Bytef*>(in.data());
      stream_.avail_in = static_cast<uInt>(count);
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        state = inflate(&stream_, Z_NO_FLUSH);
        result.append(out.data(), out.size() - stream_.avail_out);
        if (result.size() > size) return false;
      } while (state == Z_OK && stream_.avail_out == 0);
      // All of this piece was taken, and more may follow.
      if (state == Z_BUF_ERROR && stream_.avail_in == 0) state = Z_OK;
    }
    return state == Z_STREAM_END && packed_size == 0 && stream_.avail_in == 0 && result.size() == size;
  }

 private:
  const InputBytes& file_;
  z_stream stream_{};
};

}  // namespace

ZipReader::ZipReader(const InputBytes& file) : file_(file) {
  std::uint64_t begin = 0, size = 0, count = 0;
  find_directory(begin, size, count);
  read_directory(part(file_, begin, size), count);
}

void ZipReader::find_directory(std::uint64_t& begin, std::uint64_t& size, std::uint64_t& count) const {
  // The end record is the last one, behind it only a comment.
  const std::uint64_t tail_size = std::min<std::uint64_t>(file_.size(), zip::end_size + comment_size_max);
  const std::string tail = part(file_, file_.size() - tail_size, tail_size);
  const std::size_t at = tail.rfind("PK\x05\x06");
  if (at == std::string::npos || tail.size() - at < zip::end_size)
    file_.refuse("is not an NPZ file, or it is cut short: it has no zip directory");
  std::uint64_t end = file_.size() - tail_size + at;
  count = number_at<2>(tail, at + 10);
  size = number_at<4>(tail, at + 12);
  begin = number_at<4>(tail, at + 16);

  const bool large = count == zip::many_in_zip64 || size == zip::in_zip64 || begin == zip::in_zip64;
  if (large && end >= zip::zip64_locator_size + zip::zip64_end_size) {
    const std::string locator = part(file_, end - zip::zip64_locator_size, zip::zip64_locator_size);
    const std::uint64_t place = number_at<8>(locator, 8), last = end - zip::zip64_locator_size - zip::zip64_end_size;
    if (number_at<4>(locator, 0) == zip::zip64_locator_signature && place <= last) {
      const std::string record = part(file_, place, zip::zip64_end_size);
      if (number_at<4>(record, 0) != zip::zip64_end_signature) file_.refuse("has a broken zip directory");
      count = number_at<8>(record, 32);
      size = number_at<8>(record, 40);
      begin = number_at<8>(record, 48);
      end = place;
    }
  }
  if (size > end || begin > end - size) file_.refuse("has a broken zip directory, or is cut short");
  if (size > directory_size_max) file_.refuse("has too many entries");
}

void ZipReader::read_directory(std::string_view directory, std::uint64_t count) {
  const auto broken = [this] { file_.refuse("has a broken zip directory"); };
  if (count > directory.size() / zip::directory_size) broken();
  for (; count > 0; --count) {
    if (directory.size() < zip::directory_size || number_at<4>(directory, 0) != zip::directory_signature) broken();
    const std::size_t name_size = number_at<2>(directory, 28), extra_size = number_at<2>(directory, 30);
    const std::size_t whole = zip::directory_size + name_size + extra_size + number_at<2>(directory, 32);
    if (directory.size() < whole) broken();
    Entry entry{.name = std::string(directory.substr(zip::directory_size, name_size)),
                .flags = static_cast<std::uint16_t>(number_at<2>(directory, 8)),
                .method = static_cast<std::uint16_t>(number_at<2>(directory, 10)),
                .crc = static_cast<std::uint32_t>(number_at<4>(directory, 16)),
                .packed_size = number_at<4>(directory, 20),
                .size = number_at<4>(directory, 24),
                .offset = number_at<4>(directory, 42)};

    // Numbers that did not fit stand in the extra field, in this order.
    std::string_view extra = directory.substr(zip::directory_size + name_size, extra_size);
    while (extra.size() >= 4) {
      const std::size_t kind = number_at<2>(extra, 0), length = number_at<2>(extra, 2);
      if (length > extra.size() - 4) broken();
      std::string_view numbers = extra.substr(4, length);
      for (std::uint64_t* number : {&entry.size, &entry.packed_size, &entry.offset}) {
        if (kind != zip::zip64_extra || *number != zip::in_zip64) continue;
        if (numbers.size() < 8) broken();
        *number = number_at<8>(numbers, 0);
        numbers.remove_prefix(8);
      }
      extra.remove_prefix(4 + length);
    }
    entries_.push_back(std::move(entry));
    directory.remove_prefix(whole);
  }

  const auto by_name = [](const Entry& a, const Entry& b) { return a.name < b.name; };
  std::sort(entries_.begin(), entries_.end(), by_name);
  const auto twin = std::adjacent_find(entries_.begin(), entries_.end(),
                                       [](const Entry& a, const Entry& b) { return a.name == b.name; });
  if (twin != entries_.end()) file_.refuse(fmt::format("has two entries of the name {}", shown(twin->name)));
}

const ZipReader::Entry* ZipReader::find(std::string_view name) const {
  const auto place = std::find_if(entries_.begin(), entries_.end(), [name](const Entry& e) { return e.name == name; });
  return place == entries_.end() ? nullptr : &*place;
}

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) result.push_back(entry.name);
  return result;
}

// The local header repeats the name, and has extra fields of its own.
std::uint64_t ZipReader::data_begin(const Entry& entry) const {
  const std::uint64_t total = file_.size();
  std::uint64_t begin = total;
  if (total >= zip::local_size && entry.offset <= total - zip::local_size) {
    const std::string header = part(file_, entry.offset, zip::local_size);
    if (number_at<4>(header, 0) == zip::local_signature)
      begin = entry.offset + zip::local_size + number_at<2>(header, 26) + number_at<2>(header, 28);
  }
  if (begin > total || entry.packed_size > total - begin || begin == total)
    file_.refuse(fmt::format("the entry {} is not where the directory says: the file is broken", shown(entry.name)));
  return begin;
}

std::string ZipReader::bytes(std::string_view name) const {
  const Entry* entry = find(name);
  if (!entry) file_.refuse(fmt::format("has no entry {}", shown(name)));
  const auto refuse = [&](const std::string& message) {
    file_.refuse(fmt::format("the entry {} {}", shown(name), message));
  };
  if ((entry->flags & encrypted) != 0) refuse("is encrypted");
  if (entry->method != stored && entry->method != deflated)
    refuse(fmt::format("is packed by method {}; stored and deflated entries are read", entry->method));
  const bool absurd = entry->size > unpacked_free && entry->size / unpacked_ratio > entry->packed_size;
  if (entry->size > input_size_max || absurd)
    refuse(fmt::format("unpacks to {} bytes from {}: too many", entry->size, entry->packed_size));

  const std::uint64_t begin = data_begin(*entry);
  std::string result;
  bool good = false;
  if (entry->method == deflated) {
    good = Inflater(file_).unpack(begin, entry->packed_size, entry->size, result);
  } else if (entry->packed_size == entry->size) {
    result = part(file_, begin, entry->size);
    good = true;
  }
  if (!good || crc32(0, result) != entry->crc) refuse("is damaged: it does not unpack to what was packed");
  return result;
}

}  // namespace ricochet::io
