// Conformance snippets: integer intrinsics and operators at their limits.
// SPDX-License-Identifier: Apache-2.0

// snippet: population_count
// expect: 0 32 16 64
extern "C" __global__ void population_count(unsigned* out) {
  out[0] = __popc(0);
  out[1] = __popc(0xffffffffu);
  out[2] = __popc(0x0f0f0f0fu);
  out[3] = __popcll(~0ull);
}

// snippet: count_leading_zeros
// expect: 32 0 31 64 23
extern "C" __global__ void count_leading_zeros(unsigned* out) {
  out[0] = __clz(0);
  out[1] = __clz(-1);
  out[2] = __clz(1);
  out[3] = __clzll(0);
  out[4] = __clzll(1ll << 40);
}

// snippet: find_first_set
// expect: 0 1 32 0 41
extern "C" __global__ void find_first_set(unsigned* out) {
  out[0] = __ffs(0);
  out[1] = __ffs(3);
  out[2] = __ffs(static_cast<int>(0x80000000u));
  out[3] = __ffsll(0);
  out[4] = __ffsll(1ll << 40);
}

// snippet: bit_reverse
// expect: 0x80000000 0x1e6a2c48 1
extern "C" __global__ void bit_reverse(unsigned* out) {
  out[0] = __brev(1);
  out[1] = __brev(0x12345678u);
  out[2] = static_cast<unsigned>(__brevll(1ull << 63));
}

// snippet: byte_permutation
// expect: 0x33221100 0x77665544 0x44332211 0x00112233
extern "C" __global__ void byte_permutation(unsigned* out) {
  const unsigned x = 0x33221100u, y = 0x77665544u;
  out[0] = __byte_perm(x, y, 0x3210);
  out[1] = __byte_perm(x, y, 0x7654);
  out[2] = __byte_perm(x, y, 0x4321);
  out[3] = __byte_perm(x, y, 0x0123);
}

// snippet: high_products
// expect: 0xfffffffe 0 -1 1
extern "C" __global__ void high_products(unsigned* out) {
  out[0] = __umulhi(0xffffffffu, 0xffffffffu);
  out[1] = __mulhi(-1, -1);
  out[2] = __mulhi(-1, 1);
  out[3] = static_cast<unsigned>(__umul64hi(1ull << 63, 2));
}

// snippet: products_of_24_bits
// expect: 0xfe000001 1
extern "C" __global__ void products_of_24_bits(unsigned* out) {
  out[0] = __umul24(0xffffffu, 0xffffffu);
  out[1] = __mul24(0xffffff, 0xffffff);
}

// snippet: sums_of_absolute_differences
// expect: 12 15
extern "C" __global__ void sums_of_absolute_differences(unsigned* out) {
  out[0] = __sad(-5, 5, 2u);
  out[1] = __usad(15u, 5u, 5u);
}

// snippet: averages_without_overflow
// expect: 0x7ffffffe -2 -1 0x80000000
extern "C" __global__ void averages_without_overflow(unsigned* out) {
  out[0] = __hadd(0x7fffffff, 0x7ffffffd);
  out[1] = __hadd(-3, 0);
  out[2] = __rhadd(-3, 0);
  out[3] = __urhadd(0xffffffffu, 0u);
}

// snippet: funnel_shifts
// expect: 0x23456789 0x91234567 0x12345678 0x9abcdef0 0x12345678
extern "C" __global__ void funnel_shifts(unsigned* out) {
  const unsigned hi = 0x12345678u, lo = 0x9abcdef0u;
  out[0] = __funnelshift_l(lo, hi, 4);
  out[1] = __funnelshift_r(0x12345678u, 0x9u, 4);
  out[2] = __funnelshift_l(lo, hi, 32);
  out[3] = __funnelshift_lc(lo, hi, 40);
  out[4] = __funnelshift_rc(lo, hi, 99);
}

// snippet: dot_products_of_bytes
// expect: 80 -8 65030
extern "C" __global__ void dot_products_of_bytes(unsigned* out) {
  out[0] = __dp4a(0x01020304u, 0x05060708u, 10u);
  out[1] = __dp4a(static_cast<int>(0xffffffffu), static_cast<int>(0x02020202), 0);
  out[2] = __dp4a(0xff000000u, 0xff000000u, 5u);
}

