#include "io/format/input_bytes.hpp"
#include "io/format/npz_reader.hpp"
#include "io/result/result_formats.hpp"

namespace ricochet::io {

namespace {

class NpzArrays final : public ArrayFile {
 public:
  explicit NpzArrays(const InputBytes& file) : zip_(file) {}

  bool has(const std::string& name) const override { return npz_has_array(zip_, name); }
  std::vector<double> series(const std::string& name) override {
    const std::optional<NpyArray> array = counted(name);
    return array && array->shape().size() == 1 ? array->numbers() : std::vector<double>();
  }
  StoredResult::Columns matrix(const std::string& name) override {
    const std::optional<NpyArray> array = counted(name);
    if (!array) return {};
    if (array->shape().size() != 2) array->refuse("must have two sizes");
    array->check_columns();
    return array->columns();
  }
  std::vector<std::string> texts(const std::string& name) override {
    return has(name) ? npz_array(zip_, name).texts() : std::vector<std::string>();
  }
  std::optional<double> number(const std::string& name) override {
    const std::optional<NpyArray> array = counted(name);
    return array && array->size() == 1 ? std::optional(array->number(0)) : std::nullopt;
  }

 private:
  std::optional<NpyArray> counted(const std::string& name) {
    if (!has(name)) return std::nullopt;
    NpyArray array = npz_array(zip_, name);
    if (array.is_text()) array.refuse("holds text where numbers are needed");
    count_ += array.size();
    if (count_ > input_memory_max(zip_.file().size()) / sizeof(double)) array.refuse("is too large to be read");
    return array;
  }

  ZipReader zip_;
  std::uint64_t count_ = 0;
};

}  // namespace

void read_npz_result(const std::filesystem::path& path, const std::string& name, StoredResult& result) {
  const FileBytes file(path, name, "", std::uint64_t{1} << 40);
  NpzArrays arrays(file);
  read_arrays(arrays, "an archive of arrays", name, result);
}

}  // namespace ricochet::io
