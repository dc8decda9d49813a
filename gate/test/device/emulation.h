// Test support: builds CUDA sources for the emulator and runs their functions on buffers of ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gate/base/files.h"
#include "gate/device/emu/image.h"

namespace gate {

/// A source built and loaded; `reply` says why not.
struct EmulatedSource {
  BuildReply reply;
  std::shared_ptr<TemporaryFolder> folder;
  std::shared_ptr<LoadedImage> image;

  bool ready() const { return image != nullptr && image->is_open(); }
};

struct SourceOptions {
  std::vector<std::string> entries;
  bool launchers = false;  // entries are host launchers
  std::vector<std::string> defines;
};

EmulatedSource emulate_file(const std::filesystem::path& path, const SourceOptions& options);
/// The same for a text, written to a file `kernel.cu`.
EmulatedSource emulate_text(const std::string& text, const SourceOptions& options);

/// A tensor of a job in memory of ours, with red zones as in a slot.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes, int fill = 0xFF);
  std::byte* data() { return storage_.data() + red_zone_bytes; }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(data());
  }
  std::size_t bytes() const { return storage_.size() - 2 * red_zone_bytes; }
  /// True if neither red zone was written.
  bool intact() const;

 private:
  std::vector<std::byte> storage_;
};

ResolvedArgument pointer_to(Buffer& buffer, DType dtype = DType::f32);
ResolvedArgument scalar_of(std::int32_t value);
ResolvedArgument scalar_of(float value);

struct LaunchOf {
  std::string entry;
  std::vector<std::uint64_t> grid = {1};
  std::vector<std::uint64_t> block = {1};
  std::uint64_t shared = 0;
  std::vector<ResolvedArgument> arguments;
  bool launcher = false;
};
DeviceReply run_emulated(const EmulatedSource& source, const LaunchOf& launch,
                         const Schedule& schedule = {});

}  // namespace gate
