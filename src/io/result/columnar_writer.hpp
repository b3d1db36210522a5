// What the formats that keep columns have in common: samples and impacts gather in blocks, blocks go to the file when
// they are full and every few seconds.
#pragma once

#include "io/format/heartbeat.hpp"
#include "io/result/result_table.hpp"

namespace ricochet {

class ColumnarWriter : public ResultWriter {
 public:
  void record(const Sample& sample) final {
    if (samples_.full()) pass_on(samples_);
    samples_.add(sample);
    if (heartbeat_.due()) save();
  }
  void impact(const Impact& impact) final {
    if (impacts_.full()) pass_on(impacts_);
    impacts_.add(impact);
  }
  void progress(std::uint64_t, std::uint64_t) final {
    if (heartbeat_.look()) save();
  }

 protected:
  explicit ColumnarWriter(const ResultHeader& header) : samples_(header), impacts_(header) {}

  const SampleTable& samples() const { return samples_; }
  const ImpactTable& impacts() const { return impacts_; }
  bool anything_recorded() const { return samples_.total() > 0 || impacts_.total() > 0; }

  // Writes the rows in the table's block to their place. The same block may come again with more rows.
  virtual void store(const Table& table) = 0;
  // Makes what is stored readable for others.
  virtual void publish() = 0;

  void store_all() {
    store(samples_);
    store(impacts_);
  }

 private:
  // Publishing now and then besides the heartbeat keeps what a full disk can cost small.
  static constexpr int blocks_between = 16;

  void pass_on(Table& table) {
    store(table);
    table.next();
    ++blocks_;
    if (blocks_ < blocks_between || blocks_ % blocks_between == 0) publish();
  }
  void save() {
    store_all();
    publish();
  }

  SampleTable samples_;
  ImpactTable impacts_;
  Heartbeat heartbeat_;
  std::uint64_t blocks_ = 0;
};

}  // namespace ricochet
