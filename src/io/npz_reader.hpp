// Matrices and tables from NumPy's files.
#pragma once

#include <string>

#include "io/attachment.hpp"
#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/scenario/attachments.hpp"

namespace ricochet::io {

// An .npy file: two sizes, or one for a single column. Zeros are left out of a matrix's pattern.
SparseMatrix read_npy_matrix(const Attachment& file);
NumberTable read_npy_table(const Attachment& file);

// An .npz file, stored or compressed. `array` names one of its arrays; without a name the file is a matrix that
// scipy.sparse.save_npz wrote (csr, csc, coo, dia or bsr), or holds a single array.
// Entries that a sparse matrix gives more than once are added up, as SciPy does.
SparseMatrix read_npz_matrix(const Attachment& file, const std::string& array);
NumberTable read_npz_table(const Attachment& file, const std::string& array);
bool npz_has_array(const Attachment& file, const std::string& array);

}  // namespace ricochet::io
