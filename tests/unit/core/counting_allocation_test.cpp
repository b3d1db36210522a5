// The operators that count: every test in this program allocates through them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "support/allocations.hpp"

namespace {
thread_local long count = 0;
}

long ricochet::testing::allocations() { return count; }

// The whole test program allocates through these; inlined, the compiler would take them for mismatched pairs.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++count;
  const auto align = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(align, (size + align - 1) / align * align)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

TEST(Allocations, AreCounted) {
  const long before = ricochet::testing::allocations();
  const auto number = std::make_unique<int>(1);
  EXPECT_EQ(ricochet::testing::allocations(), before + *number);
}
