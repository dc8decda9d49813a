// Writes zip archives for tests, honest ones and others: every field can lie.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gate {

struct ZipMember {
  std::string name, content;
  bool deflated = true;
  std::uint32_t mode = 0100644;
  std::uint32_t flags = 0;
  std::optional<std::uint32_t> unpacked = {}, crc = {};  // what the directory claims
};

inline std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

inline std::string raw_deflate(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string write_zip(const std::vector<ZipMember>& members) {
  std::string body, directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.deflated ? raw_deflate(member.content) : member.content;
    const auto crc =
        static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                                           static_cast<uInt>(member.content.size())));
    const std::string fields =
        little(20, 2) + little(member.flags, 2) + little(member.deflated ? 8 : 0, 2) +
        little(0, 4) + little(member.crc.value_or(crc), 4) + little(packed.size(), 4) +
        little(member.unpacked.value_or(static_cast<std::uint32_t>(member.content.size())), 4) +
        little(member.name.size(), 2) + little(0, 2);
    directory += little(0x02014b50, 4) + little(3 << 8 | 20, 2) + fields + little(0, 2) +
                 little(0, 2) + little(0, 2) + little(std::uint64_t{member.mode} << 16, 4) +
                 little(body.size(), 4) + member.name;
    body += little(0x04034b50, 4) + fields + member.name + packed;
  }
  return body + directory + little(0x06054b50, 4) + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) + little(body.size(), 4) +
         little(0, 2);
}

}  // namespace gate
