// Base64 and gzip.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/encoded.h"

#include <zlib.h>

#include "gate/base/check.h"
#include "gate/base/text.h"

namespace gate {

std::string base64(std::string_view bytes) {
  std::string text = base64url(bytes);
  for (char& letter : text) {
    if (letter == '-') letter = '+';
    if (letter == '_') letter = '/';
  }
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = MAX_WBITS + 16;
  const bool started = deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 8,
                                    Z_DEFAULT_STRATEGY) == Z_OK;
  check(started, "zlib starts");
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  check(status == Z_STREAM_END, "deflateBound reserves enough");
  return packed;
}

}  // namespace gate
