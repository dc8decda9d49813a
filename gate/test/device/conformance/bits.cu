// Conformance snippets: reinterpretation of bits, conversions between integers and floats.
// SPDX-License-Identifier: Apache-2.0

// snippet: float_as_bits
// expect: 0x3f800000 0xc0000000 0x7f800000
extern "C" __global__ void float_as_bits(unsigned* out) {
  out[0] = __float_as_uint(1.0f);
  out[1] = __float_as_int(-2.0f);
  out[2] = __float_as_uint(INFINITY);
}

// snippet: bits_as_float
// expect: 1f -2f
extern "C" __global__ void bits_as_float(unsigned* out) {
  const float a = __uint_as_float(0x3f800000u), b = __int_as_float(static_cast<int>(0xc0000000u));
  out[0] = __float_as_uint(a);
  out[1] = __float_as_uint(b);
}

// snippet: double_as_bits
// expect: 0 0x3ff00000 0 0x40080000
extern "C" __global__ void double_as_bits(unsigned* out) {
  out[0] = __double2loint(1.0);
  out[1] = __double2hiint(1.0);
  const long long three = __double_as_longlong(3.0);
  out[2] = static_cast<unsigned>(three);
  out[3] = static_cast<unsigned>(three >> 32);
}

// snippet: double_from_words
// expect: 1
extern "C" __global__ void double_from_words(unsigned* out) {
  out[0] = __hiloint2double(0x3ff00000, 0) == 1.0 &&
           __longlong_as_double(0x4008000000000000ll) == 3.0;
}

// snippet: float_to_int_modes
// expect: 2 2 2 3 -3 -2
extern "C" __global__ void float_to_int_modes(unsigned* out) {
  out[0] = __float2int_rn(2.5f);
  out[1] = __float2int_rz(2.9f);
  out[2] = __float2int_rd(2.9f);
  out[3] = __float2int_ru(2.1f);
  out[4] = __float2int_rd(-2.1f);
  out[5] = __float2int_ru(-2.9f);
}

// snippet: float_to_int_modes_saturate
// expect: 0x7fffffff 0x80000000 0 0 0xffffffff
extern "C" __global__ void float_to_int_modes_saturate(unsigned* out) {
  out[0] = __float2int_rn(3e9f);
  out[1] = __float2int_rn(-3e9f);
  out[2] = __float2int_rn(__int_as_float(0x7fffffff));
  out[3] = __float2uint_rn(-5.0f);
  out[4] = __float2uint_rn(5e9f);
}

// snippet: float_to_long_long
// expect: 0 3 0xffffffff 0x7fffffff
extern "C" __global__ void float_to_long_long(unsigned* out) {
  const long long v = __float2ll_rn(12884901888.0f);
  out[0] = static_cast<unsigned>(v);
  out[1] = static_cast<unsigned>(v >> 32);
  const long long high = __float2ll_rn(1e20f);
  out[2] = static_cast<unsigned>(high);
  out[3] = static_cast<unsigned>(high >> 32);
}

// snippet: int_to_float_modes
// expect: 0x4b800000 0x4b800000 0x4b800001 0x4b800000
extern "C" __global__ void int_to_float_modes(unsigned* out) {
  out[0] = __float_as_uint(__int2float_rn(16777217));
  out[1] = __float_as_uint(__int2float_rz(16777217));
  out[2] = __float_as_uint(__int2float_ru(16777217));
  out[3] = __float_as_uint(__int2float_rd(16777217));
}

// snippet: unsigned_to_float
// expect: 0x4f800000 0x4f7fffff
extern "C" __global__ void unsigned_to_float(unsigned* out) {
  out[0] = __float_as_uint(__uint2float_rn(0xffffffffu));
  out[1] = __float_as_uint(__uint2float_rz(0xffffffffu));
}

// snippet: double_to_float_modes
// expect: 0x3f800000 0x3f800000 0x3f800001 0x3f800000
extern "C" __global__ void double_to_float_modes(unsigned* out) {
  const double v = 1.0 + 1e-9;
  out[0] = __float_as_uint(__double2float_rn(v));
  out[1] = __float_as_uint(__double2float_rz(v));
  out[2] = __float_as_uint(__double2float_ru(v));
  out[3] = __float_as_uint(__double2float_rd(v));
}

// snippet: long_long_to_double
// expect: 0x43400000 0 1
extern "C" __global__ void long_long_to_double(unsigned* out) {
  const double v = __ll2double_rn((1ll << 53) + 1);
  out[0] = __double2hiint(v);
  out[1] = __double2loint(v);
  out[2] = __double2loint(__ll2double_ru((1ll << 53) + 1));
}

// snippet: bit_fields_and_unions
// expect: 5 9 0x40490fdb
extern "C" __global__ void bit_fields_and_unions(unsigned* out) {
  struct Fields {
    unsigned low : 4;
    unsigned high : 4;
  } fields = {5, 9};
  union {
    float f;
    unsigned u;
  } both;
  both.f = 3.14159274f;
  out[0] = fields.low;
  out[1] = fields.high;
  out[2] = both.u;
}
