// Conformance snippets: arithmetic with explicit rounding, fused multiply-add.
// SPDX-License-Identifier: Apache-2.0

// snippet: add_in_four_modes
// expect: 0x3f800000 0x3f800000 0x3f800001 0x3f800000 0xbf800001
extern "C" __global__ void add_in_four_modes(unsigned* out) {
  const float tiny = 0x1p-30f;
  out[0] = __float_as_uint(__fadd_rn(1.0f, tiny));
  out[1] = __float_as_uint(__fadd_rz(1.0f, tiny));
  out[2] = __float_as_uint(__fadd_ru(1.0f, tiny));
  out[3] = __float_as_uint(__fadd_rd(1.0f, tiny));
  out[4] = __float_as_uint(__fadd_rd(-1.0f, -tiny));
}

// snippet: multiply_in_four_modes
// expect: 0x3f800002 0x3f800002 0x3f800003 0x3f800002
extern "C" __global__ void multiply_in_four_modes(unsigned* out) {
  const float a = 1.0f + 0x1p-23f;
  out[0] = __float_as_uint(__fmul_rn(a, a));
  out[1] = __float_as_uint(__fmul_rz(a, a));
  out[2] = __float_as_uint(__fmul_ru(a, a));
  out[3] = __float_as_uint(__fmul_rd(a, a));
}

// snippet: divide_in_four_modes
// expect: 0x3eaaaaab 0x3eaaaaaa 0x3eaaaaab 0x3eaaaaaa
extern "C" __global__ void divide_in_four_modes(unsigned* out) {
  out[0] = __float_as_uint(__fdiv_rn(1.0f, 3.0f));
  out[1] = __float_as_uint(__fdiv_rz(1.0f, 3.0f));
  out[2] = __float_as_uint(__fdiv_ru(1.0f, 3.0f));
  out[3] = __float_as_uint(__fdiv_rd(1.0f, 3.0f));
}

// snippet: square_root_in_four_modes
// expect: 0x3fb504f3 0x3fb504f3 0x3fb504f4 0x3fb504f3
extern "C" __global__ void square_root_in_four_modes(unsigned* out) {
  out[0] = __float_as_uint(__fsqrt_rn(2.0f));
  out[1] = __float_as_uint(__fsqrt_rz(2.0f));
  out[2] = __float_as_uint(__fsqrt_ru(2.0f));
  out[3] = __float_as_uint(__fsqrt_rd(2.0f));
}

// snippet: reciprocal
// expect: 0x3e124925 0x3e124924
extern "C" __global__ void reciprocal(unsigned* out) {
  out[0] = __float_as_uint(__frcp_rn(7.0f));
  out[1] = __float_as_uint(__frcp_rz(7.0f));
}

// snippet: reciprocal_square_root_rounded
// expect: 0x3f13cd3a 0.5f
extern "C" __global__ void reciprocal_square_root_rounded(unsigned* out) {
  out[0] = __float_as_uint(__frsqrt_rn(3.0f));
  out[1] = __float_as_uint(__frsqrt_rn(4.0f));
}

// snippet: fused_multiply_add_rounds_once
// expect: 0x28800000 0
extern "C" __global__ void fused_multiply_add_rounds_once(unsigned* out) {
  const float a = 1.0f + 0x1p-23f;
  out[0] = __float_as_uint(fmaf(a, a, -(1.0f + 0x1p-22f)));
  out[1] = __float_as_uint(__fadd_rn(__fmul_rn(a, a), -(1.0f + 0x1p-22f)));
}

// snippet: fused_multiply_add_modes
// expect: 0x3f800000 0x3f800001 0x3f800000
extern "C" __global__ void fused_multiply_add_modes(unsigned* out) {
  out[0] = __float_as_uint(__fmaf_rn(0x1p-20f, 0x1p-20f, 1.0f));
  out[1] = __float_as_uint(__fmaf_ru(0x1p-20f, 0x1p-20f, 1.0f));
  out[2] = __float_as_uint(__fmaf_rz(0x1p-20f, 0x1p-20f, 1.0f));
}

// snippet: double_arithmetic_modes
// expect: 0 1 0x55555555 0x55555556
extern "C" __global__ void double_arithmetic_modes(unsigned* out) {
  out[0] = __double2loint(__dadd_rn(1.0, 0x1p-60));
  out[1] = __double2loint(__dadd_ru(1.0, 0x1p-60));
  out[2] = __double2loint(__ddiv_rz(1.0, 3.0));
  out[3] = __double2loint(__ddiv_ru(1.0, 3.0));
}

// snippet: double_fused_multiply_add
// expect: 1
extern "C" __global__ void double_fused_multiply_add(unsigned* out) {
  const double a = 1.0 + 0x1p-52;
  out[0] = fma(a, a, -(1.0 + 0x1p-51)) == 0x1p-104;
}

// snippet: subnormals_are_kept
// expect: 0x00000001 0x00400000 0x00000003
extern "C" __global__ void subnormals_are_kept(unsigned* out) {
  volatile float smallest = __int_as_float(1), normal = 0x1p-126f;
  out[0] = __float_as_uint(smallest * 1.0f);
  out[1] = __float_as_uint(normal * 0.5f);
  out[2] = __float_as_uint(smallest + smallest + smallest);
}

// snippet: saturate_to_the_unit_interval
// expect: 0f 1f 0.25f 0f
extern "C" __global__ void saturate_to_the_unit_interval(unsigned* out) {
  out[0] = __float_as_uint(__saturatef(-3.0f));
  out[1] = __float_as_uint(__saturatef(3.0f));
  out[2] = __float_as_uint(__saturatef(0.25f));
  out[3] = __float_as_uint(__saturatef(__int_as_float(0x7fffffff)));
}

// snippet: round_to_integers
// expect: 2f 4f -3f 2f -2f 3f 2f
extern "C" __global__ void round_to_integers(unsigned* out) {
  out[0] = __float_as_uint(rintf(2.5f));
  out[1] = __float_as_uint(rintf(3.5f));
  out[2] = __float_as_uint(roundf(-2.5f));
  out[3] = __float_as_uint(truncf(2.9f));
  out[4] = __float_as_uint(ceilf(-2.1f));
  out[5] = __float_as_uint(nearbyintf(2.6f));
  out[6] = __float_as_uint(floorf(2.9f));
}
