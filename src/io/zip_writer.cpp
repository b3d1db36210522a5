#include "io/zip_writer.hpp"

#include <array>
#include <concepts>

#include "io/zip_format.hpp"

namespace ricochet {

using zip::in_zip64, zip::many_in_zip64;

namespace {

constexpr std::uint32_t crc_polynomial = 0xEDB88320u;

// tables[0] takes one byte, tables[k] a byte that k more bytes follow: eight bytes at a time.
constexpr auto crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? crc_polynomial : 0);
    tables[0][i] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t i = 0; i < 256; ++i) tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xFF];
  return tables;
}();

// Zip numbers have their lowest byte first.
template <std::unsigned_integral Number>
void put(std::string& out, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}
void put16(std::string& out, std::uint64_t value) { put(out, static_cast<std::uint16_t>(value)); }
void put32(std::string& out, std::uint64_t value) { put(out, static_cast<std::uint32_t>(value)); }
void put64(std::string& out, std::uint64_t value) { put(out, value); }

constexpr std::uint16_t plain_version = 20, zip64_version = 45;
constexpr std::uint64_t crc_position = 14;               // in a local header
constexpr std::uint16_t no_time = 0, first_date = 0x21;  // 1 January 1980: the same run gives the same bytes

// Version, flags, method, time: the same in a local header and in the directory.
void put_traits(std::string& out, bool zip64) {
  put16(out, zip64 ? zip64_version : plain_version);
  put16(out, 0);
  put16(out, 0);
  put16(out, no_time);
  put16(out, first_date);
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  crc = ~crc;
  for (; left >= 8; left -= 8, p += 8) {
    crc = crc_tables[7][(crc ^ p[0]) & 0xFF] ^ crc_tables[6][((crc >> 8) ^ p[1]) & 0xFF] ^
          crc_tables[5][((crc >> 16) ^ p[2]) & 0xFF] ^ crc_tables[4][(crc >> 24) ^ p[3]] ^ crc_tables[3][p[4]] ^
          crc_tables[2][p[5]] ^ crc_tables[1][p[6]] ^ crc_tables[0][p[7]];
  }
  for (; left > 0; --left, ++p) crc = (crc >> 8) ^ crc_tables[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

void ZipWriter::begin(const std::string& name, std::uint64_t size) {
  entries_.push_back({name, size, file_.size(), 0});
  const bool large = size > limit_;
  std::string header;
  put32(header, zip::local_signature);
  put_traits(header, large);
  put32(header, 0);  // the checksum comes at the end
  for (int i = 0; i < 2; ++i) put32(header, large ? in_zip64 : size);
  put16(header, name.size());
  put16(header, large ? 20 : 0);
  header += name;
  if (large) {
    put16(header, zip::zip64_extra);
    put16(header, 16);
    for (int i = 0; i < 2; ++i) put64(header, size);
  }
  file_.append(header);
}

void ZipWriter::add(std::string_view bytes) {
  entries_.back().crc = crc32(entries_.back().crc, bytes);
  file_.append(bytes);
}

void ZipWriter::end() {
  std::string crc;
  put32(crc, entries_.back().crc);
  file_.overwrite(entries_.back().offset + crc_position, crc);
}

std::string ZipWriter::directory_record(const Entry& entry) const {
  // What does not fit goes to the extra field, in this order.
  const bool large = entry.size > limit_, far = entry.offset > limit_;
  std::string extra;
  if (large)
    for (int i = 0; i < 2; ++i) put64(extra, entry.size);
  if (far) put64(extra, entry.offset);

  std::string record;
  put32(record, zip::directory_signature);
  put16(record, zip64_version);
  put_traits(record, large || far);
  put32(record, entry.crc);
  for (int i = 0; i < 2; ++i) put32(record, large ? in_zip64 : entry.size);
  put16(record, entry.name.size());
  put16(record, extra.empty() ? 0 : extra.size() + 4);
  for (int i = 0; i < 3; ++i) put16(record, 0);  // comment, disk, kind of contents
  put32(record, 0);                              // attributes
  put32(record, far ? in_zip64 : entry.offset);
  record += entry.name;
  if (!extra.empty()) {
    put16(record, zip::zip64_extra);
    put16(record, extra.size());
    record += extra;
  }
  return record;
}

void ZipWriter::finish() {
  const std::uint64_t begin = file_.size();
  for (const Entry& entry : entries_) file_.append(directory_record(entry));
  const std::uint64_t end = file_.size(), count = entries_.size();

  std::string tail;
  const bool zip64 = end > limit_ || count >= many_in_zip64;
  if (zip64) {
    put32(tail, zip::zip64_end_signature);
    put64(tail, zip::zip64_end_size - 12);  // bytes that follow in this record
    put16(tail, zip64_version);
    put16(tail, zip64_version);
    for (int i = 0; i < 2; ++i) put32(tail, 0);
    for (int i = 0; i < 2; ++i) put64(tail, count);
    put64(tail, end - begin);
    put64(tail, begin);
    put32(tail, zip::zip64_locator_signature);
    put32(tail, 0);
    put64(tail, end);
    put32(tail, 1);
  }
  put32(tail, zip::end_signature);
  for (int i = 0; i < 2; ++i) put16(tail, 0);
  for (int i = 0; i < 2; ++i) put16(tail, zip64 ? many_in_zip64 : count);
  put32(tail, zip64 ? in_zip64 : end - begin);
  put32(tail, zip64 ? in_zip64 : begin);
  put16(tail, 0);
  file_.append(tail);
}

}  // namespace ricochet
