// Messages to JSON.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/text.h"
#include "gate/worker/json_text.h"
#include "gate/worker/wire.h"

namespace gate {

namespace {

std::string cut(const std::string& text) { return clean_text(text, message_text_max); }

void add_integers(JsonText& json, const std::vector<std::int64_t>& values) {
  json.open('[');
  for (const std::int64_t value : values) json.hex(static_cast<std::uint64_t>(value));
  json.close(']');
}

void add_texts(JsonText& json, const std::vector<std::string>& values) {
  json.open('[');
  for (const std::string& value : values) json.text(value);
  json.close(']');
}

void add_expressions(JsonText& json, const std::vector<Expression>& values) {
  json.open('[');
  for (const Expression& value : values) json.text(value.text());
  json.close(']');
}

void add_step(JsonText& json, const LaunchStep& step, const std::string& column) {
  const auto entry = step.entry.find(column);
  json.open('{').key("entry").text(entry == step.entry.end() ? "" : entry->second);
  json.key("args").open('[');
  for (const LaunchArgument& argument : step.arguments) {
    json.open('{').key("what").text(name(argument.what)).key("name").text(argument.name);
    json.key("value").text(argument.value.text());
    json.key("dtype").text(facts(argument.dtype).name).close('}');
  }
  json.close(']').key("grid");
  add_expressions(json, step.grid);
  json.key("block");
  add_expressions(json, step.block);
  json.key("shared").text(step.shared.text()).close('}');
}

void add_header(JsonText& json, const TensorHeader& tensor) {
  json.open('{').key("name").text(tensor.name).key("role").text(name(tensor.role));
  json.key("dtype").text(facts(tensor.dtype).name).key("shape");
  add_integers(json, tensor.view.shape);
  json.key("strides");
  add_integers(json, tensor.view.strides);
  json.key("offset").hex(static_cast<std::uint64_t>(tensor.view.offset));
  json.key("bytes").hex(tensor.bytes).close('}');
}

void add_attribute(JsonText& json, const std::string& attribute, const Scalar& value) {
  json.open('{').key("name").text(attribute);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json.key("integer").hex(static_cast<std::uint64_t>(*integer));
  } else {
    json.key("float").real(std::get<double>(value));
  }
  json.close('}');
}

JsonText message(std::string_view type) {
  JsonText json;
  json.open('{').key("type").text(type);
  return json;
}

}  // namespace

std::string encode(const LoadRequest& load) {
  JsonText json = message("load");
  json.key("image").text(load.image).key("column").text(load.column).key("workspaces").open('[');
  for (const Workspace& workspace : load.workspaces) {
    json.open('{').key("name").text(workspace.name);
    json.key("bytes").text(workspace.bytes.text()).close('}');
  }
  json.close(']').key("launch").open('[');
  for (const LaunchStep& step : load.launch) add_step(json, step, load.column);
  json.close(']').key("dtypes").open('{');
  for (const auto& [tensor, dtype] : load.dtypes) json.key(tensor).text(facts(dtype).name);
  return json.close('}').close('}').take();
}

std::string encode(const RunRequest& run) {
  JsonText json = message("run");
  json.key("job").hex(run.job).key("slot").number(run.slot).key("tensors").open('[');
  for (const TensorHeader& tensor : run.tensors) add_header(json, tensor);
  json.close(']').key("scalars").open('{').key("axes").open('{');
  for (const auto& [axis, size] : run.axes) {
    json.key(axis).hex(static_cast<std::uint64_t>(size));
  }
  json.close('}').key("attributes").open('[');
  for (const auto& [attribute, value] : run.attributes) add_attribute(json, attribute, value);
  json.close(']').close('}').key("schedule").open('{');
  json.key("order").text(name(run.schedule.order)).key("key").hex(run.schedule.key).close('}');
  return json.key("repeat").number(run.repeat).close('}').take();
}

std::string encode(const Bye&) { return message("bye").close('}').take(); }

std::string encode(const Ready& ready) {
  return message("ready").key("facts").text(cut(ready.facts)).close('}').take();
}

std::string encode(const Loaded&) { return message("loaded").close('}').take(); }

std::string encode(const Refused& refused) {
  JsonText json = message("refused");
  json.key("kind").text(name(refused.kind)).key("text").text(cut(refused.text));
  return json.close('}').take();
}

std::string encode(const Begun& begun) {
  return message("begin").key("job").hex(begun.job).close('}').take();
}

std::string encode(const Finished& done) {
  JsonText json = message("done");
  json.key("job").hex(done.job).key("error").text(name(done.error));
  json.key("text").text(done.text.empty() ? std::string() : cut(done.text));
  json.key("times").open('{').key("kernel_us").real(done.kernel_us).close('}');
  return json.key("device_lost").boolean(done.device_lost).close('}').take();
}

std::string encode(const BuildRequest& request) {
  JsonText json;
  json.open('{').key("source").text(request.source).key("output").text(request.output);
  json.key("dependencies").text(request.dependencies).key("defines");
  add_texts(json, request.defines);
  json.key("entries");
  add_texts(json, request.entries);
  json.key("entries_are_kernels").boolean(request.entries_are_kernels);
  return json.key("fast_math").boolean(request.fast_math).close('}').take();
}

std::string encode(const BuildReply& reply) {
  JsonText json;
  json.open('{').key("kind").text(name(reply.kind)).key("text").text(cut(reply.text));
  json.key("uses_shared_or_atomics").boolean(reply.uses_shared_or_atomics);
  return json.close('}').take();
}

std::string_view name(Role role) {
  switch (role) {
    case Role::input:
      return "input";
    case Role::output:
      return "output";
    case Role::workspace:
      return "workspace";
    case Role::inout:
      return "inout";
  }
  return {};
}

std::string_view name(Schedule::Order order) {
  switch (order) {
    case Schedule::Order::ascending:
      return "ascending";
    case Schedule::Order::descending:
      return "descending";
    case Schedule::Order::shuffled:
      return "shuffled";
  }
  return {};
}

std::string_view name(LaunchArgument::What what) {
  switch (what) {
    case LaunchArgument::What::tensor:
      return "tensor";
    case LaunchArgument::What::workspace:
      return "workspace";
    case LaunchArgument::What::integer:
      return "integer";
    case LaunchArgument::What::attribute:
      return "attribute";
    case LaunchArgument::What::stream:
      return "stream";
  }
  return {};
}

}  // namespace gate
