#include "io/attachment/attachment_formats.hpp"

#include <new>
#include <utility>

#include "io/format/npz_reader.hpp"
#include "io/format/text_lines.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet::io {

namespace {

template <class Read>
auto in_memory(const InputBytes& file, Read read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    file.refuse("needs more memory than there is");
  }
}

bool ends_with(const AttachmentName& name, std::string_view ending) { return lowered(name.file).ends_with(ending); }

}  // namespace

AttachmentName split_attachment_name(const std::string& text) {
  constexpr std::string_view mark = ".npz:";
  const std::size_t place = lowered(text).find(mark);
  if (place == std::string::npos) return {.file = text};
  const std::size_t colon = place + mark.size() - 1;
  return {.file = text.substr(0, colon), .array = text.substr(colon + 1)};
}

bool is_result(const AttachmentName& name) { return ends_with(name, ".h5") || ends_with(name, ".hdf5"); }

bool holds_result(const InputBytes& file, const AttachmentName& name) {
  if (!ends_with(name, ".npz") || !name.array.empty()) return false;
  const ZipReader zip(file);
  return npz_has_array(zip, "t") && npz_has_array(zip, "q") && npz_has_array(zip, "v") && npz_has_array(zip, "event");
}

SparseMatrix read_matrix(const InputBytes& file, const AttachmentName& name) {
  if (ends_with(name, ".mtx")) return in_memory(file, [&] { return read_matrix_market(file); });
  if (ends_with(name, ".npz")) return in_memory(file, [&] { return read_npz_matrix(file, name.array); });
  if (ends_with(name, ".npy")) return in_memory(file, [&] { return read_npy_matrix(file); });
  if (ends_with(name, ".gz")) file.refuse("is compressed; unpack it first");
  file.refuse("a matrix is read from a file that ends in .mtx (Matrix Market), .npz or .npy (NumPy)");
}

bool has_matrix(const InputBytes& file, const AttachmentName& name) {
  return name.array.empty() || npz_has_array(ZipReader(file), name.array);
}

NumberTable read_table(const InputBytes& file, const AttachmentName& name) {
  for (const char* ending : {".csv", ".tsv", ".txt", ".dat"}) {
    if (ends_with(name, ending)) return in_memory(file, [&] { return read_number_table(file); });
  }
  using Record = std::pair<const char*, const char*>;
  for (const auto& [ending, quantity] :
       {Record{".at2", "acceleration"}, {".vt2", "velocity"}, {".dt2", "displacement"}})
    if (ends_with(name, ending)) return in_memory(file, [&, q = quantity] { return read_peer_record(file, q); });
  if (ends_with(name, ".npz")) return in_memory(file, [&] { return read_npz_table(file, name.array); });
  if (ends_with(name, ".npy")) return in_memory(file, [&] { return read_npy_table(file); });
  if (ends_with(name, ".gz")) file.refuse("is compressed; unpack it first");
  file.refuse(
      "numbers are read from a file that ends in .csv, .tsv, .txt or .dat (text), .at2, .vt2 or .dt2 (PEER), .npz or "
      ".npy (NumPy)");
}

}  // namespace ricochet::io
