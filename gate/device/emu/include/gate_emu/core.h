// Thread identity, shared memory, barriers, launches: what the translated source calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "gate_emu/abi.h"
#include "gate_emu/vector_types.h"

#define GATE_HIDDEN __attribute__((visibility("hidden")))
#define GATE_SITE_PARAMETERS \
  const char *gate_file = __builtin_FILE(), int gate_line = __builtin_LINE()
#define GATE_SITE \
  ::gate_emu::Site { gate_file, gate_line }

// One image is one translation unit, so these are its only definitions. Not const: the runtime
// changes them between the reads of one function.
GATE_HIDDEN inline uint3 threadIdx{0, 0, 0};
GATE_HIDDEN inline uint3 blockIdx{0, 0, 0};
GATE_HIDDEN inline dim3 blockDim{1, 1, 1};
GATE_HIDDEN inline dim3 gridDim{1, 1, 1};
inline constexpr int warpSize = 32;

namespace gate_emu {

GATE_HIDDEN inline Here here{nullptr, yield_quantum, 0, 0, 0, nullptr, 0, 0, 0};

inline void pass(Site site) {
  if (--here.budget <= 0 && here.in_kernel) here.runtime->yield(site);
}

[[noreturn]] inline void fail(Ending ending, const char* text, Site site) {
  here.runtime->fail(ending, text, site);
  __builtin_trap();
}

template <class T>
inline T& shared(SharedSite& site) {
  if (__builtin_expect(site.launch != here.launch, 0)) here.runtime->place(site);
  return *reinterpret_cast<T*>(site.address);
}

/// First statement of every `__global__` function: false while only its info is asked for.
inline bool probed(KernelInfo& info) {
  if (__builtin_expect(here.probing, 0)) {
    here.probed = &info;
    return true;
  }
  return false;
}

inline void set_thread(unsigned linear) {
  here.linear = linear;
  const unsigned rows = linear / blockDim.x;
  threadIdx = {linear - rows * blockDim.x, rows % blockDim.y, rows / blockDim.y};
}

/// Threads first … last - 1 of the block, one after another (no fiber: none of them waits).
template <class Body>
inline void run_range(Body&& body, unsigned first, unsigned last) {
  set_thread(first);
  for (unsigned linear = first; linear < last; ++linear) {
    here.linear = linear;
    body();
    if (++threadIdx.x == blockDim.x) {
      threadIdx.x = 0;
      if (++threadIdx.y == blockDim.y) {
        threadIdx.y = 0;
        ++threadIdx.z;
      }
    }
  }
}

template <class Body>
inline int launch(const LaunchShape& shape, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  LaunchBody calls;
  calls.one = [](void* closure) { (*static_cast<Plain*>(closure))(); };
  calls.range = [](void* closure, unsigned first, unsigned last) {
    run_range(*static_cast<Plain*>(closure), first, last);
  };
  calls.closure = &body;
  return here.runtime->launch(shape, calls);
}

/// `kernel<<<grid, block, shared, stream>>>(arguments)` becomes
/// `launcher(site, kernel as a lambda).configure(grid, block, shared, stream)(arguments)`.
template <class Kernel>
struct Launcher {
  Kernel kernel;
  LaunchShape shape;

  Launcher&& configure(dim3 grid, dim3 block, size_t shared_bytes = 0,
                       const void* stream = nullptr) && {
    (void)stream;
    shape.grid = {grid.x, grid.y, grid.z};
    shape.block = {block.x, block.y, block.z};
    shape.shared_bytes = shared_bytes;
    return std::move(*this);
  }

  template <class... Arguments>
  void operator()(Arguments&&... arguments) && {
    std::tuple<std::decay_t<Arguments>...> values(std::forward<Arguments>(arguments)...);
    shape.on_device = here.in_kernel != 0;
    const int error = launch(shape, [&] { std::apply(kernel, values); });
    if (error != 0) here.last_error = error;
  }
};
template <class Kernel>
inline Launcher<Kernel> launcher(Kernel kernel, GATE_SITE_PARAMETERS) {
  return Launcher<Kernel>{std::move(kernel), LaunchShape{{}, {}, 0, GATE_SITE, false}};
}

template <class T, class = void>
struct ElementLetter {
  static constexpr char value = '?';
};
template <class T>
struct ElementLetter<T, std::void_t<decltype(T::gate_element)>> {
  static constexpr char value = T::gate_element;
};

/// alignas(type) and alignas(number) alike.
template <class T>
constexpr size_t alignment() {
  return alignof(T);
}
template <size_t n>
constexpr size_t alignment() {
  return n;
}

template <class T>
struct Described {
  static constexpr char element_of() {
    using E = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (!std::is_pointer_v<T>)
      return '?';
    else if constexpr (std::is_same_v<E, float>)
      return 'f';
    else if constexpr (std::is_same_v<E, double>)
      return 'd';
    else if constexpr (std::is_same_v<E, bool>)
      return 'o';
    else if constexpr (std::is_integral_v<E>) {
      return sizeof(E) == 1   ? (std::is_signed_v<E> ? 'c' : 'u')
             : sizeof(E) == 4 ? 'i'
             : sizeof(E) == 8 ? 'l'
                              : 's';
    } else
      return ElementLetter<E>::value;
  }
  static constexpr char kind_of() {
    if constexpr (std::is_pointer_v<T>)
      return 'p';
    else if constexpr (std::is_same_v<T, bool>)
      return 'b';
    else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      return 'i';
    else if constexpr (std::is_floating_point_v<T> || ElementLetter<T>::value != '?')
      return 'f';
    else
      return 's';
  }
  static constexpr const char* name() { return __PRETTY_FUNCTION__; }
  static constexpr Parameter value{name(), sizeof(T), kind_of(), element_of()};
};

/// Table row of one function: calls it with values read from raw memory, by its own types.
template <class Function>
struct Marshal;
template <class R, class... A>
struct Marshal<R (*)(A...)> {
  static constexpr Parameter parameters[sizeof...(A) + 1] = {Described<std::decay_t<A>>::value...,
                                                             {"", 0, 0, 0}};

