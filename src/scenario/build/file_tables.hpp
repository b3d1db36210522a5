// The files that table() names in formulas, read once each.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/formula/parse.hpp"
#include "ricochet/scenario/attachments.hpp"

namespace ricochet {

// The column of a table, by name, by number from 0, or the second. The first one counts the points. Throws InputError.
const std::vector<double>& column_of(const NumberTable& table, const std::string& file, const std::string& column,
                                     const std::string& field, const std::string& column_field);

class FileTables final : public formula::Tables {
 public:
  explicit FileTables(const Attachments* files) : files_(files) {}
  std::shared_ptr<const formula::Curve> curve(const formula::TableName& name) const override;

 private:
  const Attachments* files_;
  mutable std::map<std::string, NumberTable> files_read_;
  mutable std::map<formula::TableName, std::shared_ptr<const formula::Curve>> curves_;
};

// What formulas may read from files while it lives.
struct FormulaFiles {
  explicit FormulaFiles(const Attachments* files) : tables(files), scope(tables) {}
  FileTables tables;
  formula::TableScope scope;
};

}  // namespace ricochet
