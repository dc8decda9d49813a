// Softmax with specialised warps: one warp brings tiles of a row into a ring of shared buffers, the
// others consume them. Buffers change hands through flags in shared memory, not through block
// barriers: `filled` counts tiles brought in, `drained` counts warps that are done with a tile.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define FULL_MASK 0xffffffffu
#define CONSUMERS 3
#define RING 2
#define TILE 96 /* floats; a lane of a consumer takes one */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "lanes of a warp wait for each other: independent thread scheduling is needed"
#endif

struct Ring {
  float tiles[RING][TILE];
  volatile int filled[RING];  // tiles ever brought into the slot
  int drained[RING];          // warps ever done with the slot
};

enum class Pass { largest, sum, write };

// ---- handing over -------------------------------------------------------------------------------

static __device__ void wait_for_tile(Ring& ring, int slot, int turn) {
  if (threadIdx.x == 0) {
    while (ring.filled[slot] <= turn) {
    }
  }
  __syncwarp();
  __threadfence_block();
}

static __device__ void give_tile_back(Ring& ring, int slot) {
  __threadfence_block();
  __syncwarp();
  if (threadIdx.x == 0) atomicAdd(&ring.drained[slot], 1);
}

static __device__ void wait_for_slot(Ring& ring, int slot, int turn) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&ring.drained[slot], 0) < turn * CONSUMERS) {
    }
  }
  __syncwarp();
  __threadfence_block();
}

static __device__ void publish_tile(Ring& ring, int slot, int turn) {
  __threadfence_block();
  __syncwarp();
  if (threadIdx.x == 0) ring.filled[slot] = turn + 1;
}

// ---- producing ----------------------------------------------------------------------------------

/// Three times over the row: for the largest value, for the sum, for writing.
template <typename T>
static __device__ void produce(Ring& ring, const T* in, long long x_col, int cols, int tiles) {
  for (int step = 0; step < 3 * tiles; ++step) {
    const int slot = step % RING, turn = step / RING, tile = step % tiles;
    wait_for_slot(ring, slot, turn);
    for (int i = threadIdx.x; i < TILE; i += 32) {
      const int col = tile * TILE + i;
      ring.tiles[slot][i] = col < cols ? static_cast<float>(in[col * x_col]) : -INFINITY;
    }
    publish_tile(ring, slot, turn);
  }
}

// ---- consuming ----------------------------------------------------------------------------------

/// One value a lane of every tile, in the order they come.
template <class Function>
static __device__ void consume(Ring& ring, int pass, int tiles, Function function) {
  const int place = (threadIdx.y - 1) * 32 + threadIdx.x;
  for (int tile = 0; tile < tiles; ++tile) {
    const int step = pass * tiles + tile, slot = step % RING, turn = step / RING;
    wait_for_tile(ring, slot, turn);
    function(tile * TILE + place, ring.tiles[slot][place]);
    give_tile_back(ring, slot);
  }
}

/// All consumer warps fold their values; one block barrier that the producer does not take part in
/// would hang, so the parts are exchanged by counting, as tiles are.
struct Exchange {
  float parts[2][CONSUMERS];
  int arrived[2];

  template <class Fold>
  __device__ float operator()(int round, float mine, Fold fold) {
    for (int bits = 16; bits > 0; bits /= 2) {
      mine = fold(mine, __shfl_xor_sync(FULL_MASK, mine, bits));
    }
    if (threadIdx.x == 0) {
      parts[round][threadIdx.y - 1] = mine;
      __threadfence_block();
      atomicAdd(&arrived[round], 1);
      while (atomicAdd(&arrived[round], 0) < CONSUMERS) {
      }
      __threadfence_block();
    }
    __syncwarp();
    float all = parts[round][0];
    for (int warp = 1; warp < CONSUMERS; ++warp) all = fold(all, parts[round][warp]);
    return all;
  }
};

struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// ---- the kernel ---------------------------------------------------------------------------------

/// Block: 32 lanes, 1 producer and CONSUMERS consumer warps. One block a row.
template <typename T>
__global__ void softmax_specialised(const T* x, T* y, int cols, long long x_row, long long x_col,
                                    long long y_row, long long y_col) {
  static_assert(TILE == 32 * CONSUMERS, "a lane of a consumer takes one value of a tile");
  __shared__ Ring ring;
  __shared__ Exchange exchange;
  const int tiles = (cols + TILE - 1) / TILE;

  if (threadIdx.y == 0 && threadIdx.x < RING) {
    ring.filled[threadIdx.x] = 0;
    ring.drained[threadIdx.x] = 0;
    exchange.arrived[threadIdx.x] = 0;
  }
  __syncthreads();  // the only one: from here on warps go their own ways

  if (threadIdx.y == 0) {
    produce(ring, x + blockIdx.x * x_row, x_col, cols, tiles);
    return;
  }

  float top = -INFINITY;
  consume(ring, static_cast<int>(Pass::largest), tiles, [&](int, float v) { top = fmaxf(top, v); });
  top = exchange(0, top, Largest());

  float sum = 0.0f;
  consume(ring, static_cast<int>(Pass::sum), tiles,
          [&](int col, float v) { sum += col < cols ? expf(v - top) : 0.0f; });
  sum = exchange(1, sum, Sum());

  T* out = y + blockIdx.x * y_row;
  consume(ring, static_cast<int>(Pass::write), tiles, [&](int col, float v) {
    if (col < cols) out[col * y_col] = static_cast<T>(expf(v - top) / sum);
  });
}
