// CUDA's built-in vector types with the alignments of the programming guide, and dim3.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define GATE_VECTOR_TYPE(base, name, a1, a2, a4)                                        \
  struct __attribute__((aligned(a1))) name##1 {                                         \
    base x;                                                                             \
  };                                                                                    \
  struct __attribute__((aligned(a2))) name##2 {                                         \
    base x, y;                                                                          \
  };                                                                                    \
  struct name##3 {                                                                      \
    base x, y, z;                                                                       \
  };                                                                                    \
  struct __attribute__((aligned(a4))) name##4 {                                         \
    base x, y, z, w;                                                                    \
  };                                                                                    \
  inline constexpr name##1 make_##name##1(base x) { return {x}; }                       \
  inline constexpr name##2 make_##name##2(base x, base y) { return {x, y}; }            \
  inline constexpr name##3 make_##name##3(base x, base y, base z) { return {x, y, z}; } \
  inline constexpr name##4 make_##name##4(base x, base y, base z, base w) { return {x, y, z, w}; }
GATE_VECTOR_TYPE(signed char, char, 1, 2, 4)
GATE_VECTOR_TYPE(unsigned char, uchar, 1, 2, 4)
GATE_VECTOR_TYPE(short, short, 2, 4, 8)
GATE_VECTOR_TYPE(unsigned short, ushort, 2, 4, 8)
GATE_VECTOR_TYPE(int, int, 4, 8, 16)
GATE_VECTOR_TYPE(unsigned int, uint, 4, 8, 16)
GATE_VECTOR_TYPE(long int, long, 8, 16, 16)
GATE_VECTOR_TYPE(unsigned long int, ulong, 8, 16, 16)
GATE_VECTOR_TYPE(long long int, longlong, 8, 16, 16)
GATE_VECTOR_TYPE(unsigned long long int, ulonglong, 8, 16, 16)
GATE_VECTOR_TYPE(float, float, 4, 8, 16)
GATE_VECTOR_TYPE(double, double, 8, 16, 16)
#undef GATE_VECTOR_TYPE

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
