// Cooperative groups up to the thread block: block, tiles, coalesced groups, reduce and scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/atomics.h"
#include "gate_emu/warp.h"

#define GATE_PASS_SITE gate_file, gate_line

namespace cooperative_groups {

namespace gate_details {

inline unsigned lane() { return gate_emu::here.linear % 32; }
inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned nth_lane(unsigned mask, unsigned n) {
  for (; n > 0; --n) mask &= mask - 1;
  return mask == 0 ? 32 : static_cast<unsigned>(__builtin_ctz(mask));
}
template <class T>
inline T exchange(unsigned mask, const T& value, unsigned source, gate_emu::Site site) {
  static_assert(std::is_trivially_copyable_v<T>);
  return gate_emu::shuffle(gate_emu::CollectiveKind::shuffle_index, mask, value, {source, 32},
                           site);
}

}  // namespace gate_details

class thread_block;
template <unsigned size, class Parent = void>
class thread_block_tile;

/// A set of lanes of one warp: what tiles and coalesced groups have in common.
class gate_lanes {
 public:
  explicit gate_lanes(unsigned mask) : mask_(mask) {}
  void sync(GATE_SITE_PARAMETERS) const {
    gate_emu::collective(gate_emu::CollectiveKind::sync, mask_, 0, GATE_SITE);
  }
  unsigned long long thread_rank() const {
    return static_cast<unsigned>(
        __builtin_popcount(mask_ & ((1u << gate_details::lane()) - 1)));
  }
  unsigned long long num_threads() const {
    return static_cast<unsigned>(__builtin_popcount(mask_));
  }
  unsigned long long size() const { return num_threads(); }
  unsigned gate_mask() const { return mask_; }

  template <class T>
  T shfl(T value, int rank, GATE_SITE_PARAMETERS) const {
    const unsigned count = static_cast<unsigned>(num_threads());
    const unsigned source = gate_details::nth_lane(mask_, static_cast<unsigned>(rank) % count);
    return gate_details::exchange(mask_, value, source, GATE_SITE);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, GATE_SITE_PARAMETERS) const {
    const unsigned rank = static_cast<unsigned>(thread_rank());
    const unsigned source =
        rank < delta ? gate_details::lane() : gate_details::nth_lane(mask_, rank - delta);
    return gate_details::exchange(mask_, value, source, GATE_SITE);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, GATE_SITE_PARAMETERS) const {
    const unsigned rank = static_cast<unsigned>(thread_rank());
    const unsigned source = rank + delta >= num_threads()
                                ? gate_details::lane()
                                : gate_details::nth_lane(mask_, rank + delta);
    return gate_details::exchange(mask_, value, source, GATE_SITE);
  }
  template <class T>
  T shfl_xor(T value, unsigned bits, GATE_SITE_PARAMETERS) const {
    const unsigned other = static_cast<unsigned>(thread_rank()) ^ bits;
    const unsigned source =
        other >= num_threads() ? gate_details::lane() : gate_details::nth_lane(mask_, other);
    return gate_details::exchange(mask_, value, source, GATE_SITE);
  }
  int any(int predicate, GATE_SITE_PARAMETERS) const {
    return __any_sync(mask_, predicate, GATE_PASS_SITE);
  }
  int all(int predicate, GATE_SITE_PARAMETERS) const {
    return __all_sync(mask_, predicate, GATE_PASS_SITE);
  }
  /// Bits by rank, not by lane.
  unsigned ballot(int predicate, GATE_SITE_PARAMETERS) const {
    return packed(__ballot_sync(mask_, predicate, GATE_PASS_SITE));
  }
  template <class T>
  unsigned match_any(T value, GATE_SITE_PARAMETERS) const {
    return packed(__match_any_sync(mask_, value, GATE_PASS_SITE));
  }
  template <class T>
  unsigned match_all(T value, int& predicate, GATE_SITE_PARAMETERS) const {
    return packed(__match_all_sync(mask_, value, &predicate, GATE_PASS_SITE));
  }

 private:
  unsigned packed(unsigned lanes) const {
    unsigned result = 0, rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0 - rest)) != 0) result |= 1u << rank;
    }
    return result;
  }
  unsigned mask_;
};

class coalesced_group : public gate_lanes {
 public:
  explicit coalesced_group(unsigned mask) : gate_lanes(mask) {}
  unsigned long long meta_group_rank() const { return 0; }
  unsigned long long meta_group_size() const { return 1; }
};

class thread_block {
 public:
  static void sync(GATE_SITE_PARAMETERS) { __syncthreads(GATE_PASS_SITE); }
  static unsigned thread_rank() { return gate_emu::here.linear; }
  static unsigned num_threads() { return gate_details::block_threads(); }
  static unsigned size() { return num_threads(); }
  static dim3 group_index() { return dim3(blockIdx); }
  static dim3 thread_index() { return dim3(threadIdx); }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  static constexpr bool is_valid() { return true; }
};
inline thread_block this_thread_block() { return thread_block{}; }

template <unsigned n, class Parent>
class thread_block_tile : public gate_lanes {
  static_assert(n > 0 && n <= 32 && (n & (n - 1)) == 0,
                "emulated tiles have 1, 2, 4, 8, 16 or 32 threads");

 public:
  thread_block_tile() : gate_lanes(mask_of_tile()) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<n, Other>& other) : gate_lanes(other.gate_mask()) {}
  static constexpr unsigned long long num_threads() { return n; }
  static constexpr unsigned long long size() { return n; }
  static unsigned long long thread_rank() { return gate_details::lane() & (n - 1); }
  unsigned long long meta_group_rank() const { return thread_block::thread_rank() / n; }
  unsigned long long meta_group_size() const { return (thread_block::num_threads() + n - 1) / n; }

 private:
  static unsigned mask_of_tile() {
    const unsigned ones = n == 32 ? 0xffffffffu : (1u << (n & 31)) - 1;
    return ones << (gate_details::lane() & ~(n - 1));
  }
};

