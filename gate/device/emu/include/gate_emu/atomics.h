// Atomics: plain operations, because one OS thread runs all threads; each may give way to others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/core.h"

namespace gate_emu {

template <class T>
struct Identity {
  using type = T;
};
template <class T>
using Same = typename Identity<T>::type;

/// Reads, changes and writes one location; the one way every atomic goes. The builder replaces
/// __gate_unchecked: by nothing, or by what keeps the checked variant from telling twice.
template <class T, class Change>
__gate_unchecked inline T atomic(T* address, Change change, Site site) {
  if (__builtin_expect(reinterpret_cast<uintptr_t>(address) % sizeof(T) != 0, 0)) {
    fail(Ending::crash, "misaligned address of an atomic", site);
  }
  pass(site);
  if (here.watching) here.runtime->access({address, sizeof(T), access_atomic, nullptr, site});
  // The change itself must not give way, should the checked variant tell of its locals.
  const int watching = here.watching;
  here.watching = 0;
  const T old = *address;
  *address = change(old);
  here.watching = watching;
  return old;
}

}  // namespace gate_emu

#define GATE_ATOMIC_NAMES(name, type, expression)                              \
  inline type name(type* address, type value, GATE_SITE_PARAMETERS) {          \
    return gate_emu::atomic(                                                   \
        address, [&](type old) -> type { return expression; }, GATE_SITE);     \
  }                                                                            \
  inline type name##_block(type* address, type value, GATE_SITE_PARAMETERS) {  \
    return name(address, value, gate_file, gate_line);                         \
  }                                                                            \
  inline type name##_system(type* address, type value, GATE_SITE_PARAMETERS) { \
    return name(address, value, gate_file, gate_line);                         \
  }
#define GATE_ATOMIC_INTEGER(name, expression)       \
  GATE_ATOMIC_NAMES(name, int, expression)          \
  GATE_ATOMIC_NAMES(name, unsigned int, expression) \
  GATE_ATOMIC_NAMES(name, unsigned long long int, expression)

GATE_ATOMIC_NAMES(atomicAdd, int,
                  static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
GATE_ATOMIC_NAMES(atomicAdd, unsigned int, old + value)
GATE_ATOMIC_NAMES(atomicAdd, unsigned long long int, old + value)
GATE_ATOMIC_NAMES(atomicAdd, float, old + value)
GATE_ATOMIC_NAMES(atomicAdd, double, old + value)
GATE_ATOMIC_NAMES(atomicSub, int,
                  static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
GATE_ATOMIC_NAMES(atomicSub, unsigned int, old - value)
GATE_ATOMIC_INTEGER(atomicExch, ((void)old, value))
GATE_ATOMIC_NAMES(atomicExch, float, ((void)old, value))
GATE_ATOMIC_INTEGER(atomicMin, old < value ? old : value)
GATE_ATOMIC_NAMES(atomicMin, long long int, old < value ? old : value)
GATE_ATOMIC_INTEGER(atomicMax, old > value ? old : value)
GATE_ATOMIC_NAMES(atomicMax, long long int, old > value ? old : value)
GATE_ATOMIC_INTEGER(atomicAnd, old& value)
GATE_ATOMIC_INTEGER(atomicOr, old | value)
GATE_ATOMIC_INTEGER(atomicXor, old ^ value)
GATE_ATOMIC_NAMES(atomicInc, unsigned int, old >= value ? 0 : old + 1)
GATE_ATOMIC_NAMES(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)
#undef GATE_ATOMIC_INTEGER
#undef GATE_ATOMIC_NAMES

#define GATE_ATOMIC_CAS(name, type)                                                          \
  inline type name(type* address, type compare, type value, GATE_SITE_PARAMETERS) {          \
    return gate_emu::atomic(                                                                 \
        address, [&](type old) -> type { return old == compare ? value : old; }, GATE_SITE); \
  }
#define GATE_ATOMIC_CAS_SCOPES(type)     \
  GATE_ATOMIC_CAS(atomicCAS, type)       \
  GATE_ATOMIC_CAS(atomicCAS_block, type) \
  GATE_ATOMIC_CAS(atomicCAS_system, type)
GATE_ATOMIC_CAS_SCOPES(int)
GATE_ATOMIC_CAS_SCOPES(unsigned int)
GATE_ATOMIC_CAS_SCOPES(unsigned long long int)
GATE_ATOMIC_CAS_SCOPES(unsigned short int)
#undef GATE_ATOMIC_CAS_SCOPES
#undef GATE_ATOMIC_CAS

inline float2 atomicAdd(float2* address, float2 value, GATE_SITE_PARAMETERS) {
  return {atomicAdd(&address->x, value.x, gate_file, gate_line),
          atomicAdd(&address->y, value.y, gate_file, gate_line)};
}
inline float4 atomicAdd(float4* address, float4 value, GATE_SITE_PARAMETERS) {
  return {atomicAdd(&address->x, value.x, gate_file, gate_line),
          atomicAdd(&address->y, value.y, gate_file, gate_line),
          atomicAdd(&address->z, value.z, gate_file, gate_line),
          atomicAdd(&address->w, value.w, gate_file, gate_line)};
}
