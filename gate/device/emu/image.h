// A built image, loaded: its entries by name, and running one launch step of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/device/device.h"
#include "gate/device/emu/include/gate_emu/abi.h"
#include "gate/device/emu/source_lines.h"

namespace gate {

class LoadedImage {
 public:
  LoadedImage() = default;
  ~LoadedImage();
  LoadedImage(const LoadedImage&) = delete;
  LoadedImage& operator=(const LoadedImage&) = delete;

  Result<Done> open(const std::string& path);
  bool is_open() const { return plain_ != nullptr; }
  /// The variant whose memory accesses report, where the image has one.
  const gate_emu::Image& variant(bool checked) const;
  /// "file:line" before a code address of the image; empty if it is none. Reads the line table
  /// on first use.
  std::string place_of(const void* pc) const;

 private:
  void* library_ = nullptr;
  const gate_emu::Image* plain_ = nullptr;
  const gate_emu::Image* checked_ = nullptr;
  std::string path_;
  mutable std::optional<SourceLines> lines_;
};

/// The entry for a step's arguments (overloads are told apart by them), or why there is none.
Result<const gate_emu::Entry*> find_entry(const gate_emu::Image& image, const ResolvedStep& step,
                                          const std::vector<DType>& pointees);

}  // namespace gate
