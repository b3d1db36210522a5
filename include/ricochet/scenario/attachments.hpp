// The files that a scenario names. io/ reads them; whoever builds a scenario in memory hands over its own.
#pragma once

#include <string>

#include "ricochet/core/number_table.hpp"
#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet {

class Attachments {
 public:
  virtual ~Attachments() = default;

  // All throw InputError with `field`, the place in the scenario that names the file. A matrix is the file's only one,
  // or FILE.npz:NAME.
  virtual SparseMatrix matrix(const std::string& file, const std::string& field) const = 0;
  virtual NumberTable table(const std::string& file, const std::string& field) const = 0;
  virtual bool has_matrix(const std::string& file, const std::string& field) const = 0;
};

}  // namespace ricochet
