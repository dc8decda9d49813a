// The contract between an emulated image (a .cu compiled as host C++) and the emu runtime in
// gate-worker: plain structs and function pointers, included by both sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace gate_emu {

inline constexpr unsigned abi_version = 1;
inline constexpr unsigned warp_size = 32;
inline constexpr unsigned shared_default_max = 48u << 10;
inline constexpr unsigned shared_optin_max = 227u << 10;
/// Soft yields (atomics, fences, volatile reads) before a thread gives way to others.
inline constexpr int yield_quantum = 32;

struct Index3 {
  unsigned x, y, z;
};

/// A place in the user's source.
struct Site {
  const char* file;
  int line;
};

/// One `__shared__` declaration of one function instance. The runtime gives it an address per
/// launch; `launch` says for which one the address holds.
struct SharedSite {
  const char* name;
  Site site;
  size_t bytes;  // 0: the dynamic array
  size_t align;
  size_t element_align;  // of one element: the smallest piece threads use apart
  unsigned launch;
  char* address;
};

/// What one `__global__` function instance knows of itself.
struct KernelInfo {
  const char* name;
  Site site;
  unsigned threads_max;  // __launch_bounds__, 0: none
  unsigned dynamic_max;  // cudaFuncAttributeMaxDynamicSharedMemorySize; 0: never set
  size_t static_bytes;   // as seen so far
};

enum class Ending : int {  // how a launch or job ended
  pass,
  crash,
  barrier,
  out_of_bounds,
  launch_failed,
  timeout,
  unsupported,
  nondeterministic,
};

enum class BarrierKind : int { plain, count, all, any };

enum class CollectiveKind : int {
  sync,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  vote_all,
  vote_any,
  ballot,
  match_any,
  match_all,
  add,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  active,
};

struct Collective {
  CollectiveKind kind;
  unsigned mask;
  uint64_t value;      // the lane's own value
  unsigned parameter;  // source lane, delta or xor mask
  unsigned width;      // sub-warp size of shuffles
  Site site;
};

struct LaunchShape {
  Index3 grid, block;
  size_t shared_bytes;
  Site site;
  bool on_device;  // written inside a kernel: dynamic parallelism
};

/// The body of a launch: runs the current thread, or a range of them in ascending order.
struct LaunchBody {
  void (*one)(void* closure);
  void (*range)(void* closure, unsigned first, unsigned last);
  void* closure;
};

/// A memory access of a checked image, told before it happens.
struct Access {
  const void* pointer;
  size_t bytes;
  int what;                    // access_…, added up
  const void* pc;              // just after the access, or null
  Site site;                   // where pc is null
};
inline constexpr int access_read = 0, access_write = 1, access_volatile = 2, access_atomic = 4;

/// Functions of the runtime. Those marked so do not return when the launch has failed.
struct Runtime {
  int (*barrier)(BarrierKind kind, int predicate, Site site);
  uint64_t (*collective)(const Collective& what);
  void (*yield)(Site site);                  // a soft yield whose budget is spent
  void (*pause)(unsigned steps, Site site);  // __nanosleep: others first
  long long (*clock)(Site site);
  void (*place)(SharedSite& site);
  void (*fail)(Ending ending, const char* text, Site site);  // in kernels: does not return
  int (*launch)(const LaunchShape& shape, const LaunchBody& body);
  int (*allocate)(void** pointer, size_t bytes, Site site);
  int (*release)(void* pointer, Site site);
  bool (*valid)(const void* pointer, size_t bytes);                        // a cudaMemcpy range
  void (*access)(const Access& what);              // checked images, while `watching`
};
/// The current thread as the image sees it, and its line to the runtime.
struct Here {
  const Runtime* runtime;
  int budget;  // soft yields left
  int in_kernel;
  int probing;      // 1: kernels only report their KernelInfo and return
  unsigned launch;  // number of the current launch, for SharedSite
  KernelInfo* probed;
  unsigned linear;  // of the thread in its block
  int watching;                // checked images: accesses are to be told
  int last_error;   // CUDA error not yet asked for
};

struct Parameter {
  const char* type;  // as the compiler spells it
  unsigned bytes;
  char kind;     // 'p' pointer, 'i' integer, 'f' float, 'b' bool, 's' struct
  char element;  // pointee: 'f' float 'h' half 'b' bfloat16 'd' double 'i' …, '?'
};

/// A function the gate may call: `arguments` point to values of the real parameter types.
struct Entry {
  const char* name;  // as asked for
  bool host_launcher;
  unsigned count;
  const Parameter* parameters;
  void (*one)(void* arguments);  // kernels
  void (*range)(void* arguments, unsigned first, unsigned last);
  int (*call)(void* arguments);  // launchers: 0 is success
};

struct Image {
  unsigned abi;
  bool checked;  // every memory access reports
  bool needs_fibers;
  bool has_volatile;
  const Entry* entries;
  unsigned entry_count;
  Here* here;
  Index3* thread_index;
  Index3* block_index;
  Index3* block_size;
  Index3* grid_size;
};

}  // namespace gate_emu
