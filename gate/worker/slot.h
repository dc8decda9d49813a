// A slot of the shared memory: where tensors and red zones lie, filling it before a job and reading
// it back after. Layout is the same function on both sides of the socket.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/worker/outcome.h"
#include "gate/worker/pool.h"
#include "gate/worker/requests.h"

namespace gate {

/// Storage starts at multiples of this, as cudaMalloc's does; misalignment is a view's offset.
inline constexpr std::size_t slot_alignment = 256;

/// Byte offsets in the slot of each tensor's storage, and the bytes used in all. Every tensor has
/// red zones of its own of at least red_zone_bytes, directly before and after it.
struct SlotLayout {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
};

/// Nothing if the sum does not fit into `bytes_max`.
std::optional<SlotLayout> slot_layout(std::span<const std::size_t> tensor_bytes,
                                      std::size_t bytes_max);
/// Sizes of a job's tensors, in order.
std::vector<std::size_t> tensor_bytes(const Inputs& inputs);

/// Writes red zones, inputs, and poison (or zeros) for outputs and workspaces.
void fill_slot(std::byte* slot, const SlotLayout& layout, const Job& job);
/// Copies every tensor to private memory and looks at what the kernel must not have changed: red
/// zones, gaps of outputs, inputs. Sets after, red_zone and modified_inputs.
void read_slot(const std::byte* slot, const SlotLayout& layout, const Job& job, Outcome& outcome);

}  // namespace gate
