// Which reader a file gets: by the ending of its name.
#pragma once

#include <filesystem>
#include <string>

#include "io/format/input_bytes.hpp"
#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/scenario/attachments.hpp"

namespace ricochet::io {

// "model.npz:K" names one array of a file.
struct AttachmentName {
  std::string file, array = {};
};
AttachmentName split_attachment_name(const std::string& text);

// A file that memory cannot hold is refused like any other that cannot be read.
SparseMatrix read_matrix(const InputBytes& file, const AttachmentName& name);  // .mtx, .npz, .npy
bool has_matrix(const InputBytes& file, const AttachmentName& name);           // other files than .npz have one
NumberTable read_table(const InputBytes& file, const AttachmentName& name);  // .csv, .tsv, .txt, .dat, .at2, .npz, .npy

// A result of ricochet in HDF5, or as NPZ without the name of an array: columns t, the coordinates, their velocities
// NAME_dot, the states; a row an instant of the grid.
bool is_result(const AttachmentName& name);
bool holds_result(const InputBytes& file, const AttachmentName& name);
NumberTable result_table(const std::filesystem::path& path, const std::string& file, const std::string& field);

}  // namespace ricochet::io
