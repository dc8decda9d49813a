// Reading .debug_line: sections of the ELF file, unit headers, the line number program.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/source_lines.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "gate/base/files.h"

namespace gate {

namespace {

/// Bytes of a section of a 64-bit ELF file; empty if it has none of that name.
std::string_view section(std::string_view elf, std::string_view wanted) {
  Elf64_Ehdr header{};
  if (elf.size() < sizeof header) return {};
  std::memcpy(&header, elf.data(), sizeof header);
  const auto at = [&](unsigned index) {
    Elf64_Shdr row{};
    const std::size_t offset = header.e_shoff + std::size_t{index} * sizeof row;
    if (offset + sizeof row <= elf.size()) std::memcpy(&row, elf.data() + offset, sizeof row);
    return row;
  };
  const Elf64_Shdr names = at(header.e_shstrndx);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr row = at(i);
    const std::size_t name = names.sh_offset + row.sh_name;
    if (name >= elf.size() || row.sh_offset + row.sh_size > elf.size()) continue;
    if (elf.substr(name, wanted.size() + 1) != std::string(wanted) + '\0') continue;
    if ((row.sh_flags & SHF_COMPRESSED) != 0) return {};
    return elf.substr(row.sh_offset, row.sh_size);
  }
  return {};
}

/// Reads little-endian values; stops at the end.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}
  bool done() const { return at_ >= data_.size(); }
  std::size_t at() const { return at_; }
  void seek(std::size_t at) { at_ = std::min(at, data_.size()); }

