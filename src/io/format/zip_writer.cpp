#include "io/format/zip_writer.hpp"

#include <zlib.h>

#include "io/format/bytes.hpp"
#include "io/format/zip_format.hpp"

namespace ricochet {

using zip::in_zip64, zip::many_in_zip64;

namespace {

constexpr std::uint16_t plain_version = 20, zip64_version = 45;
constexpr std::uint64_t crc_position = 14;               // in a local header
constexpr std::uint16_t no_time = 0, first_date = 0x21;  // 1 January 1980: the same contents give the same bytes

// Version, flags, method, time: the same in a local header and in the directory.
void put_traits(std::string& out, bool zip64) {
  append_number<2>(out, zip64 ? zip64_version : plain_version);
  append_number<2>(out, 0);
  append_number<2>(out, 0);
  append_number<2>(out, no_time);
  append_number<2>(out, first_date);
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  if (bytes.empty()) return crc;
  return static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void ZipWriter::begin(const std::string& name, std::uint64_t size) {
  entries_.push_back({name, size, file_.size(), 0});
  const bool large = size > limit_;
  std::string header;
  append_number<4>(header, zip::local_signature);
  put_traits(header, large);
  append_number<4>(header, 0);  // the checksum comes at the end
  for (int i = 0; i < 2; ++i) append_number<4>(header, large ? in_zip64 : size);
  append_number<2>(header, name.size());
  append_number<2>(header, large ? 20 : 0);
  header += name;
  if (large) {
    append_number<2>(header, zip::zip64_extra);
    append_number<2>(header, 16);
    for (int i = 0; i < 2; ++i) append_number<8>(header, size);
  }
  file_.append(header);
}

void ZipWriter::add(std::string_view bytes) {
  entries_.back().crc = crc32(entries_.back().crc, bytes);
  file_.append(bytes);
}

void ZipWriter::end() {
  std::string crc;
  append_number<4>(crc, entries_.back().crc);
  file_.overwrite(entries_.back().offset + crc_position, crc);
}

std::string ZipWriter::directory_record(const Entry& entry) const {
  // What does not fit goes to the extra field, in this order.
  const bool large = entry.size > limit_, far = entry.offset > limit_;
  std::string extra;
  if (large)
    for (int i = 0; i < 2; ++i) append_number<8>(extra, entry.size);
  if (far) append_number<8>(extra, entry.offset);

  std::string record;
  append_number<4>(record, zip::directory_signature);
  append_number<2>(record, zip64_version);
  put_traits(record, large || far);
  append_number<4>(record, entry.crc);
  for (int i = 0; i < 2; ++i) append_number<4>(record, large ? in_zip64 : entry.size);
  append_number<2>(record, entry.name.size());
  append_number<2>(record, extra.empty() ? 0 : extra.size() + 4);
  for (int i = 0; i < 3; ++i) append_number<2>(record, 0);  // comment, disk, kind of contents
  append_number<4>(record, 0);                              // attributes
  append_number<4>(record, far ? in_zip64 : entry.offset);
  record += entry.name;
  if (!extra.empty()) {
    append_number<2>(record, zip::zip64_extra);
    append_number<2>(record, extra.size());
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
    append_number<4>(tail, zip::zip64_end_signature);
    append_number<8>(tail, zip::zip64_end_size - 12);  // bytes that follow in this record
    append_number<2>(tail, zip64_version);
    append_number<2>(tail, zip64_version);
    for (int i = 0; i < 2; ++i) append_number<4>(tail, 0);
    for (int i = 0; i < 2; ++i) append_number<8>(tail, count);
    append_number<8>(tail, end - begin);
    append_number<8>(tail, begin);
    append_number<4>(tail, zip::zip64_locator_signature);
    append_number<4>(tail, 0);
    append_number<8>(tail, end);
    append_number<4>(tail, 1);
  }
  append_number<4>(tail, zip::end_signature);
  for (int i = 0; i < 2; ++i) append_number<2>(tail, 0);
  for (int i = 0; i < 2; ++i) append_number<2>(tail, zip64 ? many_in_zip64 : count);
  append_number<4>(tail, zip64 ? in_zip64 : end - begin);
  append_number<4>(tail, zip64 ? in_zip64 : begin);
  append_number<2>(tail, 0);
  file_.append(tail);
}

}  // namespace ricochet
