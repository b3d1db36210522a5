// Trajectories and chains of a sweep as bytes, for the journal and for other processes: little-endian, every bit kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/format/bytes.hpp"
#include "ricochet/study/sweep.hpp"

namespace ricochet {

std::string to_bytes(const SweepTrajectory& trajectory);
std::string to_bytes(const SweepChain& chain);

// Both throw Error for bytes that are no such thing.
SweepTrajectory trajectory_of_bytes(std::string_view bytes);
SweepChain chain_of_bytes(std::string_view bytes);

// A hash of what it is fed with (FNV-1a, 64 bits), the same on every machine.
class Digest {
 public:
  void add(std::string_view text) {
    add(text.size());
    bytes(text);
  }
  void add(std::uint64_t number) {
    std::string text;
    append_number<8>(text, number);
    bytes(text);
  }
  void add(double number);
  std::uint64_t value() const { return value_; }

 private:
  void bytes(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace ricochet