  template <auto function, std::size_t... i>
  static R apply(void* arguments, std::index_sequence<i...>) {
    [[maybe_unused]] void** at = static_cast<void**>(arguments);
    return function(*static_cast<std::decay_t<A>*>(at[i])...);
  }
  template <std::size_t... i>
  static R call_pointer(R (*function)(A...), void** at, std::index_sequence<i...>) {
    return function(*static_cast<std::decay_t<A>*>(at[i])...);
  }
  template <auto function>
  static R run(void* arguments) {
    return apply<function>(arguments, std::index_sequence_for<A...>());
  }
  template <auto function>
  static void one(void* arguments) {
    run<function>(arguments);
  }
  template <auto function>
  static void range(void* arguments, unsigned first, unsigned last) {
    run_range([&] { run<function>(arguments); }, first, last);
  }
  template <auto function>
  static int call(void* arguments) {
    if constexpr (std::is_void_v<R>) {
      run<function>(arguments);
      return 0;
    } else {
      return static_cast<int>(run<function>(arguments));
    }
  }
};

template <auto function>
constexpr Entry kernel_entry(const char* name) {
  using M = Marshal<decltype(function)>;
  return {name,
          false,
          sizeof(M::parameters) / sizeof(Parameter) - 1,
          M::parameters,
          &M::template one<function>,
          &M::template range<function>,
          nullptr};
}
template <auto function>
constexpr Entry launcher_entry(const char* name) {
  using M = Marshal<decltype(function)>;
  return {name,
          true,
          sizeof(M::parameters) / sizeof(Parameter) - 1,
          M::parameters,
          nullptr,
          nullptr,
          &M::template call<function>};
}

}  // namespace gate_emu

inline void __syncthreads(GATE_SITE_PARAMETERS) {
  gate_emu::here.runtime->barrier(gate_emu::BarrierKind::plain, 0, GATE_SITE);
}
inline int __syncthreads_count(int predicate, GATE_SITE_PARAMETERS) {
  return gate_emu::here.runtime->barrier(gate_emu::BarrierKind::count, predicate != 0, GATE_SITE);
}
inline int __syncthreads_and(int predicate, GATE_SITE_PARAMETERS) {
  return gate_emu::here.runtime->barrier(gate_emu::BarrierKind::all, predicate != 0, GATE_SITE);
}
inline int __syncthreads_or(int predicate, GATE_SITE_PARAMETERS) {
  return gate_emu::here.runtime->barrier(gate_emu::BarrierKind::any, predicate != 0, GATE_SITE);
}

inline void __threadfence(GATE_SITE_PARAMETERS) { gate_emu::pass(GATE_SITE); }
inline void __threadfence_block(GATE_SITE_PARAMETERS) { gate_emu::pass(GATE_SITE); }
inline void __threadfence_system(GATE_SITE_PARAMETERS) { gate_emu::pass(GATE_SITE); }
inline void __nanosleep(unsigned nanoseconds, GATE_SITE_PARAMETERS) {
  gate_emu::here.runtime->pause(nanoseconds, GATE_SITE);
}
inline long long clock64(GATE_SITE_PARAMETERS) { return gate_emu::here.runtime->clock(GATE_SITE); }
inline int gate_emu_clock(GATE_SITE_PARAMETERS) {
  return static_cast<int>(gate_emu::here.runtime->clock(GATE_SITE));
}
inline unsigned long long __globaltimer(GATE_SITE_PARAMETERS) {
  return static_cast<unsigned long long>(gate_emu::here.runtime->clock(GATE_SITE));
}
[[noreturn]] inline void gate_emu_exit(int code, GATE_SITE_PARAMETERS) {
  char text[64];
  __builtin_snprintf(text, sizeof text, "the launcher called exit(%d)", code);
  gate_emu::fail(gate_emu::Ending::launch_failed, text, GATE_SITE);
}
[[noreturn]] inline void __trap(GATE_SITE_PARAMETERS) {
  gate_emu::fail(gate_emu::Ending::crash, "__trap()", GATE_SITE);
}
inline void __brkpt() {}
inline void __prof_trigger(int) {}
inline unsigned __isGlobal(const void*) { return 1; }

[[noreturn]] inline void gate_emu_assert(const char* expression, const char* file, unsigned line,
                                         const char*) {
  char text[512];
  __builtin_snprintf(text, sizeof text, "device assertion `%s` failed", expression);
  gate_emu::fail(gate_emu::Ending::crash, text, gate_emu::Site{file, static_cast<int>(line)});
}
