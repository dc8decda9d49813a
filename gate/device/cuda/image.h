// A built CUDA image: what the builder writes to the cache and the worker loads.
// One file: a line of JSON (how to call it), then the bytes of a cubin, PTX or shared library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

namespace gate {

struct CudaImage {
  enum class Form { module, library };  // loaded by the driver, or by dlopen
  Form form = Form::module;
  std::map<std::string, std::string> symbols;  // entry as written -> symbol in the image
  std::string bytes;
};

std::string to_bytes(const CudaImage& image);
std::optional<CudaImage> parse_cuda_image(const std::string& bytes);

}  // namespace gate
