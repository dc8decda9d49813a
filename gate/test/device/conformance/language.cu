// Conformance snippets: C++ in device code.
// SPDX-License-Identifier: Apache-2.0

template <typename T>
__device__ T twice(T v) {
  return v + v;
}

// snippet: function_templates
// expect: 14 2.5f
extern "C" __global__ void function_templates(unsigned* out) {
  out[0] = twice(7u);
  out[1] = __float_as_uint(twice<float>(1.25f));
}

template <int n>
struct Factorial {
  static constexpr int value = n * Factorial<n - 1>::value;
};
template <>
struct Factorial<0> {
  static constexpr int value = 1;
};

// snippet: template_metaprogramming
// expect: 120
extern "C" __global__ void template_metaprogramming(unsigned* out) {
  out[0] = Factorial<5>::value;
}

// snippet: lambdas
// expect: 15 25
extern "C" __global__ void lambdas(unsigned* out) {
  const unsigned offset = 5;
  auto add = [=](unsigned v) { return v + offset; };
  unsigned total = 0;
  auto accumulate = [&](unsigned v) { total += v; };
  accumulate(10);
  accumulate(15);
  out[0] = add(10);
  out[1] = total;
}

// snippet: generic_lambdas
// expect: 6 1.5f
extern "C" __global__ void generic_lambdas(unsigned* out) {
  auto halve = [](auto v) { return v / 2; };
  out[0] = halve(12u);
  out[1] = __float_as_uint(halve(3.0f));
}

__device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

// snippet: recursion
// expect: 55
extern "C" __global__ void recursion(unsigned* out) { out[0] = fibonacci(10); }

struct Counter {
  unsigned n;
  __device__ explicit Counter(unsigned start) : n(start) {}
  __device__ Counter& operator++() {
    ++n;
    return *this;
  }
  __device__ unsigned get() const { return n; }
};

// snippet: classes_with_operators
// expect: 42
extern "C" __global__ void classes_with_operators(unsigned* out) {
  Counter counter(40);
  ++counter;
  ++counter;
  out[0] = counter.get();
}

__device__ unsigned add_one(unsigned v) { return v + 1; }
__device__ unsigned add_two(unsigned v) { return v + 2; }
typedef unsigned (*Function)(unsigned);

// snippet: function_pointers
// expect: 11 12
extern "C" __global__ void function_pointers(unsigned* out) {
  Function functions[2] = {add_one, add_two};
  for (int i = 0; i < 2; ++i) out[i] = functions[i](10);
}

struct Shape {
  __device__ virtual unsigned sides() const { return 0; }
};
struct Square : Shape {
  __device__ unsigned sides() const override { return 4; }
};

// snippet: virtual_functions
// expect: 4
extern "C" __global__ void virtual_functions(unsigned* out) {
  Square square;
  const Shape& shape = square;
  out[0] = shape.sides();
}

template <typename... T>
__device__ unsigned sum_of(T... values) {
  return (values + ... + 0u);
}

// snippet: variadic_templates_and_folds
// expect: 15
extern "C" __global__ void variadic_templates_and_folds(unsigned* out) {
  out[0] = sum_of(1u, 2u, 3u, 4u, 5u);
}

template <typename T>
__device__ unsigned kind_of(T) {
  if constexpr (sizeof(T) == 8) {
    return 8;
  } else {
    return 4;
  }
}

// snippet: constexpr_if
// expect: 8 4
extern "C" __global__ void constexpr_if(unsigned* out) {
  out[0] = kind_of(1.0);
  out[1] = kind_of(1.0f);
}

// snippet: unrolled_loop
// expect: 28
extern "C" __global__ void unrolled_loop(unsigned* out) {
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) sum += i;
#pragma unroll 1
  for (unsigned i = 0; i < 8; ++i) sum += 0;
  out[0] = sum;
}

// snippet: switch_falls_through
// launch: block=4
// expect: 3 3 2 9
extern "C" __global__ void switch_falls_through(unsigned* out) {
  unsigned v = 0;
  switch (threadIdx.x) {
    case 0:
    case 1: ++v;
    case 2: v += 2; break;
    default: v = 9;
  }
  out[threadIdx.x] = v;
}

namespace outer {
namespace inner {
enum class Mode { slow = 3, fast = 7 };
__device__ unsigned value_of(Mode m) { return static_cast<unsigned>(m); }
}  // namespace inner
}  // namespace outer

// snippet: namespaces_and_enumerations
// expect: 7
extern "C" __global__ void namespaces_and_enumerations(unsigned* out) {
  using outer::inner::Mode;
  out[0] = outer::inner::value_of(Mode::fast);
}

// snippet: launch_bounds
// launch: block=64
// expect: 64
extern "C" __global__ void __launch_bounds__(64, 2) launch_bounds(unsigned* out) {
  if (threadIdx.x == 0) out[0] = blockDim.x;
}

__device__ __noinline__ unsigned not_inlined(unsigned v) { return v * 3; }
__device__ __forceinline__ unsigned always_inlined(unsigned v) { return v * 5; }

// snippet: inlining_attributes
// expect: 9 15
extern "C" __global__ void inlining_attributes(unsigned* out) {
  out[0] = not_inlined(3);
  out[1] = always_inlined(3);
}

__host__ __device__ constexpr unsigned square(unsigned v) { return v * v; }

// snippet: constant_expressions
// expect: 81 9
extern "C" __global__ void constant_expressions(unsigned* out) {
  constexpr unsigned n = square(3);
  unsigned local[n] = {};
  out[0] = square(n);
  out[1] = sizeof(local) / sizeof(unsigned);
}

// snippet: structured_bindings
// expect: 1 2
extern "C" __global__ void structured_bindings(unsigned* out) {
  const uint2 v = make_uint2(1, 2);
  const auto [a, b] = v;
  out[0] = a;
  out[1] = b;
}

// snippet: ternary_and_short_circuit
// launch: block=2
// expect: 1 4
extern "C" __global__ void ternary_and_short_circuit(unsigned* out) {
  const unsigned* nowhere = nullptr;
  const bool safe = threadIdx.x == 0 || (threadIdx.x == 1 && nowhere == nullptr);
  out[threadIdx.x] = safe ? (threadIdx.x == 0 ? 1 : 4) : *nowhere;
}

// snippet: goto_leaves_nested_loops
// expect: 12
extern "C" __global__ void goto_leaves_nested_loops(unsigned* out) {
  unsigned n = 0;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      if (i * 10 + j == 12) goto done;
      ++n;
    }
  }
done:
  out[0] = n;
}

// snippet: unused_arguments_and_defaults
// expect: 8
__device__ unsigned with_default(unsigned a, unsigned b = 5) { return a + b; }
extern "C" __global__ void unused_arguments_and_defaults(unsigned* out) {
  out[0] = with_default(3);
}

// snippet: assertion_that_holds
// expect: 1
#include <cassert>
extern "C" __global__ void assertion_that_holds(unsigned* out) {
  assert(out != nullptr);
  out[0] = 1;
}

// snippet: printing
// expect: 1
#include <cstdio>
extern "C" __global__ void printing(unsigned* out) {
  if (threadIdx.x == 77) printf("never %d\n", 1);
  out[0] = 1;
}
