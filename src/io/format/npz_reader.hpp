// Matrices and tables from NumPy's files.
#pragma once

#include <string>

#include "io/format/npy_reader.hpp"
#include "io/format/zip_reader.hpp"
#include "ricochet/core/number_table.hpp"
#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet::io {

// An .npy file: two sizes, or one for a single column. Zeros are left out of a matrix's pattern.
SparseMatrix read_npy_matrix(const InputBytes& file);
NumberTable read_npy_table(const InputBytes& file);

// An .npz file, stored or compressed. `array` names one of its arrays; without a name the file is a matrix that
// scipy.sparse.save_npz wrote (csr, csc, coo, dia or bsr), or holds a single array.
// Entries that a sparse matrix gives more than once are added up, as SciPy does.
SparseMatrix read_npz_matrix(const InputBytes& file, const std::string& array);
NumberTable read_npz_table(const InputBytes& file, const std::string& array);

// One array of an archive, without its ending .npy. Refuses what is not there.
bool npz_has_array(const ZipReader& zip, const std::string& name);
NpyArray npz_array(const ZipReader& zip, const std::string& name);

}  // namespace ricochet::io
