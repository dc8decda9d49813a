// JSON to messages, strictly.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "gate/worker/json_reading.h"
#include "gate/worker/wire.h"
#include "gate/worker/wire_quick.h"

namespace gate {

namespace {

constexpr int slots_max = 1024;
constexpr int repeat_max = 1'000'000;

constexpr std::array roles = {Role::input, Role::output, Role::workspace, Role::inout};
constexpr std::array orders = {Schedule::Order::ascending, Schedule::Order::descending,
                               Schedule::Order::shuffled};
constexpr std::array argument_kinds = {
    LaunchArgument::What::tensor, LaunchArgument::What::workspace, LaunchArgument::What::integer,
    LaunchArgument::What::attribute, LaunchArgument::What::stream};

template <class Row>
typename Row::value_type one_of(JsonReading& reading, const Row& row, const std::string& word) {
  for (const auto candidate : row) {
    if (name(candidate) == word) return candidate;
  }
  reading.fail("unknown word: " + word);
  return row[0];
}

DType dtype_of(JsonReading& reading, const std::string& word) {
  if (const auto dtype = dtype_named(word)) return *dtype;
  reading.fail("unknown dtype: " + word);
  return DType::f32;
}

Kind kind_of(JsonReading& reading, const std::string& word) {
  if (const auto kind = kind_named(word)) return *kind;
  reading.fail("unknown kind: " + word);
  return Kind::environment;
}

Expression expression_of(JsonReading& reading, const std::string& text) {
  auto parsed = Expression::parse(text);
  if (parsed) return *parsed;
  reading.fail("bad expression: " + text);
  return {};
}

std::vector<std::int64_t> integers(JsonReading& reading, const Json& list) {
  std::vector<std::int64_t> values;
  for (const Json& value : list) values.push_back(static_cast<std::int64_t>(reading.hex(value)));
  return values;
}

std::vector<std::string> texts(JsonReading& reading, const Json& list) {
  std::vector<std::string> values;
  for (const Json& value : list) values.push_back(reading.string_of(value));
  return values;
}

std::vector<Expression> expressions(JsonReading& reading, const Json& list) {
  std::vector<Expression> values;
  for (const Json& value : list) {
    values.push_back(expression_of(reading, reading.string_of(value)));
  }
  return values;
}

LaunchStep step_of(JsonReading& reading, const Json& object, const std::string& column) {
  LaunchStep step;
  if (!reading.has_keys(object, {"entry", "args", "grid", "block", "shared"})) return step;
  step.entry[column] = reading.text(object, "entry");
  for (const Json& item : reading.array(object, "args")) {
    if (!reading.has_keys(item, {"what", "name", "value", "dtype"})) return step;
    step.arguments.push_back({one_of(reading, argument_kinds, reading.text(item, "what")),
                              reading.text(item, "name"),
                              expression_of(reading, reading.text(item, "value")),
                              dtype_of(reading, reading.text(item, "dtype"))});
  }
  step.grid = expressions(reading, reading.array(object, "grid"));
  step.block = expressions(reading, reading.array(object, "block"));
  if (step.grid.size() > 3 || step.block.size() > 3) reading.fail("more than three dimensions");
  step.shared = expression_of(reading, reading.text(object, "shared"));
  return step;
}

LoadRequest load_of(JsonReading& reading, const Json& object) {
  LoadRequest load;
  if (!reading.has_keys(object, {"type", "image", "column", "workspaces", "launch", "dtypes"})) {
    return load;
  }
  load.image = reading.text(object, "image");
  load.column = reading.text(object, "column");
  for (const Json& item : reading.array(object, "workspaces")) {
    if (!reading.has_keys(item, {"name", "bytes"})) return load;
    load.workspaces.push_back(
        {reading.text(item, "name"), expression_of(reading, reading.text(item, "bytes"))});
  }
  for (const Json& item : reading.array(object, "launch")) {
    load.launch.push_back(step_of(reading, item, load.column));
  }
  const Json& dtypes = reading.member(object, "dtypes");
  if (!dtypes.is_object()) reading.fail("an object is expected: dtypes");
  for (const auto& [tensor, dtype] : dtypes.items()) {
    load.dtypes[tensor] = dtype_of(reading, reading.string_of(dtype));
  }
  return load;
}

TensorHeader header_of(JsonReading& reading, const Json& object) {
  TensorHeader tensor;
  if (!reading.has_keys(object, {"name", "role", "dtype", "shape", "strides", "offset", "bytes"})) {
    return tensor;
  }
  tensor.name = reading.text(object, "name");
  tensor.role = one_of(reading, roles, reading.text(object, "role"));
  tensor.dtype = dtype_of(reading, reading.text(object, "dtype"));
  tensor.view.shape = integers(reading, reading.array(object, "shape"));
  tensor.view.strides = integers(reading, reading.array(object, "strides"));
  tensor.view.offset = static_cast<std::int64_t>(reading.hex(reading.member(object, "offset")));
  tensor.bytes = reading.hex(reading.member(object, "bytes"));
  if (tensor.view.shape.size() != tensor.view.strides.size()) {
    reading.fail("shape and strides differ in length: " + tensor.name);
  }
  return tensor;
}

void read_scalars(JsonReading& reading, const Json& object, RunRequest& run) {
  if (!reading.has_keys(object, {"axes", "attributes"})) return;
  const Json& axes = reading.member(object, "axes");
  if (!axes.is_object()) reading.fail("an object is expected: axes");
  for (const auto& [axis, size] : axes.items()) {
    run.axes[axis] = static_cast<std::int64_t>(reading.hex(size));
  }
  for (const Json& item : reading.array(object, "attributes")) {
    const bool is_integer = item.is_object() && item.contains("integer");
    if (!reading.has_keys(item, {"name", is_integer ? "integer" : "float"})) return;
    const std::string attribute = reading.text(item, "name");
    if (is_integer) {
      const auto bits = reading.hex(reading.member(item, "integer"));
      run.attributes[attribute] = static_cast<std::int64_t>(bits);
    } else {
      run.attributes[attribute] = reading.real(reading.member(item, "float"));
    }
  }
}

RunRequest run_of(JsonReading& reading, const Json& object) {
  RunRequest run;
  if (!reading.has_keys(object,
                        {"type", "job", "slot", "tensors", "scalars", "schedule", "repeat"})) {
    return run;
  }
  run.job = reading.hex(reading.member(object, "job"));
  run.slot = static_cast<int>(reading.number(object, "slot", 0, slots_max - 1));
  for (const Json& item : reading.array(object, "tensors")) {
    run.tensors.push_back(header_of(reading, item));
  }
  read_scalars(reading, reading.member(object, "scalars"), run);
  const Json& schedule = reading.member(object, "schedule");
  if (reading.has_keys(schedule, {"order", "key"})) {
    run.schedule.order = one_of(reading, orders, reading.text(schedule, "order"));
    run.schedule.key = reading.hex(reading.member(schedule, "key"));
  }
  run.repeat = static_cast<int>(reading.number(object, "repeat", 1, repeat_max));
  return run;
}

Finished finished_of(JsonReading& reading, const Json& object) {
  Finished done;
  if (!reading.has_keys(object, {"type", "job", "error", "text", "times", "device_lost"})) {
    return done;
  }
  done.job = reading.hex(reading.member(object, "job"));
  done.error = kind_of(reading, reading.text(object, "error"));
  done.text = reading.text(object, "text");
  const Json& times = reading.member(object, "times");
  if (reading.has_keys(times, {"kernel_us"})) {
    done.kernel_us = reading.real(reading.member(times, "kernel_us"));
  }
  done.device_lost = reading.boolean(object, "device_lost");
  return done;
}

Refused refused_of(JsonReading& reading, const Json& object) {
  if (!reading.has_keys(object, {"type", "kind", "text"})) return {};
  Refused refused{kind_of(reading, reading.text(object, "kind")), reading.text(object, "text")};
  if (refused.kind == Kind::pass) reading.fail("a refusal has a kind");
  return refused;
}

/// The value read, or a failure with the first problem.
template <class T>
Result<T> finish(const JsonReading& reading, T value) {
  if (reading.failed()) return machine_failure("bad message: " + reading.problem());
  return value;
}

Json open_message(JsonReading& reading, std::string_view text) {
  if (text.size() > message_bytes_max) {
    reading.fail("longer than 64 KiB");
    return {};
  }
  return reading.parse(text);
}

}  // namespace

Result<ToWorker> parse_to_worker(std::string_view text) {
  if (auto run = quick_run(text)) return ToWorker(std::move(*run));
  return parse_to_worker_strictly(text);
}

Result<FromWorker> parse_from_worker(std::string_view text) {
  if (const auto begun = quick_begun(text)) return FromWorker(*begun);
  if (auto done = quick_finished(text)) return FromWorker(std::move(*done));
  return parse_from_worker_strictly(text);
}

Result<ToWorker> parse_to_worker_strictly(std::string_view text) {
  JsonReading reading;
  const Json object = open_message(reading, text);
  const std::string type = reading.text(object, "type");
  if (type == "load") return finish<ToWorker>(reading, load_of(reading, object));
  if (type == "run") return finish<ToWorker>(reading, run_of(reading, object));
  if (type == "bye" && reading.has_keys(object, {"type"})) return ToWorker(Bye{});
  reading.fail("unknown type: " + type);
  return finish<ToWorker>(reading, Bye{});
}

Result<FromWorker> parse_from_worker_strictly(std::string_view text) {
  JsonReading reading;
  const Json object = open_message(reading, text);
  const std::string type = reading.text(object, "type");
  FromWorker message = Loaded{};
  if (type == "ready") {
    if (reading.has_keys(object, {"type", "facts"})) message = Ready{reading.text(object, "facts")};
  } else if (type == "loaded") {
    reading.has_keys(object, {"type"});
  } else if (type == "refused") {
    message = refused_of(reading, object);
  } else if (type == "begin") {
    if (reading.has_keys(object, {"type", "job"})) {
      message = Begun{reading.hex(reading.member(object, "job"))};
    }
  } else if (type == "done") {
    message = finished_of(reading, object);
  } else {
    reading.fail("unknown type: " + type);
  }
  return finish(reading, std::move(message));
}

Result<BuildRequest> parse_build_request(std::string_view text) {
  JsonReading reading;
  const Json object = reading.parse(text);
  BuildRequest request;
  if (reading.has_keys(object, {"source", "output", "dependencies", "defines", "entries",
                                "entries_are_kernels", "fast_math"})) {
    request.source = reading.text(object, "source");
    request.output = reading.text(object, "output");
    request.dependencies = reading.text(object, "dependencies");
    request.defines = texts(reading, reading.array(object, "defines"));
    request.entries = texts(reading, reading.array(object, "entries"));
    request.entries_are_kernels = reading.boolean(object, "entries_are_kernels");
    request.fast_math = reading.boolean(object, "fast_math");
  }
  return finish(reading, std::move(request));
}

Result<BuildReply> parse_build_reply(std::string_view text) {
  JsonReading reading;
  const Json object = reading.parse(text);
  BuildReply reply;
  if (reading.has_keys(object, {"kind", "text", "uses_shared_or_atomics"})) {
    reply.kind = kind_of(reading, reading.text(object, "kind"));
    reply.text = reading.text(object, "text");
    reply.uses_shared_or_atomics = reading.boolean(object, "uses_shared_or_atomics");
  }
  return finish(reading, std::move(reply));
}

}  // namespace gate
