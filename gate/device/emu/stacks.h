// Stacks of fibers: one mapping per slab, a guard page below each stack, tops spread over cache
// sets (equal low address bits would make all fibers fight for the same few lines).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace gate {

struct Stack {
  std::byte* top = nullptr;  // one past the highest usable byte
  std::size_t bytes = 0;     // usable below top
};

class StackPool {
 public:
  explicit StackPool(std::size_t stack_bytes);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// Null top: the machine gives no more memory.
  Stack take();
  void give_back(const Stack& stack) { free_.push_back(stack); }
  /// Makes every stack free again; for launches given up halfway.
  void reclaim();
  /// True if the address lies in the guard page below some stack.
  bool is_guard(const void* address) const;
  std::size_t stack_bytes() const { return stack_bytes_; }

 private:
  bool grow();
  std::size_t stack_bytes_;
  std::vector<std::byte*> slabs_;
  std::vector<Stack> free_;
};

}  // namespace gate