// snippet: find_nth_set
// expect: 3 5 0xffffffff 4
extern "C" __global__ void find_nth_set(unsigned* out) {
  const unsigned mask = 0x38u;
  out[0] = __fns(mask, 0, 1);
  out[1] = __fns(mask, 0, 3);
  out[2] = __fns(mask, 0, 4);
  out[3] = __fns(mask, 31, -2);
}

// snippet: shifts_by_the_width_or_more
// expect: 0 0 0xffffffff 0 0
extern "C" __global__ void shifts_by_the_width_or_more(unsigned* out) {
  volatile unsigned one = 1, amount = 32, more = 40;
  volatile int negative = -8;
  out[0] = one << amount;
  out[1] = 0xffffffffu >> more;
  out[2] = negative >> amount;
  unsigned v = one;
  v <<= more;
  out[3] = v;
  volatile unsigned long long wide = ~0ull;
  volatile int sixty_four = 64;
  out[4] = static_cast<unsigned>(wide >> sixty_four);
}

// snippet: mask_of_the_low_bits
// expect: 0 1 0x7fffffff 0xffffffff
extern "C" __global__ void mask_of_the_low_bits(unsigned* out) {
  volatile int counts[4] = {0, 1, 31, 32};
  for (int i = 0; i < 4; ++i) out[i] = (1u << counts[i]) - 1;
}

// snippet: division_of_the_smallest_integer
// expect: 0x80000000 0
extern "C" __global__ void division_of_the_smallest_integer(unsigned* out) {
  volatile int lowest = static_cast<int>(0x80000000u), minus_one = -1;
  out[0] = lowest / minus_one;
  out[1] = lowest % minus_one;
}

// snippet: division_by_zero_is_all_ones
// expect: 0xffffffff 0xffffffff
extern "C" __global__ void division_by_zero_is_all_ones(unsigned* out) {
  volatile unsigned seven = 7, zero = 0;
  volatile int signed_seven = 7, signed_zero = 0;
  out[0] = seven / zero;
  out[1] = signed_seven / signed_zero;
}

// snippet: division_truncates
// expect: -3 -1 3
extern "C" __global__ void division_truncates(unsigned* out) {
  volatile int a = -7, b = 2;
  out[0] = a / b;
  out[1] = a % b;
  out[2] = -a / b;
}

// snippet: float_to_int_saturates
// expect: 0x7fffffff 0x80000000 0 -2
extern "C" __global__ void float_to_int_saturates(unsigned* out) {
  volatile float big = 1e20f, low = -1e20f, none = __int_as_float(0x7fffffff), v = -2.9f;
  out[0] = static_cast<int>(big);
  out[1] = (int)low;
  out[2] = (int)none;
  const int implicit = v;
  out[3] = implicit;
}

// snippet: double_to_int_saturates
// expect: 0x7fffffff 0x80000000 0
extern "C" __global__ void double_to_int_saturates(unsigned* out) {
  volatile double big = 2147483648.0, low = -3e9, fraction = 0.999;
  out[0] = static_cast<int>(big);
  out[1] = static_cast<int>(low);
  out[2] = static_cast<int>(fraction);
}

// snippet: float_to_unsigned_saturates
// expect: 0 0xffffffff 0 7
extern "C" __global__ void float_to_unsigned_saturates(unsigned* out) {
  volatile float minus = -1.5f, big = 1e20f, none = __int_as_float(0x7fffffff), seven = 7.5f;
  out[0] = static_cast<unsigned>(minus);
  out[1] = (unsigned)big;
  out[2] = static_cast<unsigned int>(none);
  out[3] = (unsigned)seven;
}

// snippet: min_and_max_of_mixed_signs
// expect: 0xffffffff 1 -1 5
extern "C" __global__ void min_and_max_of_mixed_signs(unsigned* out) {
  out[0] = max(-1, 1u);
  out[1] = min(-1, 1u);
  out[2] = min(-1, 5);
  out[3] = max(-1, 5);
}

// snippet: absolute_values
// expect: 7 9 0x80000000
extern "C" __global__ void absolute_values(unsigned* out) {
  volatile int lowest = static_cast<int>(0x80000000u);
  out[0] = abs(-7);
  out[1] = static_cast<unsigned>(llabs(-9ll));
  out[2] = abs(lowest);
}

// snippet: signed_overflow_wraps
// expect: 0x80000000
extern "C" __global__ void signed_overflow_wraps(unsigned* out) {
  volatile int highest = 0x7fffffff;
  out[0] = highest + 1;
}
