#include "io/result/sweep_bytes.hpp"

#include <bit>
#include <cstring>

#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

void put_list(std::string& bytes, const std::vector<double>& list) {
  append_number<8>(bytes, list.size());
  if constexpr (std::endian::native == std::endian::little) {
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(double));
  } else {
    for (const double x : list) append_number<8>(bytes, std::bit_cast<std::uint64_t>(x));
  }
}

// Takes one thing after the other off the front.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() { return number_at<8>(take(8), 0); }
  double real() { return std::bit_cast<double>(number()); }
  std::string text() { return std::string(take(number())); }
  std::vector<double> list() {
    const std::uint64_t size = number();
    if (size > rest_.size() / 8) refuse();
    const std::string_view bytes = take(8 * size);
    std::vector<double> result(size);
    if constexpr (std::endian::native == std::endian::little) {
      if (size > 0) std::memcpy(result.data(), bytes.data(), bytes.size());
    } else {
      for (std::size_t i = 0; i < size; ++i) result[i] = std::bit_cast<double>(number_at<8>(bytes, 8 * i));
    }
    return result;
  }
  void end() const {
    if (!rest_.empty()) refuse();
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) refuse();
    const std::string_view front = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return front;
  }
  [[noreturn]] static void refuse() { throw Error("the bytes of a trajectory are damaged"); }
  std::string_view rest_;
};

}  // namespace

void Digest::add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

std::string to_bytes(const SweepTrajectory& trajectory) {
  std::string bytes;
  for (const std::uint64_t number : {trajectory.index, trajectory.steps, trajectory.impacts,
                                     static_cast<std::uint64_t>(trajectory.period), trajectory.failure.size()})
    append_number<8>(bytes, number);
  bytes += trajectory.failure;
  for (const double number : {trajectory.cycle_impacts, trajectory.settled_after, trajectory.lyapunov})
    append_number<8>(bytes, std::bit_cast<std::uint64_t>(number));
  for (const std::vector<double>* list : {&trajectory.final, &trajectory.largest, &trajectory.statistics,
                                          &trajectory.histogram, &trajectory.spectrum, &trajectory.points})
    put_list(bytes, *list);
  return bytes;
}

SweepTrajectory trajectory_of_bytes(std::string_view bytes) {
  Reader reader(bytes);
  SweepTrajectory trajectory;
  for (std::uint64_t* number : {&trajectory.index, &trajectory.steps, &trajectory.impacts}) *number = reader.number();
  trajectory.period = static_cast<std::int64_t>(reader.number());
  trajectory.failure = reader.text();
  for (double* number : {&trajectory.cycle_impacts, &trajectory.settled_after, &trajectory.lyapunov})
    *number = reader.real();
  for (std::vector<double>* list : {&trajectory.final, &trajectory.largest, &trajectory.statistics,
                                    &trajectory.histogram, &trajectory.spectrum, &trajectory.points})
    *list = reader.list();
  reader.end();
  return trajectory;
}

std::string to_bytes(const SweepChain& chain) {
  std::string bytes;
  append_number<8>(bytes, chain.trajectories.size());
  for (const std::uint64_t index : chain.trajectories) append_number<8>(bytes, index);
  put_list(bytes, chain.start);
  append_number<8>(bytes, chain.lead);
  return bytes;
}

SweepChain chain_of_bytes(std::string_view bytes) {
  Reader reader(bytes);
  SweepChain chain;
  for (std::uint64_t left = reader.number(); left > 0; --left) chain.trajectories.push_back(reader.number());
  chain.start = reader.list();
  chain.lead = reader.number();
  reader.end();
  return chain;
}

}  // namespace ricochet
