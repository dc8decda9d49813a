// SHA-256 through libcrypto's EVP interface.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/hash.h"

#include <openssl/evp.h>

#include <array>

#include "gate/base/check.h"

namespace gate {

namespace {

constexpr std::size_t digest_bytes = 32;
using Digest = std::array<unsigned char, digest_bytes>;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

/// Looked up once: libcrypto searches its providers for every EVP_sha256().
const EVP_MD* sha256_method() {
  static const EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return method;
}

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, FreeContext> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(state_->context && EVP_DigestInit_ex(state_->context.get(), sha256_method(), nullptr) == 1,
        "libcrypto offers SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  check(state_->context && EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1,
        "SHA-256 takes bytes until its digest is read");
}

void Sha256::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

std::string Sha256::hex() {
  Digest digest{};
  unsigned written = 0;
  check(state_->context &&
            EVP_DigestFinal_ex(state_->context.get(), digest.data(), &written) == 1 &&
            written == digest_bytes,
        "the digest of SHA-256 is read once");
  state_->context.reset();  // libcrypto itself would answer a second time
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest_bytes);
  for (const unsigned byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.hex();
}

std::uint64_t stable_hash(std::string_view text) {
  constexpr std::size_t digits = 16;
  std::uint64_t value = 0;
  for (const char digit : sha256_hex(text).substr(0, digits)) {
    const int nibble = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    value = value << 4 | static_cast<std::uint64_t>(nibble);
  }
  return value;
}

}  // namespace gate
