// Slot layout, filling and reading back, for every dtype.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/slot.h"

#include <gtest/gtest.h>

#include <cstring>

namespace gate {
namespace {

constexpr std::size_t unlimited = 1u << 30;

Job job_of(DType dtype, const View& view) {
  Job job;
  job.inputs.tensors = {make_tensor("x", Role::input, dtype, view),
                        make_tensor("y", Role::output, dtype, view)};
  for (std::size_t i = 0; i < job.inputs.tensors[0].storage.size(); ++i) {
    job.inputs.tensors[0].storage[i] = static_cast<std::byte>(i * 7 + 1);
  }
  return job;
}

/// A filled slot, changed by the test in the kernel's place.
struct FilledSlot {
  Job job;
  SlotLayout layout;
  std::vector<std::byte> memory;

  explicit FilledSlot(Job given) : job(std::move(given)) {
    layout = *slot_layout(tensor_bytes(job.inputs), unlimited);
    memory.resize(layout.bytes);
    fill_slot(memory.data(), layout, job);
  }
  Outcome read() const {
    Outcome outcome;
    read_slot(memory.data(), layout, job, outcome);
    return outcome;
  }
  std::byte* storage(std::size_t tensor) { return memory.data() + layout.offsets[tensor]; }
};

TEST(Slot, layout_is_aligned_and_keeps_red_zones_apart) {
  const std::vector<std::size_t> sizes = {1, 0, 4096, 77};
  const auto layout = slot_layout(sizes, unlimited);
  ASSERT_TRUE(layout);
  std::size_t end = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(layout->offsets[i] % slot_alignment, 0u);
    EXPECT_GE(layout->offsets[i], end + red_zone_bytes);
    end = layout->offsets[i] + sizes[i] + red_zone_bytes;
  }
  EXPECT_GE(layout->bytes, end);
}

TEST(Slot, layout_refuses_what_does_not_fit) {
  const std::vector<std::size_t> sizes = {100};
  EXPECT_FALSE(slot_layout(sizes, 2 * red_zone_bytes + 99));
  EXPECT_TRUE(slot_layout(sizes, 2 * red_zone_bytes + slot_alignment));
  const std::vector<std::size_t> huge = {~std::size_t{0}, ~std::size_t{0} - 5};
  EXPECT_FALSE(slot_layout(huge, unlimited));
  const std::vector<std::size_t> none;
  EXPECT_EQ(slot_layout(none, 0)->bytes, 0u);
}

TEST(Slot, nothing_changed_is_nothing_reported) {
  for (const DType dtype : all_dtypes()) {
    for (const View& view : {contiguous_view({3, 7}), View{{3, 7}, {9, 1}, 1},
                             View{{3, 7}, {1, 3}, 0}, contiguous_view({0})}) {
      const FilledSlot slot(job_of(dtype, view));
      const Outcome outcome = slot.read();
      EXPECT_FALSE(outcome.red_zone) << facts(dtype).name << " " << *outcome.red_zone;
      EXPECT_TRUE(outcome.modified_inputs.empty());
      EXPECT_EQ(outcome.after[0].storage, slot.job.inputs.tensors[0].storage);
      const auto unwritten = unwritten_elements(outcome.after[1], false);
      EXPECT_EQ(unwritten.size(), static_cast<std::size_t>(element_count(view.shape)));
    }
  }
}

TEST(Slot, every_byte_of_every_red_zone_is_watched) {
  for (const DType dtype : {DType::f64, DType::f16, DType::u8}) {
    FilledSlot slot(job_of(dtype, contiguous_view({5})));
    const std::size_t bytes = slot.job.inputs.tensors[0].storage.size();
    for (std::size_t at = 0; at < slot.memory.size(); ++at) {
      const bool inside = (at >= slot.layout.offsets[0] && at < slot.layout.offsets[0] + bytes) ||
                          (at >= slot.layout.offsets[1] && at < slot.layout.offsets[1] + bytes);
      slot.memory[at] ^= std::byte{0x10};
      EXPECT_EQ(slot.read().red_zone.has_value(), !inside) << at;
      slot.memory[at] ^= std::byte{0x10};
    }
  }
}

TEST(Slot, names_element_and_side) {
  FilledSlot slot(job_of(DType::f32, contiguous_view({5})));
  slot.storage(1)[20 + 13] ^= std::byte{1};
  EXPECT_EQ(*slot.read().red_zone, "y: 12 bytes after its end");
  slot.storage(0)[-3] ^= std::byte{1};
  EXPECT_EQ(*slot.read().red_zone, "x: 4 bytes before its start");
}

TEST(Slot, gaps_of_outputs_are_watched_and_elements_are_not) {
  const View view{{2, 3}, {5, 1}, 2};
  FilledSlot slot(job_of(DType::f16, view));
  std::vector<bool> is_element(slot.job.inputs.tensors[1].storage.size(), false);
  for (std::int64_t i = 0; i < 6; ++i) {
    is_element[static_cast<std::size_t>(position(view, i)) * 2] = true;
    is_element[static_cast<std::size_t>(position(view, i)) * 2 + 1] = true;
  }
  for (std::size_t at = 0; at < is_element.size(); ++at) {
    slot.storage(1)[at] ^= std::byte{1};
    EXPECT_EQ(slot.read().red_zone.has_value(), !is_element[at]) << at;
    slot.storage(1)[at] ^= std::byte{1};
  }
}

TEST(Slot, inputs_are_compared_bit_by_bit_gaps_included) {
  FilledSlot slot(job_of(DType::f32, View{{2, 3}, {5, 1}, 2}));
  for (std::size_t at = 0; at < slot.job.inputs.tensors[0].storage.size(); ++at) {
    slot.storage(0)[at] ^= std::byte{0x80};
    EXPECT_EQ(slot.read().modified_inputs, std::vector<std::string>{"x"});
    slot.storage(0)[at] ^= std::byte{0x80};
  }
}

TEST(Slot, inout_tensors_may_change_and_their_gaps_may_not) {
  Job job = job_of(DType::i32, View{{2}, {2}, 0});
  job.inputs.tensors[0].role = Role::inout;
  FilledSlot slot(job);
  slot.storage(0)[0] ^= std::byte{1};
  EXPECT_FALSE(slot.read().red_zone);
  EXPECT_TRUE(slot.read().modified_inputs.empty());
  slot.storage(0)[4] ^= std::byte{1};
  EXPECT_TRUE(slot.read().red_zone);
}

TEST(Slot, poison_differs_from_red_zone_values_that_a_copy_brings) {
  for (const DType dtype : all_dtypes()) {
    FilledSlot slot(job_of(dtype, contiguous_view({4})));
    const std::size_t bytes = slot.job.inputs.tensors[0].storage.size() + facts(dtype).bytes;
    std::memcpy(slot.storage(1), slot.storage(0), bytes);
    EXPECT_TRUE(slot.read().red_zone) << facts(dtype).name;
  }
}

TEST(Slot, digest_covers_outputs_only) {
  FilledSlot slot(job_of(DType::f32, contiguous_view({4})));
  const std::string before = output_digest(slot.read());
  slot.storage(0)[0] ^= std::byte{1};
  EXPECT_EQ(output_digest(slot.read()), before);
  slot.storage(1)[0] ^= std::byte{1};
  EXPECT_NE(output_digest(slot.read()), before);
}

}  // namespace
}  // namespace gate