/// Any group by its lanes; a whole block where it has no mask.
class thread_group {
 public:
  thread_group(const thread_block&) : mask_(0) {}
  thread_group(const gate_lanes& lanes) : mask_(lanes.gate_mask()) {}
  void sync(GATE_SITE_PARAMETERS) const {
    if (mask_ == 0) {
      __syncthreads(GATE_PASS_SITE);
    } else {
      gate_lanes(mask_).sync(GATE_PASS_SITE);
    }
  }
  unsigned long long thread_rank() const {
    return mask_ == 0 ? thread_block::thread_rank() : gate_lanes(mask_).thread_rank();
  }
  unsigned long long num_threads() const {
    return mask_ == 0 ? thread_block::num_threads() : gate_lanes(mask_).num_threads();
  }
  unsigned long long size() const { return num_threads(); }
  unsigned gate_mask() const { return mask_; }
  static constexpr bool is_valid() { return true; }

 private:
  unsigned mask_;
};

template <unsigned n, class Parent>
inline thread_block_tile<n, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<n, Parent>();
}
inline thread_group tiled_partition(const thread_group&, unsigned n) {
  const unsigned ones = n >= 32 ? 0xffffffffu : (1u << n) - 1;
  return thread_group(gate_lanes(ones << (gate_details::lane() & ~(n - 1))));
}
inline coalesced_group coalesced_threads(GATE_SITE_PARAMETERS) {
  return coalesced_group(__activemask(GATE_PASS_SITE));
}
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group& group, Label label, GATE_SITE_PARAMETERS) {
  return coalesced_group(__match_any_sync(group.gate_mask(), label, GATE_PASS_SITE));
}
template <class Group>
inline coalesced_group binary_partition(const Group& group, bool predicate, GATE_SITE_PARAMETERS) {
  const unsigned yes = __ballot_sync(group.gate_mask(), predicate, GATE_PASS_SITE);
  return coalesced_group(predicate ? yes : group.gate_mask() & ~yes);
}

template <class Group>
inline void sync(const Group& group, GATE_SITE_PARAMETERS) {
  group.sync(GATE_PASS_SITE);
}
template <class Group>
inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
inline unsigned long long group_size(const Group& group) {
  return group.size();
}

template <class T = void>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T = void>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T = void>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};
template <>
struct plus<void> {
  template <class T>
  T operator()(T a, T b) const { return a + b; }
};
template <>
struct less<void> {
  template <class T>
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <>
struct greater<void> {
  template <class T>
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <>
struct bit_and<void> {
  template <class T>
  T operator()(T a, T b) const { return a & b; }
};
template <>
struct bit_or<void> {
  template <class T>
  T operator()(T a, T b) const { return a | b; }
};
template <>
struct bit_xor<void> {
  template <class T>
  T operator()(T a, T b) const { return a ^ b; }
};

namespace gate_details {
/// A tile by its own type, whose shuffles hide those of the lanes.
template <unsigned n, class Parent>
std::true_type is_tile(const thread_block_tile<n, Parent>*);
std::false_type is_tile(const void*);
}  // namespace gate_details

/// Every thread gets the fold of all values: by halves in tiles, by ranks in other groups.
template <class Group, class T, class Operation>
inline T reduce(const Group& group, T value, Operation operation, GATE_SITE_PARAMETERS) {
  const unsigned count = static_cast<unsigned>(group.num_threads());
  if constexpr (decltype(gate_details::is_tile(static_cast<const Group*>(nullptr)))::value) {
    for (unsigned bits = count / 2; bits > 0; bits /= 2) {
      value = operation(value, group.shfl_xor(value, bits, GATE_PASS_SITE));
    }
    return value;
  } else {
    T result = group.shfl(value, 0, GATE_PASS_SITE);
    for (unsigned rank = 1; rank < count; ++rank) {
      result = operation(result, group.shfl(value, static_cast<int>(rank), GATE_PASS_SITE));
    }
    return result;
  }
}
template <class Group, class T, class Operation>
inline T inclusive_scan(const Group& group, T value, Operation operation, GATE_SITE_PARAMETERS) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank());
  for (unsigned delta = 1; delta < group.num_threads(); delta *= 2) {
    const T other = group.shfl_up(value, delta, GATE_PASS_SITE);
    if (rank >= delta) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
inline T inclusive_scan(const Group& group, T value, GATE_SITE_PARAMETERS) {
  return inclusive_scan(group, value, plus<T>(), GATE_PASS_SITE);
}
template <class Group, class T, class Operation>
inline T exclusive_scan(const Group& group, T value, Operation operation, GATE_SITE_PARAMETERS) {
  const T inclusive = inclusive_scan(group, value, operation, GATE_PASS_SITE);
  const T before = group.shfl_up(inclusive, 1, GATE_PASS_SITE);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
inline T exclusive_scan(const Group& group, T value, GATE_SITE_PARAMETERS) {
  return exclusive_scan(group, value, plus<T>(), GATE_PASS_SITE);
}
template <class Group, class Function>
inline void invoke_one(const Group& group, Function&& function) {
  if (group.thread_rank() == 0) function();
}
template <class Group, class Function>
inline auto invoke_one_broadcast(const Group& group, Function&& function, GATE_SITE_PARAMETERS) {
  decltype(function()) value{};
  if (group.thread_rank() == 0) value = function();
  return group.shfl(value, 0, GATE_PASS_SITE);
}

}  // namespace cooperative_groups

#undef GATE_PASS_SITE
