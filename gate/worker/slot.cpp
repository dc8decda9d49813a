// Bytes in and out of a slot.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/slot.h"

#include <array>
#include <cstring>

namespace gate {

namespace {

constexpr std::size_t pattern_bytes = 8;  // the largest element
using Pattern = std::array<std::byte, pattern_bytes>;

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

Pattern poison_pattern(DType dtype, bool second) {
  Pattern pattern;
  const std::size_t step = facts(dtype).bytes;
  for (std::size_t at = 0; at < pattern_bytes; at += step) {
    store_bits(dtype, poison_bits(dtype, second), pattern.data() + at);
  }
  return pattern;
}

/// Red zones of inputs hold the first pattern, all others the second: a copy that runs over both
/// ends would otherwise write what is there already.
Pattern red_zone_pattern(const Tensor& tensor) {
  return poison_pattern(tensor.dtype, tensor.role != Role::input);
}

/// The pattern as it continues at byte `phase` of a tensor.
Pattern turned(const Pattern& pattern, std::size_t phase) {
  Pattern result;
  for (std::size_t i = 0; i < pattern_bytes; ++i) result[i] = pattern[(i + phase) % pattern_bytes];
  return result;
}

void fill(std::byte* to, std::size_t bytes, const Pattern& pattern) {
  std::size_t at = 0;
  for (; at + pattern_bytes <= bytes; at += pattern_bytes) {
    std::memcpy(to + at, pattern.data(), pattern_bytes);
  }
  std::memcpy(to + at, pattern.data(), bytes - at);
}

/// First byte that differs from the repeated pattern, or `bytes`.
std::size_t first_change(const std::byte* from, std::size_t bytes, const Pattern& pattern) {
  std::uint64_t want = 0, differs = 0;
  std::memcpy(&want, pattern.data(), pattern_bytes);
  const std::size_t whole = bytes / pattern_bytes * pattern_bytes;
  for (std::size_t at = 0; at < whole; at += pattern_bytes) {
    std::uint64_t got = 0;
    std::memcpy(&got, from + at, pattern_bytes);
    differs |= got ^ want;  // no early exit: vectorises, and red zones are almost always whole
  }
  if (differs == 0 && std::memcmp(from + whole, pattern.data(), bytes - whole) == 0) return bytes;
  std::size_t at = 0;
  while (at < bytes && from[at] == pattern[at % pattern_bytes]) ++at;
  return at;
}

/// Last byte that differs, counted from the end (1: the last one); 0 if none does.
std::size_t last_change(const std::byte* from, std::size_t bytes, const Pattern& pattern) {
  for (std::size_t back = 1; back <= bytes; ++back) {
    const std::size_t at = bytes - back;
    if (from[at] != pattern[at % pattern_bytes]) return back;
  }
  return 0;
}

/// Where the red zones of tensor `i` begin and end.
struct Surroundings {
  std::size_t before = 0;  // its red zone ends where the storage begins
  std::size_t after = 0;   // its red zone begins here
  std::size_t end = 0;
};

Surroundings surroundings(const SlotLayout& layout, std::size_t i, std::size_t bytes) {
  const bool last = i + 1 == layout.offsets.size();
  const std::size_t end = last ? layout.bytes : layout.offsets[i + 1] - red_zone_bytes;
  return {layout.offsets[i] - red_zone_bytes, layout.offsets[i] + bytes, end};
}

/// Copies the elements of the view, leaving gaps of `to` alone.
void copy_elements(const Tensor& from, std::vector<std::byte>& to) {
  const std::size_t bytes = facts(from.dtype).bytes;
  const std::size_t rank = from.view.shape.size();
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t place = from.view.offset;
  for (std::int64_t left = from.elements(); left > 0; --left) {
    const auto at = static_cast<std::size_t>(place) * bytes;
    std::memcpy(to.data() + at, from.storage.data() + at, bytes);
    for (std::size_t d = rank; d-- > 0;) {
      place += from.view.strides[d];
      if (++index[d] < from.view.shape[d]) break;
      place -= from.view.strides[d] * from.view.shape[d];
      index[d] = 0;
    }
  }
}

/// What the storage held before the kernel ran.
std::vector<std::byte> bytes_before(const Tensor& tensor, const Job& job) {
  if (tensor.role == Role::input || tensor.role == Role::inout) return tensor.storage;
  std::vector<std::byte> bytes(tensor.storage.size());
  if (!job.zeroed) {
    fill(bytes.data(), bytes.size(), poison_pattern(tensor.dtype, job.second_poison));
  }
  return bytes;
}

/// A byte between elements that changed: "y: 12 bytes into its storage, between elements".
std::optional<std::string> gap_change(const Tensor& before, const Tensor& after, const Job& job) {
  if (is_contiguous(before.view) && before.view.offset == 0) return {};
  std::vector<std::byte> want = bytes_before(before, job);
  copy_elements(after, want);
  if (want == after.storage) return {};
  std::size_t at = 0;
  while (want[at] == after.storage[at]) ++at;
  return before.name + ": " + std::to_string(at) + " bytes into its storage, between elements";
}

std::optional<std::string> red_zone_change(const std::byte* slot, const Surroundings& around,
                                           const Tensor& tensor) {
  const Pattern pattern = red_zone_pattern(tensor);
  const std::size_t step = facts(tensor.dtype).bytes;  // the element that holds the byte is named
  const std::size_t length = around.end - around.after;
  const Pattern continued = turned(pattern, tensor.storage.size() % pattern_bytes);
  const std::size_t after = first_change(slot + around.after, length, continued);
  if (after < length) {
    const std::size_t element = after / step * step;
    return tensor.name + ": " + std::to_string(element) + " bytes after its end";
  }
  if (first_change(slot + around.before, red_zone_bytes, pattern) < red_zone_bytes) {
    const std::size_t back = last_change(slot + around.before, red_zone_bytes, pattern);
    const std::size_t element = (back + step - 1) / step * step;
    return tensor.name + ": " + std::to_string(element) + " bytes before its start";
  }
  return {};
}

}  // namespace

std::optional<SlotLayout> slot_layout(std::span<const std::size_t> tensor_bytes,
                                      std::size_t bytes_max) {
  SlotLayout layout;
  layout.offsets.reserve(tensor_bytes.size());
  std::size_t end = 0;
  for (const std::size_t bytes : tensor_bytes) {
    const std::size_t start = round_up(end + red_zone_bytes, slot_alignment);
    if (start > bytes_max || bytes > bytes_max - start) return {};
    layout.offsets.push_back(start);
    end = round_up(start + bytes + red_zone_bytes, slot_alignment);
  }
  if (end > bytes_max) return {};
  layout.bytes = end;
  return layout;
}

std::vector<std::size_t> tensor_bytes(const Inputs& inputs) {
  std::vector<std::size_t> sizes;
  sizes.reserve(inputs.tensors.size());
  for (const Tensor& tensor : inputs.tensors) sizes.push_back(tensor.storage.size());
  return sizes;
}

void fill_slot(std::byte* slot, const SlotLayout& layout, const Job& job) {
  for (std::size_t i = 0; i < job.inputs.tensors.size(); ++i) {
    const Tensor& tensor = job.inputs.tensors[i];
    const std::size_t bytes = tensor.storage.size();
    const Surroundings around = surroundings(layout, i, bytes);
    const Pattern red = red_zone_pattern(tensor);
    fill(slot + around.before, red_zone_bytes, red);
    fill(slot + around.after, around.end - around.after, turned(red, bytes % pattern_bytes));
    std::byte* storage = slot + layout.offsets[i];
    if (tensor.role == Role::input || tensor.role == Role::inout) {
      if (bytes > 0) std::memcpy(storage, tensor.storage.data(), bytes);
    } else if (job.zeroed) {
      std::memset(storage, 0, bytes);
    } else {
      fill(storage, bytes, poison_pattern(tensor.dtype, job.second_poison));
    }
  }
}

void read_slot(const std::byte* slot, const SlotLayout& layout, const Job& job, Outcome& outcome) {
  outcome.after.reserve(job.inputs.tensors.size());
  for (std::size_t i = 0; i < job.inputs.tensors.size(); ++i) {
    const Tensor& before = job.inputs.tensors[i];
    const std::size_t bytes = before.storage.size();
    const std::byte* storage = slot + layout.offsets[i];
    Tensor after{before.name, before.role, before.dtype, before.view,
                 std::vector<std::byte>(storage, storage + bytes)};
    auto change = red_zone_change(slot, surroundings(layout, i, bytes), before);
    if (before.role == Role::input) {
      if (after.storage != before.storage) outcome.modified_inputs.push_back(before.name);
    } else if (!change) {
      change = gap_change(before, after, job);
    }
    if (change && !outcome.red_zone) outcome.red_zone = std::move(change);
    outcome.after.push_back(std::move(after));
  }
}

}  // namespace gate
