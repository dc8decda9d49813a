// Stacks of fibers, mapped in slabs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/stacks.h"

#include <sys/mman.h>

#include "gate/base/check.h"

namespace gate {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t slab_stacks = 128;
constexpr std::size_t line_bytes = 64;
constexpr std::size_t colours = 48;  // different tops within one page

std::size_t stride(std::size_t stack_bytes) { return stack_bytes + guard_bytes; }

Stack stack_at(std::byte* slab, std::size_t number, std::size_t stack_bytes) {
  const std::size_t colour = (number * 5 % colours) * line_bytes;
  std::byte* end = slab + (number + 1) * stride(stack_bytes);
  return {end - colour, stack_bytes - colour};
}

}  // namespace

StackPool::StackPool(std::size_t stack_bytes)
    : stack_bytes_((stack_bytes + guard_bytes - 1) / guard_bytes * guard_bytes) {
  check(stack_bytes_ >= 4 * guard_bytes, "fiber stacks hold more than their colours");
}

StackPool::~StackPool() {
  for (std::byte* slab : slabs_) munmap(slab, slab_stacks * stride(stack_bytes_));
}

bool StackPool::grow() {
  const std::size_t bytes = slab_stacks * stride(stack_bytes_);
  void* slab = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) return false;
  auto* base = static_cast<std::byte*>(slab);
  for (std::size_t i = 0; i < slab_stacks; ++i) {
    if (mprotect(base + i * stride(stack_bytes_), guard_bytes, PROT_NONE) != 0) {
      munmap(slab, bytes);
      return false;
    }
  }
  slabs_.push_back(base);
  for (std::size_t i = slab_stacks; i-- > 0;) free_.push_back(stack_at(base, i, stack_bytes_));
  return true;
}

Stack StackPool::take() {
  if (free_.empty() && !grow()) return {};
  const Stack stack = free_.back();
  free_.pop_back();
  return stack;
}

void StackPool::reclaim() {
  free_.clear();
  for (std::size_t s = slabs_.size(); s-- > 0;) {
    for (std::size_t i = slab_stacks; i-- > 0;) {
      free_.push_back(stack_at(slabs_[s], i, stack_bytes_));
    }
  }
}

bool StackPool::is_guard(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  for (const std::byte* slab : slabs_) {
    const std::byte* end = slab + slab_stacks * stride(stack_bytes_);
    if (at < slab || at >= end) continue;
    return static_cast<std::size_t>(at - slab) % stride(stack_bytes_) < guard_bytes;
  }
  return false;
}

}  // namespace gate
