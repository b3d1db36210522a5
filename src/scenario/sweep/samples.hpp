// Samples of the unit interval by their number: the same on every machine, none depends on the others.
#pragma once

#include <bit>
#include <cstdint>

namespace ricochet {

// SplitMix64 as a function of a counter. G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
// generators, OOPSLA 2014, doi:10.1145/2660193.2660195.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t number) { return mix(mix(seed) + number); }

// In [0, 1), with so many bits.
constexpr double unit_sample(std::uint64_t seed, std::uint64_t number, int bits = 53) {
  return static_cast<double>(mix(seed, number) >> (64 - bits)) / static_cast<double>(std::uint64_t{1} << bits);
}

// The place of a number below n in a permutation of all of them: a Feistel network on the next even number of bits,
// applied until it leads back below n.
constexpr std::uint64_t permuted(std::uint64_t seed, std::uint64_t number, std::uint64_t n) {
  const int half = (static_cast<int>(std::bit_width(n - 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = number >> half, right = number & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (mix(seed + round, right) & mask);
      left = right;
      right = next;
    }
    number = left << half | right;
  } while (number >= n);
  return number;
}

// Latin hypercube: of n samples each part [k/n, (k + 1)/n) holds one. n at most 2³⁰: k + r is then exact.
constexpr double stratified_sample(std::uint64_t seed, std::uint64_t number, std::uint64_t n) {
  const double r = unit_sample(mix(seed), number, 22);
  return (static_cast<double>(permuted(seed, number, n)) + r) / static_cast<double>(n);
}

}  // namespace ricochet
