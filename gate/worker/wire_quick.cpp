// Reading left to right: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/wire_quick.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "gate/base/text.h"

namespace gate {
namespace {

constexpr int slots_max = 1024;
constexpr int repeat_max = 1'000'000;
constexpr std::array roles = {Role::input, Role::output, Role::workspace, Role::inout};
constexpr std::array orders = {Schedule::Order::ascending, Schedule::Order::descending,
                               Schedule::Order::shuffled};

/// After the first thing that is not there, everything is neutral and `whole` false.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool whole() const { return fine_ && rest_.empty(); }
  bool fine() const { return fine_; }
  void refuse() { fine_ = false; }
  bool next_is(std::string_view literal) const { return fine_ && rest_.starts_with(literal); }

  void literal(std::string_view wanted) {
    fine_ = fine_ && rest_.starts_with(wanted);
    if (fine_) rest_.remove_prefix(wanted.size());
  }

  bool skip(std::string_view wanted) {
    const bool there = next_is(wanted);
    if (there) rest_.remove_prefix(wanted.size());
    return there;
  }

  std::string_view word() {
    literal("\"");
    const std::size_t end = rest_.find('"');
    fine_ = fine_ && end != std::string_view::npos;
    if (!fine_) return {};
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    // Plain characters only: the strict reader looks at UTF-8 as well.
    fine_ = std::all_of(found.begin(), found.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return found;
  }

  std::uint64_t hex() {
    const auto bits = parse_hex64(word());
    fine_ = fine_ && bits.has_value();
    return bits.value_or(0);
  }

  std::int64_t signed_hex() { return static_cast<std::int64_t>(hex()); }

  template <class Number>
  Number number() {
    Number value{};
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, value);
    fine_ = fine_ && error == std::errc();
    if (fine_) rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return value;
  }

  double real() { return next_is("\"") ? std::bit_cast<double>(hex()) : number<double>(); }

  /// Items up to the closing bracket, a comma between them.
  template <class Item>
  void items(char bracket, Item item) {
    const std::string_view end(&bracket, 1);
    if (skip(end)) return;
    do item();
    while (skip(","));
    literal(end);
  }

 private:
  std::string_view rest_;
  bool fine_ = true;
};

template <class Row>
typename Row::value_type one_of(Scanner& scan, const Row& row) {
  const std::string_view word = scan.word();
  for (const auto candidate : row) {
    if (name(candidate) == word) return candidate;
  }
  scan.refuse();
  return row[0];
}

std::vector<std::int64_t> integers(Scanner& scan) {
  std::vector<std::int64_t> values;
  scan.literal("[");
  scan.items(']', [&] { values.push_back(scan.signed_hex()); });
  return values;
}

TensorHeader header(Scanner& scan) {
  TensorHeader tensor;
  scan.literal("{\"name\":");
  tensor.name = scan.word();
  scan.literal(",\"role\":");
  tensor.role = one_of(scan, roles);
  scan.literal(",\"dtype\":");
  const auto dtype = dtype_named(scan.word());
  if (!dtype) scan.refuse();
  tensor.dtype = dtype.value_or(DType::f32);
  scan.literal(",\"shape\":");
  tensor.view.shape = integers(scan);
  scan.literal(",\"strides\":");
  tensor.view.strides = integers(scan);
  scan.literal(",\"offset\":");
  tensor.view.offset = scan.signed_hex();
  scan.literal(",\"bytes\":");
  tensor.bytes = scan.hex();
  scan.literal("}");
  if (tensor.view.shape.size() != tensor.view.strides.size()) scan.refuse();
  return tensor;
}

void attribute(Scanner& scan, RunRequest& run) {
  scan.literal("{\"name\":");
  Scalar& value = run.attributes[std::string(scan.word())];
  if (scan.skip(",\"integer\":")) {
    value = scan.signed_hex();
  } else {
    scan.literal(",\"float\":");
    value = scan.real();
  }
  scan.literal("}");
}

/// The value if it is the only thing that reads so.
template <class Message>
std::optional<Message> verified(const Scanner& scan, Message message, std::string_view text) {
  if (!scan.whole() || encode(message) != text) return std::nullopt;
  return message;
}

}  // namespace

std::optional<RunRequest> quick_run(std::string_view text) {
  Scanner scan(text);
  RunRequest run;
  scan.literal("{\"type\":\"run\",\"job\":");
  if (!scan.fine() || text.size() > message_bytes_max) return std::nullopt;
  run.job = scan.hex();
  scan.literal(",\"slot\":");
  run.slot = scan.number<int>();
  scan.literal(",\"tensors\":[");
  scan.items(']', [&] { run.tensors.push_back(header(scan)); });
  scan.literal(",\"scalars\":{\"axes\":{");
  scan.items('}', [&] {
    std::int64_t& size = run.axes[std::string(scan.word())];
    scan.literal(":");
    size = scan.signed_hex();
  });
  scan.literal(",\"attributes\":[");
  scan.items(']', [&] { attribute(scan, run); });
  scan.literal("},\"schedule\":{\"order\":");
  run.schedule.order = one_of(scan, orders);
  scan.literal(",\"key\":");
  run.schedule.key = scan.hex();
  scan.literal("},\"repeat\":");
  run.repeat = scan.number<int>();
  scan.literal("}");
  const bool in_range =
      run.slot >= 0 && run.slot < slots_max && run.repeat >= 1 && run.repeat <= repeat_max;
  if (!in_range) return std::nullopt;
  return verified(scan, std::move(run), text);
}

std::optional<Begun> quick_begun(std::string_view text) {
  Scanner scan(text);
  Begun begun;
  scan.literal("{\"type\":\"begin\",\"job\":");
  begun.job = scan.hex();
  scan.literal("}");
  return verified(scan, begun, text);
}

std::optional<Finished> quick_finished(std::string_view text) {
  Scanner scan(text);
  Finished done;
  scan.literal("{\"type\":\"done\",\"job\":");
  if (!scan.fine()) return std::nullopt;
  done.job = scan.hex();
  scan.literal(",\"error\":");
  const auto kind = kind_named(scan.word());
  done.error = kind.value_or(Kind::pass);
  scan.literal(",\"text\":\"\",\"times\":{\"kernel_us\":");
  done.kernel_us = scan.real();
  scan.literal("},\"device_lost\":");
  done.device_lost = scan.skip("true");
  if (!done.device_lost) scan.literal("false");
  scan.literal("}");
  return verified(scan, std::move(done), text);
}

}  // namespace gate
