// Decoding the trapped instruction: prefixes, REX, opcode F6/F7 with /6 (div) or /7 (idiv).
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/division.h"

#include <cstdint>
#include <cstring>

namespace gate {

#if defined(__x86_64__)

namespace {

// Registers in the order of their encoding.
constexpr int encoded[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                           REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

struct Division {
  bool found = false;
  int bytes = 4;  // of the operands
  std::uint64_t divisor = 0;
  std::size_t length = 0;  // of the instruction
};

class Decoder {
 public:
  Decoder(const std::uint8_t* code, const greg_t* registers) : code_(code), registers_(registers) {}

  Division read() {
    Division result;
    int rex = 0;
    bool half = false;
    for (; is_prefix(code_[at_]); ++at_) half = half || code_[at_] == 0x66;
    if ((code_[at_] & 0xF0) == 0x40) rex = code_[at_++];
    const std::uint8_t opcode = code_[at_++];
    if (opcode != 0xF6 && opcode != 0xF7) return result;
    const int what = code_[at_] >> 3 & 7;
    if (what != 6 && what != 7) return result;
    result.bytes = opcode == 0xF6 ? 1 : (rex & 8) != 0 ? 8 : half ? 2 : 4;
    result.divisor = operand(rex, result.bytes);
    result.length = at_;
    result.found = true;
    return result;
  }

 private:
  static bool is_prefix(std::uint8_t byte) {
    return byte == 0x66 || byte == 0x2E || byte == 0x36 || byte == 0x3E || byte == 0x26;
  }
  std::uint64_t value(int number) const {
    return static_cast<std::uint64_t>(registers_[encoded[number]]);
  }
  std::int64_t displacement(int bytes) {
    std::int64_t result = 0;
    if (bytes == 1) result = static_cast<std::int8_t>(code_[at_]);
    if (bytes == 4) {
      std::int32_t word = 0;
      std::memcpy(&word, code_ + at_, 4);
      result = word;
    }
    at_ += static_cast<std::size_t>(bytes);
    return result;
  }

  /// The r/m operand's value; leaves `at_` after it.
  std::uint64_t operand(int rex, int bytes) {
    const int modrm = code_[at_++];
    const int mode = modrm >> 6, low = modrm & 7;
    std::uint64_t result = 0;
    if (mode == 3) {
      result = value(low | (rex & 1) << 3);
    } else {
      const std::uint64_t address = memory(mode, low, rex);
      std::memcpy(&result, reinterpret_cast<const void*>(address), static_cast<std::size_t>(bytes));
    }
    return bytes == 8 ? result : result & ((std::uint64_t{1} << (8 * bytes)) - 1);
  }

  std::uint64_t memory(int mode, int low, int rex) {
    std::uint64_t address = 0;
    bool absolute = false;
    if (low == 4) {  // scale, index, base
      const int sib = code_[at_++];
      const int index = (sib >> 3 & 7) | (rex & 2) << 2;
      const int base = sib & 7;
      if (index != 4) address += value(index) << (sib >> 6);
      absolute = base == 5 && mode == 0;
      if (!absolute) address += value(base | (rex & 1) << 3);
    } else if (low == 5 && mode == 0) {  // relative to the next instruction
      const std::int64_t offset = displacement(4);
      return static_cast<std::uint64_t>(registers_[REG_RIP]) + at_ +
             static_cast<std::uint64_t>(offset);
    } else {
      address = value(low | (rex & 1) << 3);
    }
    const int bytes = mode == 1 ? 1 : mode == 2 || absolute ? 4 : 0;
    return address + static_cast<std::uint64_t>(displacement(bytes));
  }

  const std::uint8_t* code_;
  const greg_t* registers_;
  std::size_t at_ = 0;
};

/// Writes the low bytes as the processor does: 32-bit results clear the upper half.
void set(greg_t& target, std::uint64_t value, int bytes) {
  const auto old = static_cast<std::uint64_t>(target);
  if (bytes >= 4) {
    target = static_cast<greg_t>(bytes == 8 ? value : value & 0xffffffffu);
  } else {
    const std::uint64_t mask = (std::uint64_t{1} << (8 * bytes)) - 1;
    target = static_cast<greg_t>((old & ~mask) | (value & mask));
  }
}

}  // namespace

bool finish_division(ucontext_t* context) {
  greg_t* registers = context->uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]);
  const Division division = Decoder(code, registers).read();
  if (!division.found) return false;
  const bool by_zero = division.divisor == 0;
  const std::uint64_t smallest = std::uint64_t{1} << (8 * division.bytes - 1);
  if (division.bytes == 1) {
    set(registers[REG_RAX], by_zero ? 0xffff : smallest, 2);  // remainder above quotient
  } else {
    set(registers[REG_RAX], by_zero ? ~std::uint64_t{0} : smallest, division.bytes);
    set(registers[REG_RDX], by_zero ? ~std::uint64_t{0} : 0, division.bytes);
  }
  registers[REG_RIP] += static_cast<greg_t>(division.length);
  return true;
}

#else

bool finish_division(ucontext_t*) { return false; }

#endif

}  // namespace gate
