// Constructs the emulator does not have: named, never guessed.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/unsupported.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "gate/base/text.h"
#include "gate/device/emu/translation.h"

namespace gate {

namespace {

struct Construct {
  std::string_view word;  // exact, or a prefix where it ends in *
  std::string_view name;
};

constexpr std::array constructs = {
    Construct{"nvcuda", "wmma (tensor core fragments)"},
    Construct{"__mma_*", "mma (tensor core instructions)"},
    Construct{"__pipeline_*", "asynchronous copy (cp.async)"},
    Construct{"memcpy_async", "asynchronous copy (cp.async)"},
    Construct{"cudaTextureObject_t", "texture"},
    Construct{"cudaSurfaceObject_t", "surface"},
    Construct{"tex1D*", "texture"},
    Construct{"tex2D*", "texture"},
    Construct{"tex3D*", "texture"},
    Construct{"surf2D*", "surface"},
    Construct{"this_grid", "grid synchronisation"},
    Construct{"grid_group", "grid synchronisation"},
    Construct{"this_cluster", "thread block cluster"},
    Construct{"cluster_group", "thread block cluster"},
    Construct{"__cluster_dims__", "thread block cluster"},
    Construct{"cudaLaunchCooperativeKernel", "cooperative launch"},
    Construct{"cudaLaunchKernelEx*", "extensible launch"},
    Construct{"cudaGraph*", "CUDA graph"},
    Construct{"cudaStreamBeginCapture", "CUDA graph"},
    Construct{"__CUDA_ALIGN_CLUSTER__", "thread block cluster"},
};

struct Library {
  std::string_view prefix;
  std::string_view name;
};

constexpr std::array libraries = {
    Library{"cub/", "CUB"},
    Library{"thrust/", "Thrust"},
    Library{"cutlass/", "CUTLASS"},
    Library{"cute/", "CuTe"},
    Library{"mma.h", "wmma (tensor core fragments)"},
    Library{"cuda/", "libcu++"},
    Library{"nv/", "libnv++"},
    Library{"cublas", "cuBLAS"},
    Library{"cudnn", "cuDNN"},
    Library{"curand", "cuRAND"},
    Library{"cufft", "cuFFT"},
    Library{"cusparse", "cuSPARSE"},
    Library{"cusolver", "cuSOLVER"},
    Library{"nccl", "NCCL"},
    Library{"torch/", "PyTorch"},
    Library{"ATen/", "PyTorch"},
    Library{"c10/", "PyTorch"},
    Library{"cuda_pipeline", "asynchronous copy (cp.async)"},
    Library{"cuda_awbarrier", "asynchronous barrier"},
    Library{"cooperative_groups/memcpy_async.h", "asynchronous copy (cp.async)"},
    Library{"cuda_fp4", "fp4"},
    Library{"cuda_fp6", "fp6"},
    Library{"nvtx3/", "NVTX"},
    Library{"texture_", "texture"},
    Library{"surface_", "surface"},
};

/// What the CUDA headers declare and the emulator lacks, sorted.
constexpr std::string_view cuda_names[] = {
#include "gate/device/emu/cuda_names.inc"
};

bool matches(std::string_view text, std::string_view word) {
  if (word.ends_with('*')) return text.starts_with(word.substr(0, word.size() - 1));
  return text == word;
}

/// asm with an empty template is a compiler fence: harmless.
bool is_real_asm(const Workpiece& piece, int index) {
  int open = index + 1;
  while (piece.is(open, "volatile") || piece.is(open, "__volatile__")) ++open;
  return !piece.is(open + 1, "\"\"");
}

}  // namespace

std::vector<std::string> find_unsupported(const Workpiece& piece) {
  std::vector<std::string> found;
  const auto add = [&](std::string_view name, int index) {
    std::string text = fmt::format("{} at {}", name, piece.place(index));
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
  };
  for (int i = 0; i < piece.size(); ++i) {
    if (!piece.is_word(i)) continue;
    const std::string_view text = piece.at(i).text;
    if ((text == "asm" || text == "__asm__" || text == "__asm") && is_real_asm(piece, i)) {
      add("inline PTX (asm)", i);
    }
    for (const Construct& construct : constructs) {
      if (matches(text, construct.word)) add(construct.name, i);
    }
  }
  return found;
}

namespace {

/// The compiler quotes as the locale has it: 'name' or typographically.
std::string first_quoted(const std::string& text) {
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"'", "'"},
                                    {"\xE2\x80\x98", "\xE2\x80\x99"}}) {
    const std::size_t begin = text.find(open);
    if (begin == std::string::npos) continue;
    const std::size_t end = text.find(close, begin + open.size());
    if (end != std::string::npos) {
      return text.substr(begin + open.size(), end - begin - open.size());
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> unsupported_names(const std::string& errors) {
  constexpr std::array<std::string_view, 4> complaints = {
      "was not declared in this scope", "has not been declared", "does not name a type",
      "there are no arguments to"};
  std::vector<std::string> found;
  for (const std::string& line : split(errors, '\n')) {
    const bool complains = std::any_of(complaints.begin(), complaints.end(), [&](auto words) {
      return line.find(words) != std::string::npos;
    });
    const std::size_t error = line.find(": error: ");
    if (!complains || error == std::string::npos) continue;
    const std::string name = first_quoted(line.substr(error));
    if (!std::binary_search(std::begin(cuda_names), std::end(cuda_names), name)) continue;
    // "folder/file.cu:12:5: error: …"
    const std::vector<std::string> place = split(line.substr(0, error), ':');
    if (place.size() < 2) continue;
    std::string text = fmt::format("{} at {}:{}", name,
                                   std::filesystem::path(place[0]).filename().string(), place[1]);
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
  }
  return found;
}

std::string unsupported_library(std::string_view header) {
  for (const Library& library : libraries) {
    if (header.starts_with(library.prefix)) return std::string(library.name);
  }
  return {};
}

}  // namespace gate
