// The part of the CUDA runtime API that host launchers use, on host memory and without streams'
// concurrency: everything is done when a call returns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate_emu/core.h"

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106
};
enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  int multiProcessorCount;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int maxBlocksPerMultiProcessor;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
  int concurrentKernels;
  int cooperativeLaunch;
  int unifiedAddressing;
  int managedMemory;
  int memoryBusWidth;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaMemAttachGlobal 0x01
#define CUDART_VERSION 13000
#define CUDART_CB

namespace gate_emu {

inline cudaError_t told(int error) {
  if (error != 0) here.last_error = error;
  return static_cast<cudaError_t>(error);
}
/// The info of a kernel, asked by a call that its first statement answers.
template <class... A>
inline KernelInfo* info_of(void (*kernel)(A...)) {
  here.probed = nullptr;
  here.probing = 1;
  alignas(16) unsigned char none[(sizeof(std::decay_t<A>) + ... + 1)] = {};
  kernel(*reinterpret_cast<std::decay_t<A>*>(none)...);
  here.probing = 0;
  return here.probed;
}
template <class... A>
inline void call_with(void (*kernel)(A...), void** arguments) {
  Marshal<void (*)(A...)>::call_pointer(kernel, arguments, std::index_sequence_for<A...>());
}

}  // namespace gate_emu

inline const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorLaunchOutOfResources:
      return "cudaErrorLaunchOutOfResources";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    default:
      return "cudaErrorUnknown";
  }
}
inline const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorLaunchOutOfResources:
      return "too many resources requested for launch";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    default:
      return "unknown error";
  }
}
inline cudaError_t cudaGetLastError() {
  const int error = gate_emu::here.last_error;
  gate_emu::here.last_error = 0;
  return static_cast<cudaError_t>(error);
}
inline cudaError_t cudaPeekAtLastError() {
  return static_cast<cudaError_t>(gate_emu::here.last_error);
}

template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes, GATE_SITE_PARAMETERS) {
  if (pointer == nullptr) return gate_emu::told(cudaErrorInvalidValue);
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  void* memory = nullptr;
  const int error = gate_emu::here.runtime->allocate(&memory, bytes, GATE_SITE);
  *pointer = static_cast<T*>(memory);
  return gate_emu::told(error);
}
inline cudaError_t cudaFree(const void* pointer, GATE_SITE_PARAMETERS) {
  if (pointer == nullptr) return cudaSuccess;
  return gate_emu::told(gate_emu::here.runtime->release(const_cast<void*>(pointer), GATE_SITE));
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t, GATE_SITE_PARAMETERS) {
  return cudaMalloc(pointer, bytes, gate_file, gate_line);
}
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t, GATE_SITE_PARAMETERS) {
  return cudaFree(pointer, gate_file, gate_line);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = 1,
                                     GATE_SITE_PARAMETERS) {
  return cudaMalloc(pointer, bytes, gate_file, gate_line);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0, GATE_SITE_PARAMETERS) {
  return cudaMalloc(pointer, bytes, gate_file, gate_line);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned, GATE_SITE_PARAMETERS) {
  return cudaMalloc(pointer, bytes, gate_file, gate_line);
}
inline cudaError_t cudaFreeHost(void* pointer, GATE_SITE_PARAMETERS) {
  return cudaFree(pointer, gate_file, gate_line);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height,
                                   GATE_SITE_PARAMETERS) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(pointer, *pitch * height, gate_file, gate_line);
}