  std::uint64_t fixed(std::size_t bytes) {
    std::uint64_t value = 0;
    if (at_ + bytes <= data_.size()) std::memcpy(&value, data_.data() + at_, bytes);
    at_ = std::min(at_ + bytes, data_.size());
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (int shift = 0; !done(); shift += 7) {
      const std::uint64_t byte = fixed(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t signed_leb() {
    std::int64_t value = 0;
    for (int shift = 0; !done();) {
      const std::uint64_t byte = fixed(1);
      if (shift < 64) value |= static_cast<std::int64_t>((byte & 0x7f) << shift);
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= -(std::int64_t{1} << shift);
      break;
    }
    return value;
  }
  std::string_view text() {
    const std::size_t end = std::min(data_.find('\0', at_), data_.size());
    const std::string_view result = data_.substr(at_, end - at_);
    at_ = std::min(end + 1, data_.size());
    return result;
  }

 private:
  std::string_view data_;
  std::size_t at_ = 0;
};

constexpr unsigned set_address = 2, end_sequence = 1;  // extended opcodes
constexpr unsigned copy = 1, advance_pc = 2, advance_line = 3, set_file = 4, constant_pc = 8,
                   fixed_pc = 9;

}  // namespace

/// One unit's table of files and program.
class LineProgram {
 public:
  LineProgram(SourceLines& lines, Bytes& bytes) : lines_(lines), bytes_(bytes) {}

  /// False at the end or at a version it does not read.
  bool read_unit() {
    const std::uint64_t length = bytes_.fixed(4);
    const std::size_t end = bytes_.at() + length;
    const std::uint64_t version = bytes_.fixed(2);
    if (length == 0 || version < 2 || version > 4) return false;
    const std::uint64_t header = bytes_.fixed(4);
    const std::size_t program = bytes_.at() + header;
    instruction_bytes_ = bytes_.fixed(1);
    if (version == 4) bytes_.fixed(1);  // operations per instruction
    bytes_.fixed(1);  // default is_stmt
    line_base_ = static_cast<std::int8_t>(bytes_.fixed(1));
    line_range_ = std::max<std::uint64_t>(bytes_.fixed(1), 1);
    opcode_base_ = bytes_.fixed(1);
    operand_counts_.assign(opcode_base_, 0);
    for (std::uint64_t i = 1; i < opcode_base_; ++i) operand_counts_[i] = bytes_.fixed(1);
    read_files();
    bytes_.seek(program);
    while (bytes_.at() < end && !bytes_.done()) step();
    return true;
  }

 private:
  void read_files() {
    std::vector<std::string> folders = {""};
    for (std::string_view name = bytes_.text(); !name.empty(); name = bytes_.text()) {
      folders.emplace_back(name);
    }
    first_file_ = lines_.files_.size();
    for (std::string_view name = bytes_.text(); !name.empty(); name = bytes_.text()) {
      const std::uint64_t folder = bytes_.unsigned_leb();
      bytes_.unsigned_leb();  // time
      bytes_.unsigned_leb();  // length
      const std::string& path = folder < folders.size() ? folders[folder] : folders[0];
      lines_.files_.emplace_back(name);
      lines_.is_header_.push_back(path.find("/gate_emu") != std::string::npos ||
                                  path.starts_with("/usr/include") ||
                                  path.find("/lib/gcc/") != std::string::npos);
    }
  }

  void emit(bool ends) {
    const std::size_t file = first_file_ + (file_ == 0 ? 0 : file_ - 1);
    lines_.rows_.push_back(
        {address_, static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(line_), ends});
  }

  void reset() {
    address_ = 0;
    file_ = 1;
    line_ = 1;
  }

  void step() {
    const std::uint64_t opcode = bytes_.fixed(1);
    if (opcode >= opcode_base_) {
      const std::uint64_t adjusted = opcode - opcode_base_;
      address_ += adjusted / line_range_ * instruction_bytes_;
      line_ += line_base_ + static_cast<std::int64_t>(adjusted % line_range_);
      emit(false);
    } else if (opcode == 0) {
      extended();
    } else {
      standard(opcode);
    }
  }

  void extended() {
    const std::uint64_t length = bytes_.unsigned_leb();
    const std::size_t end = bytes_.at() + length;
    const std::uint64_t opcode = bytes_.fixed(1);
    if (opcode == set_address) address_ = bytes_.fixed(8);
    if (opcode == end_sequence) {
      emit(true);
      reset();
    }
    bytes_.seek(end);
  }

  void standard(std::uint64_t opcode) {
    switch (opcode) {
      case copy:
        emit(false);
        break;
      case advance_pc:
        address_ += bytes_.unsigned_leb() * instruction_bytes_;
        break;
      case advance_line:
        line_ += bytes_.signed_leb();
        break;
      case set_file:
        file_ = bytes_.unsigned_leb();
        break;
      case constant_pc:
        address_ += (255 - opcode_base_) / line_range_ * instruction_bytes_;
        break;
      case fixed_pc:
        address_ += bytes_.fixed(2);
        break;
      default:
        for (std::uint64_t i = 0; i < operand_counts_[opcode]; ++i) bytes_.unsigned_leb();
    }
  }

  SourceLines& lines_;
  Bytes& bytes_;
  std::uint64_t instruction_bytes_ = 1, line_range_ = 1, opcode_base_ = 1;
  std::int64_t line_base_ = 0;
  std::vector<std::uint64_t> operand_counts_;
  std::size_t first_file_ = 0;
  std::uint64_t address_ = 0, file_ = 1;
  std::int64_t line_ = 1;
};

SourceLines SourceLines::of_image(const std::string& path) {
  SourceLines lines;
  const auto file = read_file(path);
  if (!file) return lines;
  Bytes bytes(section(*file, ".debug_line"));
  LineProgram program(lines, bytes);
  while (!bytes.done() && program.read_unit()) {
  }
  // A sequence that ends where another begins must not hide it.
  std::stable_sort(lines.rows_.begin(), lines.rows_.end(), [](const Row& a, const Row& b) {
    return a.address != b.address ? a.address < b.address : a.ends && !b.ends;
  });
  return lines;
}

std::string SourceLines::find(std::uint64_t address) const {
  auto next =
      std::upper_bound(rows_.begin(), rows_.end(), address - 1,
                       [](std::uint64_t value, const Row& row) { return value < row.address; });
  while (next != rows_.begin()) {
    const Row& row = *--next;
    if (row.ends) return {};
    if (row.file >= files_.size() || is_header_[row.file] || row.line == 0) continue;
    return fmt::format("{}:{}", std::filesystem::path(files_[row.file]).filename().string(),
                       row.line);
  }
  return {};
}

}  // namespace gate
