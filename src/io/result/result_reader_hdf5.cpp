#include "io/format/hdf5_input.hpp"
#include "io/result/result_formats.hpp"

namespace ricochet::io {

namespace {

// Texts and single numbers are attributes.
class Hdf5Arrays final : public ArrayFile {
 public:
  Hdf5Arrays(const std::filesystem::path& path, const std::string& name) : file_(path, name) {}

  bool has(const std::string& name) const override { return file_.has(name); }
  std::vector<double> series(const std::string& name) override { return file_.series(name); }
  StoredResult::Columns matrix(const std::string& name) override { return file_.matrix(name, 2); }
  std::vector<std::string> texts(const std::string& name) override { return file_.texts(name.c_str()); }
  std::optional<double> number(const std::string& name) override {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) return file_.number(name.c_str());
    return file_.number(name.c_str() + slash + 1, name.substr(0, slash));
  }

 private:
  Hdf5Input file_;
};

void read(const std::filesystem::path& path, const std::string& name, StoredResult& result) {
  Hdf5Arrays file(path, name);
  read_arrays(file, "an HDF5 file", name, result);
}

}  // namespace

void read_hdf5_result(const std::filesystem::path& path, const std::string& name, bool careful, StoredResult& result) {
  const Hdf5Session session;
  if (careful)
    read_in_child(path, name, [&] {
      StoredResult tried;
      read(path, name, tried);
      return std::string();
    });
  read(path, name, result);
}

}  // namespace ricochet::io
