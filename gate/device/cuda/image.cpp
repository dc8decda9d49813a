// Writing and reading CUDA images.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/cuda/image.h"

#include <nlohmann/json.hpp>

namespace gate {

std::string to_bytes(const CudaImage& image) {
  const nlohmann::json head = {
      {"form", image.form == CudaImage::Form::module ? "module" : "library"},
      {"symbols", image.symbols}};
  return head.dump() + "\n" + image.bytes;
}

std::optional<CudaImage> parse_cuda_image(const std::string& bytes) {
  const auto line_end = bytes.find('\n');
  if (line_end == std::string::npos) return std::nullopt;
  const auto head = nlohmann::json::parse(bytes.begin(), bytes.begin() + line_end, nullptr, false);
  if (!head.is_object() || !head.contains("form") || !head.contains("symbols")) {
    return std::nullopt;
  }
  CudaImage image;
  image.form = head["form"] == "library" ? CudaImage::Form::library : CudaImage::Form::module;
  for (const auto& [entry, symbol] : head["symbols"].items()) {
    if (!symbol.is_string()) return std::nullopt;
    image.symbols[entry] = symbol.get<std::string>();
  }
  image.bytes = bytes.substr(line_end + 1);
  return image;
}

}  // namespace gate
