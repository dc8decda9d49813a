// Zip archives by their central directory, as GitHub's artifacts are: stored or deflated members,
// no zip64 (20 MB need none), no encryption.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "gate/base/text.h"
#include "gate/publish/archive.h"

namespace gate {
namespace {

constexpr std::uint32_t end_mark = 0x06054b50, member_mark = 0x02014b50, local_mark = 0x04034b50;
constexpr std::size_t end_bytes = 22, member_bytes = 46, local_bytes = 30;
constexpr std::size_t ratio_grace = 1u << 20;  // small files may compress as well as they like

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

struct Member {
  std::string name;
  std::uint32_t flags = 0, method = 0, crc = 0, packed = 0, unpacked = 0, mode = 0, local = 0;
  bool folder() const { return name.ends_with('/'); }
};

Failure refused(const std::string& why) { return user_failure("the archive is refused: " + why); }

/// Offset of the end record: the last place where one fits exactly.
std::optional<std::size_t> find_end(std::string_view zip) {
  if (zip.size() < end_bytes) return std::nullopt;
  const std::size_t last = zip.size() - end_bytes;
  const std::size_t first = last > 0xFFFF ? last - 0xFFFF : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    if (number_at(zip, at, 4) == end_mark && number_at(zip, at + 20, 2) == zip.size() - at - 22) {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<Member> member_at(std::string_view zip, std::size_t& at) {
  if (at > zip.size() || zip.size() - at < member_bytes || number_at(zip, at, 4) != member_mark) {
    return std::nullopt;
  }
  Member member;
  member.flags = number_at(zip, at + 8, 2);
  member.method = number_at(zip, at + 10, 2);
  member.crc = number_at(zip, at + 16, 4);
  member.packed = number_at(zip, at + 20, 4);
  member.unpacked = number_at(zip, at + 24, 4);
  const std::size_t name_bytes = number_at(zip, at + 28, 2);
  const std::size_t rest = number_at(zip, at + 30, 2) + number_at(zip, at + 32, 2);
  member.mode = number_at(zip, at + 38, 4) >> 16;  // Unix, where the maker was one
  member.local = number_at(zip, at + 42, 4);
  if (zip.size() - at - member_bytes < name_bytes + rest) return std::nullopt;
  member.name = std::string(zip.substr(at + member_bytes, name_bytes));
  at += member_bytes + name_bytes + rest;
  return member;
}

Result<Done> check_member(const Member& member) {
  const std::string shown = clean_text(member.name, 120);
  const std::string plain =
      member.folder() ? member.name.substr(0, member.name.size() - 1) : member.name;
  if (!is_plain_member(plain)) return refused("odd name " + shown);
  const std::uint32_t type = member.mode & 0170000;
  if (type != 0 && type != 0100000 && type != 0040000) {
    return refused("link or special file " + shown);
  }
  if ((member.flags & 1) != 0) return refused("encrypted member " + shown);
  if (member.method != 0 && member.method != 8) return refused("unknown compression of " + shown);
  return Done{};
}

Result<std::vector<Member>> members_of(std::string_view zip, const ArchiveCaps& caps) {
  if (zip.size() > caps.bytes_max) return refused("it is too large");
  const auto end = find_end(zip);
  if (!end) return refused("it is not a zip archive, or cut");
  const std::size_t number = number_at(zip, *end + 10, 2);
  std::size_t at = number_at(zip, *end + 16, 4);
  std::vector<Member> members;
  std::set<std::string> names;
  std::uint64_t packed = 0, unpacked = 0, files = 0;
  for (std::size_t i = 0; i < number; ++i) {
    std::optional<Member> member = member_at(zip, at);
    if (!member) return refused("its directory is damaged");
    const Result<Done> harmless = check_member(*member);
    if (!harmless) return harmless.failure();
    if (!names.insert(member->name).second) return refused("a name appears twice");
    files += member->folder() ? 0 : 1;
    packed += member->packed;
    unpacked += member->unpacked;
    if (files > caps.files_max) return refused("too many files");
    members.push_back(*std::move(member));
  }
  if (unpacked > caps.unpacked_bytes_max || packed > zip.size() ||
      unpacked > ratio_grace + packed * caps.ratio_max) {
    return refused("it would unpack to too much");
  }
  return members;
}

std::optional<std::string> inflate_raw(std::string_view packed, std::size_t unpacked_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  std::string content(unpacked_bytes + 1, '\0');  // one more shows that a member lied
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  const int status = ::inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.total_out == unpacked_bytes;
  inflateEnd(&stream);
  if (!whole) return std::nullopt;
  content.resize(unpacked_bytes);
  return content;
}

Result<std::string> content_of(std::string_view zip, const Member& member) {
  if (member.local > zip.size() || zip.size() - member.local < local_bytes ||
      number_at(zip, member.local, 4) != local_mark) {
    return refused("a member is damaged");
  }
  const std::size_t begin = member.local + local_bytes + number_at(zip, member.local + 26, 2) +
                            number_at(zip, member.local + 28, 2);
  if (begin > zip.size() || zip.size() - begin < member.packed) {
    return refused("a member is damaged");
  }
  const std::string_view packed = zip.substr(begin, member.packed);
  std::optional<std::string> content;
  if (member.method == 8) content = inflate_raw(packed, member.unpacked);
  if (member.method == 0 && member.packed == member.unpacked) content = std::string(packed);
  const auto crc = [](const std::string& text) {
    return ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  };
  if (!content || crc(*content) != member.crc) return refused("a member is damaged");
  return *std::move(content);
}

}  // namespace

Result<std::string> file_in_zip(std::string_view zip, std::string_view name,
                                const ArchiveCaps& caps) {
  const Result<std::vector<Member>> members = members_of(zip, caps);
  if (!members) return members.failure();
  const Member* found = nullptr;
  for (const Member& member : *members) {
    const std::size_t slash = member.name.rfind('/');
    const std::string base =
        slash == std::string::npos ? member.name : member.name.substr(slash + 1);
    if (base != name) continue;
    if (found != nullptr) return refused(fmt::format("two files are named {}", name));
    found = &member;
  }
  if (found == nullptr) return user_failure(fmt::format("the archive holds no {}", name));
  return content_of(zip, *found);
}

}  // namespace gate
