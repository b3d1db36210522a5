// The files that a scenario names, read from the folder it lies in; for scenarios of the gallery, from the library.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "ricochet/scenario/attachments.hpp"

namespace ricochet {

namespace io {
class InputBytes;
}

// matrix: .mtx, .npz, .npy; table: .h5 (a result: t, coordinates, velocities and states at its instants), .csv, .tsv,
// .txt, .dat, .at2, .vt2, .dt2, .npz, .npy. "model.npz:K" names one array of a file.
class NamedFiles : public Attachments {
 public:
  SparseMatrix matrix(const std::string& file, const std::string& field) const final;
  NumberTable table(const std::string& file, const std::string& field) const final;
  bool has_matrix(const std::string& file, const std::string& field) const final;
  // The files on disk that have been read so far.
  virtual std::vector<std::filesystem::path> paths() const { return {}; }

 private:
  virtual std::unique_ptr<io::InputBytes> open(const std::string& file, const std::string& field) const = 0;
  virtual NumberTable result(const std::string& file, const std::string& field) const;
};

// Only files of the folder and below, or else of the first of the others that has it: absolute names, ".." and links
// that lead out of it are refused.
class AttachmentFolder final : public NamedFiles {
 public:
  // "" is the current one.
  explicit AttachmentFolder(std::filesystem::path folder, std::vector<std::filesystem::path> others = {});
  std::vector<std::filesystem::path> paths() const override;

 private:
  std::unique_ptr<io::InputBytes> open(const std::string& file, const std::string& field) const override;
  NumberTable result(const std::string& file, const std::string& field) const override;
  std::filesystem::path found(const std::string& file, const std::string& field) const;
  std::filesystem::path checked(const std::filesystem::path& folder, const std::string& file,
                                const std::string& field) const;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> others_;
  mutable std::mutex mutex_;
  mutable std::set<std::filesystem::path> read_;
};

// The files gallery/*.csv and gallery/*.mtx.
class GalleryAttachments final : public NamedFiles {
  std::unique_ptr<io::InputBytes> open(const std::string& file, const std::string& field) const override;
};

}  // namespace ricochet
