// Results as HDF5.
#include <string>
#include <vector>

#include "io/format/hdf5_file.hpp"
#include "io/result/columnar_writer.hpp"
#include "io/result/result_formats.hpp"

namespace ricochet {

namespace {

hid_t memory_type(Element element) {
  return element == Element::float64 ? given_type(double{}) : given_type(std::int32_t{});
}
hid_t file_type(Element element) {
  return element == Element::float64 ? stored_type(double{}) : stored_type(std::int32_t{});
}

// An attribute takes 16 bytes a name, and 64 KiB in all in the older form of the format.
bool has_long_lists(const ResultHeader& header) {
  constexpr std::size_t longest = 4000;
  return header.coordinates.size() > longest || header.states.size() > longest || header.constraints.size() > longest ||
         header.joints.size() > longest || header.slips.size() > longest;
}

class Hdf5Writer final : public ColumnarWriter {
 public:
  Hdf5Writer(const std::filesystem::path& path, const ResultHeader& header)
      : ColumnarWriter(header), hdf5_(path, has_long_lists(header)) {
    const Hdf5Session session;
    try {
      begin(header);
    } catch (...) {
      close();
      throw;
    }
  }

  ~Hdf5Writer() override {
    const Hdf5Session session;
    try {
      if (hdf5_ && anything_recorded()) {
        store_all();
        publish();
      }
    } catch (const std::exception&) {  // what is on disk stays as it is
    }
    close();
  }

  void finish(const Solution& solution) override {
    const Hdf5Session session;
    store_all();
    for (const auto& [name, text] : closing_texts(solution)) hdf5_.set_text(hdf5_.root(), name, text);
    for (const auto& [name, value] : energy_terms(solution.energy)) hdf5_.set_number(energy_, name, value);
    hdf5_.set_number(hdf5_.root(), "steps", solution.statistics.steps);
    publish();
    close_sets();
    hdf5_.commit();
  }

  const std::filesystem::path& path() const override { return hdf5_.file().target(); }

 private:
  void begin(const ResultHeader& header) {
    for (const auto& [name, text] : header_texts(header)) hdf5_.set_text(hdf5_.root(), name, text);
    for (const auto& [name, list] : header_lists(header)) hdf5_.set_list(hdf5_.root(), name, *list);
    // A file that nobody finished says so.
    hdf5_.set_text(hdf5_.root(), "status", "interrupted");
    create_datasets(samples(), sample_sets_);
    create_datasets(impacts(), impact_sets_);
    energy_ = hdf5_.check(Hdf5Handle(H5Gopen2(hdf5_.root(), "energy", H5P_DEFAULT), H5Gclose), "energy");
    publish();
  }

  void store(const Table& table) override {
    if (table.rows() == 0) return;
    const Hdf5Session session;
    const std::vector<Hdf5Handle>& sets = &table == &samples() ? sample_sets_ : impact_sets_;
    for (std::size_t k = 0; k < sets.size(); ++k) store_column(table, table.columns()[k], sets[k]);
  }

  // Extends the dataset and writes the block's rows at its end.
  void store_column(const Table& table, const Column& column, hid_t dataset) {
    const hsize_t extent[] = {table.total(), column.width};
    hdf5_.check(H5Dset_extent(dataset, extent), column.name);
    hdf5_.write_rows(dataset, column.name, shape_of(table, column), memory_type(column.element), table.first_row(),
                     table.rows(), column.block.data());
  }

  void publish() override {
    const Hdf5Session session;
    hdf5_.flush();
    if (anything_recorded()) hdf5_.file().keep();
  }

  void close_sets() {
    sample_sets_.clear();
    impact_sets_.clear();
    energy_.close();
  }
  void close() {
    close_sets();
    hdf5_.close();
  }

  // Chunks are as long as the table's blocks, without compression: see docs/result-files.md for what it would save.
  static Hdf5Shape shape_of(const Table& table, const Column& column) {
    return {file_type(column.element), column.is_matrix, 0, column.width, table.capacity()};
  }

  void create_datasets(const Table& table, std::vector<Hdf5Handle>& sets) {
    for (const Column& column : table.columns()) {
      sets.push_back(hdf5_.create(column.name, shape_of(table, column)));
      hdf5_.set_text(sets.back(), "units", std::string(column.units));
    }
  }

  Hdf5File hdf5_;
  Hdf5Handle energy_;
  std::vector<Hdf5Handle> sample_sets_, impact_sets_;
};

}  // namespace

std::unique_ptr<ResultWriter> io::open_hdf5(const std::filesystem::path& path, const ResultHeader& header) {
  return std::make_unique<Hdf5Writer>(path, header);
}

}  // namespace ricochet
