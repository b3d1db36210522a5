// The files that a scenario names, read from the folder it lies in; for scenarios of the gallery, from the library.
#pragma once

#include <filesystem>
#include <string>

#include "ricochet/scenario/attachments.hpp"

namespace ricochet {

// Only files of the folder and below: absolute names, ".." and links that lead out of it are refused.
// matrix: .mtx, .npz, .npy; table: .csv, .tsv, .txt, .dat, .npz, .npy. "model.npz:K" names one array of a file.
class AttachmentFolder final : public Attachments {
 public:
  explicit AttachmentFolder(std::filesystem::path folder);  // "" is the current one

  SparseMatrix matrix(const std::string& file, const std::string& field) const override;
  NumberTable table(const std::string& file, const std::string& field) const override;
  bool has_matrix(const std::string& file, const std::string& field) const override;

 private:
  std::filesystem::path checked(const std::string& file, const std::string& field) const;

  std::filesystem::path folder_;
};

// The files gallery/*.csv and gallery/*.mtx.
class GalleryAttachments final : public Attachments {
 public:
  SparseMatrix matrix(const std::string& file, const std::string& field) const override;
  NumberTable table(const std::string& file, const std::string& field) const override;
  bool has_matrix(const std::string& file, const std::string& field) const override;
};

}  // namespace ricochet
