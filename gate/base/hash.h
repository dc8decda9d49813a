// SHA-256 (libcrypto) and the stable 64-bit hash derived from it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gate {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  /// 64 lower-case hex digits; the object is spent afterwards.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view text);
/// First 8 bytes of SHA-256, big endian: equal on every machine and in every version.
std::uint64_t stable_hash(std::string_view text);

}  // namespace gate
