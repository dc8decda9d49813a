// Warp collectives: shuffles, votes, matches, reductions, __syncwarp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/core.h"

namespace gate_emu {

template <class T>
inline uint64_t to_word(const T& value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
inline T from_word(uint64_t word) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &word, sizeof(T));
  return value;
}

inline uint64_t collective(CollectiveKind kind, unsigned mask, uint64_t value, Site site) {
  return here.runtime->collective({kind, mask, value, 0, warp_size, site});
}

struct ShuffleSource {
  unsigned parameter, width;
};

template <class T>
inline T shuffle(CollectiveKind kind, unsigned mask, const T& value, ShuffleSource source,
                 Site site) {
  if constexpr (sizeof(T) <= 8) {
    return from_word<T>(here.runtime->collective(
        {kind, mask, to_word(value), source.parameter, source.width, site}));
  } else {
    T result;
    const char* from = reinterpret_cast<const char*>(&value);
    char* to = reinterpret_cast<char*>(&result);
    for (size_t at = 0; at < sizeof(T); at += 8) {
      const size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
      uint64_t word = 0;
      __builtin_memcpy(&word, from + at, bytes);
      word = here.runtime->collective({kind, mask, word, source.parameter, source.width, site});
      __builtin_memcpy(to + at, &word, bytes);
    }
    return result;
  }
}

template <class T>
inline constexpr bool shuffles = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

}  // namespace gate_emu

#define GATE_SHUFFLE(name, kind_name, parameter_type)                                          \
  template <class T, class = std::enable_if_t<gate_emu::shuffles<T>>>                          \
  inline T name(unsigned mask, T value, parameter_type parameter, int width = 32,              \
                GATE_SITE_PARAMETERS) {                                                        \
    return gate_emu::shuffle(gate_emu::CollectiveKind::kind_name, mask, value,                 \
                             {static_cast<unsigned>(parameter), static_cast<unsigned>(width)}, \
                             GATE_SITE);                                                       \
  }
GATE_SHUFFLE(__shfl_sync, shuffle_index, int)
GATE_SHUFFLE(__shfl_up_sync, shuffle_up, unsigned)
GATE_SHUFFLE(__shfl_down_sync, shuffle_down, unsigned)
GATE_SHUFFLE(__shfl_xor_sync, shuffle_xor, int)
#undef GATE_SHUFFLE

inline void __syncwarp(unsigned mask = 0xffffffffu, GATE_SITE_PARAMETERS) {
  gate_emu::collective(gate_emu::CollectiveKind::sync, mask, 0, GATE_SITE);
}
inline int __all_sync(unsigned mask, int predicate, GATE_SITE_PARAMETERS) {
  return static_cast<int>(
      gate_emu::collective(gate_emu::CollectiveKind::vote_all, mask, predicate != 0, GATE_SITE));
}
inline int __any_sync(unsigned mask, int predicate, GATE_SITE_PARAMETERS) {
  return static_cast<int>(
      gate_emu::collective(gate_emu::CollectiveKind::vote_any, mask, predicate != 0, GATE_SITE));
}
inline int __uni_sync(unsigned mask, int predicate, GATE_SITE_PARAMETERS) {
  const unsigned votes = static_cast<unsigned>(
      gate_emu::collective(gate_emu::CollectiveKind::ballot, mask, predicate != 0, GATE_SITE));
  return votes == 0 || votes == mask;
}
inline unsigned __ballot_sync(unsigned mask, int predicate, GATE_SITE_PARAMETERS) {
  return static_cast<unsigned>(
      gate_emu::collective(gate_emu::CollectiveKind::ballot, mask, predicate != 0, GATE_SITE));
}
inline unsigned __activemask(GATE_SITE_PARAMETERS) {
  return static_cast<unsigned>(
      gate_emu::collective(gate_emu::CollectiveKind::active, 0, 0, GATE_SITE));
}
template <class T, class = std::enable_if_t<gate_emu::shuffles<T>>>
inline unsigned __match_any_sync(unsigned mask, T value, GATE_SITE_PARAMETERS) {
  return static_cast<unsigned>(gate_emu::collective(gate_emu::CollectiveKind::match_any, mask,
                                                    gate_emu::to_word(value), GATE_SITE));
}
template <class T, class = std::enable_if_t<gate_emu::shuffles<T>>>
inline unsigned __match_all_sync(unsigned mask, T value, int* predicate, GATE_SITE_PARAMETERS) {
  const unsigned all = static_cast<unsigned>(gate_emu::collective(
      gate_emu::CollectiveKind::match_all, mask, gate_emu::to_word(value), GATE_SITE));
  *predicate = all != 0;
  return all;
}

#define GATE_REDUCE(name, kind_name, type)                                                   \
  inline type name(unsigned mask, type value, GATE_SITE_PARAMETERS) {                        \
    return static_cast<type>(gate_emu::collective(gate_emu::CollectiveKind::kind_name, mask, \
                                                  static_cast<unsigned>(value), GATE_SITE)); \
  }
GATE_REDUCE(__reduce_add_sync, add, unsigned)
GATE_REDUCE(__reduce_add_sync, add, int)
GATE_REDUCE(__reduce_min_sync, min_unsigned, unsigned)
GATE_REDUCE(__reduce_min_sync, min_signed, int)
GATE_REDUCE(__reduce_max_sync, max_unsigned, unsigned)
GATE_REDUCE(__reduce_max_sync, max_signed, int)
GATE_REDUCE(__reduce_and_sync, bit_and, unsigned)
GATE_REDUCE(__reduce_or_sync, bit_or, unsigned)
GATE_REDUCE(__reduce_xor_sync, bit_xor, unsigned)
#undef GATE_REDUCE

inline unsigned __lanemask_lt() { return (1u << (gate_emu::here.linear % 32)) - 1; }
