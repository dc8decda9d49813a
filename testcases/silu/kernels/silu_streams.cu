// SiLU by chunks over two streams: rows are packed into dense scratch memory, computed there and
// unpacked, events order the streams before and after. A class owns each resource.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace {

constexpr int lanes_of_work = 2;
constexpr int chunk_elements = 1 << 14;

/// Remembers the first failure; everything after it does nothing.
class Status {
 public:
  bool operator()(cudaError_t error, const char* what) {
    if (first_ == cudaSuccess && error != cudaSuccess) {
      first_ = error;
      std::fprintf(stderr, "silu: %s: %s (%s)\n", what, cudaGetErrorName(error),
                   cudaGetErrorString(error));
    }
    return first_ == cudaSuccess;
  }
  cudaError_t get() const { return first_; }
  explicit operator bool() const { return first_ == cudaSuccess; }

 private:
  cudaError_t first_ = cudaSuccess;
};

#define CHECKED(status, call) (status)((call), #call)

class Stream {
 public:
  explicit Stream(Status& status) {
    CHECKED(status, cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~Stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(Status& status) {
    CHECKED(status, cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  ~Event() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(Status& status, cudaStream_t on) { CHECKED(status, cudaEventRecord(event_, on)); }
  void hold(Status& status, cudaStream_t waits) {
    CHECKED(status, cudaStreamWaitEvent(waits, event_, 0));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

template <typename T>
class Scratch {
 public:
  Scratch(Status& status, std::size_t count) {
    CHECKED(status, cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  ~Scratch() { cudaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

template <typename T>
__global__ void silu_in_place(T* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = static_cast<float>(data[i]);
    data[i] = static_cast<T>(v / (1.0f + expf(-v)));
  }
}

template <typename T>
struct Matrix {
  T* data;
  std::size_t pitch;  // elements from row to row
};

/// Rows [begin, end) through one lane of work.
template <typename T>
void enqueue(Status& status, const Matrix<const T>& in, const Matrix<T>& out, int cols,
             std::pair<int, int> rows, T* scratch, cudaStream_t stream) {
  const int count = rows.second - rows.first;
  const std::size_t width = cols * sizeof(T);
  const T* from = in.data + rows.first * in.pitch;
  T* to = out.data + rows.first * out.pitch;
  if (!CHECKED(status, cudaMemcpy2DAsync(scratch, width, from, in.pitch * sizeof(T), width, count,
                                         cudaMemcpyDeviceToDevice, stream))) {
    return;
  }
  const int n = count * cols;
  const int blocks = std::min((n + 127) / 128, 64);
  silu_in_place<<<blocks, 128, 0, stream>>>(scratch, n);
  if (!CHECKED(status, cudaPeekAtLastError())) return;
  CHECKED(status, cudaMemcpy2DAsync(to, out.pitch * sizeof(T), scratch, width, width, count,
                                    cudaMemcpyDeviceToDevice, stream));
}

template <typename T>
int silu(const T* x, T* y, int rows, int cols, long long x_row, long long y_row,
         cudaStream_t caller) {
  Status status;
  const int rows_of_a_chunk = std::max(1, chunk_elements / cols);
  const std::size_t scratch_elements =
      static_cast<std::size_t>(std::min(rows_of_a_chunk, rows)) * cols;
  Stream first(status), second(status);
  Event begin(status), first_done(status), second_done(status);
  Scratch<T> first_scratch(status, scratch_elements), second_scratch(status, scratch_elements);
  if (!status) return status.get();

  const std::array<cudaStream_t, lanes_of_work> streams = {first.get(), second.get()};
  const std::array<T*, lanes_of_work> scratch = {first_scratch.get(), second_scratch.get()};
  begin.record(status, caller);
  for (cudaStream_t stream : streams) begin.hold(status, stream);

  int lane = 0;
  for (int row = 0; row < rows && status; row += rows_of_a_chunk, lane = (lane + 1) % 2) {
    // A pitch below the width is no pitch: only one row can have that.
    const std::size_t in_pitch = std::max<long long>(x_row, cols);
    const std::size_t out_pitch = std::max<long long>(y_row, cols);
    enqueue<T>(status, {x, in_pitch}, {y, out_pitch}, cols,
               {row, std::min(row + rows_of_a_chunk, rows)}, scratch[lane], streams[lane]);
  }

  first_done.record(status, streams[0]);
  second_done.record(status, streams[1]);
  first_done.hold(status, caller);
  second_done.hold(status, caller);
  CHECKED(status, cudaStreamSynchronize(caller));
  return status.get();
}

}  // namespace

extern "C" int silu_streams_f32(const float* x, float* y, int rows, int cols, long long x_row,
                                long long y_row, cudaStream_t stream) {
  return silu<float>(x, y, rows, cols, x_row, y_row, stream);
}

extern "C" int silu_streams_f16(const __half* x, __half* y, int rows, int cols, long long x_row,
                                long long y_row, cudaStream_t stream) {
  return silu<__half>(x, y, rows, cols, x_row, y_row, stream);
}