inline cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  if (bytes != 0) memset(pointer, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t = 0) {
  return cudaMemset(pointer, value, bytes);
}
inline cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width,
                                size_t height) {
  for (size_t row = 0; row < height; ++row) {
    memset(static_cast<char*>(pointer) + row * pitch, value, width);
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width,
                                     size_t height, cudaStream_t = 0) {
  return cudaMemset2D(pointer, pitch, value, width, height);
}
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  if (bytes != 0) memmove(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = 0) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind) {
  if (width > to_pitch || width > from_pitch) return gate_emu::told(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    memmove(static_cast<char*>(to) + row * to_pitch,
            static_cast<const char*>(from) + row * from_pitch, width);
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t = 0) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (offset + bytes > sizeof(T)) return gate_emu::told(cudaErrorInvalidValue);
  char* to = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(&symbol));
  memcpy(to + offset, from, bytes);
  return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  if (offset + bytes > sizeof(T)) return gate_emu::told(cudaErrorInvalidValue);
  memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
  return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t = 0) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t = 0) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  *pointer = const_cast<std::remove_const_t<T>*>(&symbol);
  return cudaSuccess;
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
  *bytes = sizeof(T);
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  *total = 141ull << 30;
  *free_bytes = 140ull << 30;
  return cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize() { return static_cast<cudaError_t>(0); }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : gate_emu::told(cudaErrorInvalidDevice);
}
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit) {
  *value = 1024;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return gate_emu::told(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxBlockDimX:
      *value = 1024;
      break;
    case cudaDevAttrMaxBlockDimY:
      *value = 1024;
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = 64;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = 2147483647;
      break;
    case cudaDevAttrMaxGridDimY:
      *value = 65535;
      break;
    case cudaDevAttrMaxGridDimZ:
      *value = 65535;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 48 << 10;
      break;
    case cudaDevAttrTotalConstantMemory:
      *value = 64 << 10;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      *value = 65536;
      break;
    case cudaDevAttrClockRate:
      *value = 1980000;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 132;
      break;
    case cudaDevAttrL2CacheSize:
      *value = 50 << 20;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 2048;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = 228 << 10;
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = 65536;
      break;
    case cudaDevAttrCooperativeLaunch:
      *value = 0;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 227 << 10;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = 32;
      break;
    default:
      return gate_emu::told(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return gate_emu::told(cudaErrorInvalidDevice);
  *properties = cudaDeviceProp{};
  strcpy(properties->name, "emulated device");
  properties->totalGlobalMem = 141ull << 30;
  properties->sharedMemPerBlock = 48 << 10;
  properties->regsPerBlock = 65536;
  properties->warpSize = 32;
  properties->memPitch = 2147483647;
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 2147483647;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->totalConstMem = 64 << 10;
  properties->major = 9;
  properties->multiProcessorCount = 132;
  properties->l2CacheSize = 50 << 20;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->sharedMemPerMultiprocessor = 228 << 10;
  properties->regsPerMultiprocessor = 65536;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->sharedMemPerBlockOptin = 227 << 10;
  properties->reservedSharedMemPerBlock = 1 << 10;
  properties->concurrentKernels = 1;
  properties->unifiedAddressing = 1;
  properties->managedMemory = 1;
  properties->memoryBusWidth = 6144;
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = reinterpret_cast<cudaStream_t>(0x10);
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new long long(0));
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<long long*>(event);
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = 0) {
  *reinterpret_cast<long long*>(event) = gate_emu::here.runtime->clock({nullptr, 0});
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
/// Scheduler steps, as if each took a nanosecond.
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds =
      static_cast<float>(*reinterpret_cast<long long*>(to) - *reinterpret_cast<long long*>(from)) *
      1e-6f;
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
  return cudaSuccess;
}

template <class... A>
inline cudaError_t cudaFuncSetAttribute(void (*kernel)(A...), cudaFuncAttribute attribute,
                                        int value) {
  gate_emu::KernelInfo* info = gate_emu::info_of(kernel);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > static_cast<int>(gate_emu::shared_optin_max)) {
    return gate_emu::told(cudaErrorInvalidValue);
  }
  if (info != nullptr) info->dynamic_max = static_cast<unsigned>(value);
  return cudaSuccess;
}
template <class... A>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(A...)) {
  const gate_emu::KernelInfo* info = gate_emu::info_of(kernel);
  *attributes = cudaFuncAttributes{};
  attributes->maxThreadsPerBlock =
      info != nullptr && info->threads_max != 0 ? static_cast<int>(info->threads_max) : 1024;
  attributes->sharedSizeBytes = info != nullptr ? info->static_bytes : 0;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes =
      info != nullptr && info->dynamic_max != 0 ? static_cast<int>(info->dynamic_max) : 48 << 10;
  return cudaSuccess;
}
template <class... A>
inline cudaError_t cudaFuncSetCacheConfig(void (*)(A...), cudaFuncCache) {
  return cudaSuccess;
}
template <class... A>
inline cudaError_t cudaFuncSetSharedMemConfig(void (*)(A...), cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class... A>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*)(A...),
                                                                 int threads, size_t shared) {
  const int by_threads = threads > 0 ? 2048 / threads : 0;
  const int by_shared = shared > 0 ? static_cast<int>((228u << 10) / (shared + 1024)) : 32;
  *blocks = by_threads < by_shared ? by_threads : by_shared;
  if (*blocks > 32) *blocks = 32;
  return cudaSuccess;
}
template <class... A>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, void (*kernel)(A...),
                                                      size_t = 0, int limit = 0) {
  const gate_emu::KernelInfo* info = gate_emu::info_of(kernel);
  *block = info != nullptr && info->threads_max != 0 ? static_cast<int>(info->threads_max) : 1024;
  if (limit > 0 && *block > limit) *block = limit;
  *grid = 132 * (2048 / *block);
  return cudaSuccess;
}
template <class... A>
inline cudaError_t cudaLaunchKernel(void (*kernel)(A...), dim3 grid, dim3 block, void** arguments,
                                    size_t shared = 0, cudaStream_t = 0, GATE_SITE_PARAMETERS) {
  gate_emu::LaunchShape shape{{grid.x, grid.y, grid.z},
                              {block.x, block.y, block.z},
                              shared,
                              GATE_SITE,
                              gate_emu::here.in_kernel != 0};
  return gate_emu::told(gate_emu::launch(shape, [&] { gate_emu::call_with(kernel, arguments); }));
}
