// The `reference` device: loads a reference plug-in and answers jobs with value and envelope as f64
// tensors. It loads no kernel; plug-ins are the user's code and never run inside the gate.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <memory>
#include <utility>

#include "gate/base/runtime.h"
#include "gate/device/cpp_compiler.h"
#include "gate/device/device.h"
#include "gate/reference/decoded.h"
#include "gate/reference/plugin.h"

namespace gate {
namespace {

struct ReferenceState {
  PluginEntry entry = nullptr;
  std::vector<DeviceReply> ready;
};

DeviceReply refusal(Kind kind, std::string text) {
  DeviceReply reply;
  reply.error = kind;
  reply.text = std::move(text);
  return reply;
}

BuildReply build_plugin(const BuildRequest& request) {
  const std::filesystem::path runtime = runtime_folder();
  if (runtime.empty()) {
    return {Kind::environment, "no folder `runtime` beside the program: reference headers", false};
  }
  return compile_cpp(request, plugin_source(request.source),
                     {"-ffp-contract=off", "-I" + runtime.string()});
}

DeviceReply load_plugin(ReferenceState& state, const LoadRequest& request) {
  void* image = ::dlopen(request.image.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (image == nullptr) {
    const char* problem = ::dlerror();
    return refusal(Kind::build_failed, problem != nullptr ? problem : "cannot load the plug-in");
  }
  state.entry = reinterpret_cast<PluginEntry>(::dlsym(image, plugin_tracked_entry));
  if (state.entry == nullptr) return refusal(Kind::build_failed, "the image is no reference");
  return {};
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

const DeviceTensor* find(const DeviceJob& job, const std::string& name) {
  for (const DeviceTensor& tensor : job.tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

/// Writes one answer; answers are contiguous.
void answer_doubles(const DeviceTensor* to, const std::vector<double>& values) {
  if (to == nullptr) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    store(DType::f64, values[i], to->data + i * sizeof(double));
  }
}

std::string answer_integers(const DeviceJob& job, const ExpectedTensor& output) {
  const DeviceTensor* integers = find(job, PluginNames::integers(output.name));
  const DeviceTensor* also = find(job, PluginNames::also(output.name));
  if (integers == nullptr || also == nullptr) return {};
  for (std::size_t i = 0; i < output.integers.size(); ++i) {
    store_integer(DType::i64, output.integers[i], integers->data + i * 8);
    const auto others = output.also.find(static_cast<std::int64_t>(i));
    const std::size_t count = others == output.also.end() ? 0 : others->second.size();
    if (count > plugin_others_max)
      return "more than 4 other values at an element of " + output.name;
    for (std::size_t k = 0; k < plugin_others_max; ++k) {
      const std::int64_t other = k < count ? others->second[k] : no_other;
      store_integer(DType::i64, other, also->data + (i * plugin_others_max + k) * 8);
    }
  }
  return {};
}

void add_scalars(DecodedCall& call, const DeviceJob& job) {
  for (const auto& [name, value] : job.integers) {
    if (name.find('.') == std::string::npos) call.add_axis(name, value);
  }
  for (const auto& [name, value] : job.attributes) {
    if (name.find('.') != std::string::npos) continue;
    const bool is_integer = std::holds_alternative<std::int64_t>(value);
    if (is_integer && job.integers.contains(name)) continue;
    call.add_attribute(name, value, is_integer ? DType::i64 : DType::f64);
  }
}

/// The dtype a schema gave an output is told by its answers and its range.
void add_outputs(DecodedCall& call, const DeviceJob& job) {
  const std::string suffix = PluginNames::value("");
  for (const DeviceTensor& tensor : job.tensors) {
    if (tensor.role != Role::output || !ends_with(tensor.name, suffix)) continue;
    const std::string name = tensor.name.substr(0, tensor.name.size() - suffix.size());
    const bool is_integer = find(job, PluginNames::integers(name)) != nullptr;
    const auto largest = job.attributes.find(PluginNames::largest(name));
    const auto* limit =
        largest == job.attributes.end() ? nullptr : std::get_if<double>(&largest->second);
    call.add_output(name, is_integer ? DType::i64 : DType::f64, tensor.view.shape);
    if (limit != nullptr) call.limit_output(*limit);
  }
}

DeviceReply run_plugin(const ReferenceState& state, const DeviceJob& job) {
  DecodedCall call(read_arithmetic(job.attributes));
  for (const DeviceTensor& tensor : job.tensors) {
    if (tensor.role != Role::input) continue;
    call.add_input({tensor.name, tensor.dtype, tensor.view, tensor.data});
  }
  add_outputs(call, job);
  add_scalars(call, job);
  const std::string mistake = call.run(state.entry);
  if (!mistake.empty()) return refusal(Kind::crash, "reference: " + mistake);
  for (const ExpectedTensor& output : call.take_expected().outputs) {
    answer_doubles(find(job, PluginNames::value(output.name)), output.value);
    answer_doubles(find(job, PluginNames::envelope(output.name)), output.envelope);
    const DeviceTensor* free = find(job, PluginNames::free(output.name));
    for (std::size_t i = 0; free != nullptr && i < output.free.size(); ++i) {
      store_integer(DType::u8, output.free[i], free->data + i);
    }
    const std::string problem = answer_integers(job, output);
    if (!problem.empty()) return refusal(Kind::crash, "reference: " + problem);
  }
  return {};
}

void start_job(ReferenceState& state, const DeviceJob& job) {
  DeviceReply reply = run_plugin(state, job);
  reply.number = job.number;
  state.ready.push_back(std::move(reply));
}

}  // namespace

Device make_reference_device() {
  auto state = std::make_shared<ReferenceState>();
  Device device;
  device.build = build_plugin;
  device.build_identity = cpp_compiler_identity;
  device.open = [] { return DeviceReply{}; };
  device.facts = [] { return std::string("{\"device\": \"reference\"}"); };
  device.load = [state](const LoadRequest& request) { return load_plugin(*state, request); };
  device.start = [state](const DeviceJob& job) { start_job(*state, job); };
  device.finish = [state](bool) { return std::exchange(state->ready, {}); };
  return device;
}

}  // namespace gate
