// The gate's side of building: key, look-up, the builder process, storing.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/builder.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <regex>
#include <set>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/worker/build_cache.h"
#include "gate/worker/build_time.h"
#include "gate/worker/depfile.h"
#include "gate/worker/pool.h"
#include "gate/worker/wire.h"
#include "gate/worker/worker_process.h"

namespace gate {

namespace {

constexpr std::string_view key_version = "gate build 1";

BuiltImage not_built(Kind kind, std::string text) { return {kind, std::move(text), {}, false, {}}; }

/// What a compiler needs of our environment, and nothing that changes what it makes.
ProcessOptions builder_options() {
  ProcessOptions options = compiler_options(build_ms_max);
  options.environment = {{"LANG", "C.UTF-8"}};
  for (const char* name :
       {"PATH", "HOME", "TMPDIR", "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"}) {
    if (const char* value = std::getenv(name)) options.environment.emplace_back(name, value);
  }
  return options;
}

std::vector<std::string> command(const std::string& device, const char* mode) {
  return {find_worker_program().string(), "--device", device, mode};
}

/// Compiler and architecture, as the device names them; asked once per process and device.
std::string build_identity(const std::string& device) {
  static std::mutex guard;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(guard);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  const auto ended = run_process(command(device, "--identity"), builder_options());
  if (!ended || ended->exit_code != 0) return "unknown";  // asked again: it may come up later
  return known[device] = ended->output;
}

std::string key_of(const std::string& device, const BuildRequest& request) {
  std::vector<std::string> parts = {std::string(key_version), device,
                                    request.source,           file_identity(request.source),
                                    build_identity(device),   stat_identity(find_worker_program())};
  parts.push_back(request.entries_are_kernels ? "kernels" : "launchers");
  parts.push_back(request.fast_math ? "fast" : "exact");
  parts.push_back("defines");
  parts.insert(parts.end(), request.defines.begin(), request.defines.end());
  parts.push_back("entries");
  parts.insert(parts.end(), request.entries.begin(), request.entries.end());
  return join(parts, std::string_view("\0", 1));
}

Result<BuildReply> run_builder(const std::string& device, const BuildRequest& request) {
  ProcessOptions options = builder_options();
  options.input = encode(request);
  const auto ended = run_process(command(device, "--build"), options);
  if (!ended) return ended.failure();
  if (ended->timed_out) return out_of_time(*ended, "the build", build_ms_max);
  auto reply = parse_build_reply(trim(ended->output));
  if (reply) return reply;
  const std::string why = ended->signal != 0 ? "signal " + std::to_string(ended->signal)
                                             : "exit code " + std::to_string(ended->exit_code);
  return machine_failure("the builder ended with " + why + ": " +
                         clean_text(trim(ended->errors), message_text_max));
}

/// A compiler's message without names that differ from run to run: reports are compared.
std::string stable_text(std::string text, const std::string& output) {
  for (std::size_t at = 0; (at = text.find(output, at)) != std::string::npos;) {
    text.replace(at, output.size(), "build");
  }
  static const std::regex object_file(R"([^\s:]*/cc[A-Za-z0-9]{6}(\.\w+)+)");
  return std::regex_replace(text, object_file, "object");
}

BuiltImage build_and_store(const std::string& device, BuildRequest& request, const std::string& key,
                           BuildCache& cache) {
  const auto file = cache.new_file(key);
  if (!file) return not_built(Kind::environment, to_text(file.failure()));
  request.output = file->string();
  request.dependencies = file->string() + ".d";
  const auto reply = run_builder(device, request);
  const auto depfile = read_file(request.dependencies);
  std::error_code error;
  std::filesystem::remove(request.dependencies, error);
  if (!reply || reply->kind != Kind::pass) {
    std::filesystem::remove(*file, error);
    if (!reply) return not_built(Kind::environment, reply.failure().problems.front().text);
    return not_built(reply->kind, stable_text(reply->text, request.output));
  }
  std::vector<std::string> files = parse_depfile(depfile ? *depfile : std::string());
  // The generated file around the source is gone, and the key holds what it was made of.
  std::erase_if(files, [&](const std::string& name) { return name.starts_with(request.output); });
  const auto stored = cache.store(key, *file, files, reply->uses_shared_or_atomics);
  if (!stored) return not_built(Kind::environment, to_text(stored.failure()));
  return {Kind::pass, reply->text, stored->image, stored->uses_shared_or_atomics, stored->files};
}

std::vector<std::string> entries_of(const KernelSpec& kernel, const std::string& column) {
  std::set<std::string> names;
  for (const LaunchStep& step : kernel.launch) {
    if (const auto own = step.entry.find(column); own != step.entry.end()) {
      names.insert(own->second);
    } else if (const auto shared = kernel.entry.find(column); shared != kernel.entry.end()) {
      names.insert(shared->second);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

BuiltImage build_image(const std::string& device, BuildRequest request) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(request.source, error)) {
    return not_built(Kind::build_failed, "cannot read the source: " + request.source);
  }
  BuildCache cache(cache_folder());
  const std::string key = key_of(device, request);
  if (const auto cached = cache.find(key)) {
    return {Kind::pass, {}, cached->image, cached->uses_shared_or_atomics, cached->files};
  }
  return build_and_store(device, request, key, cache);
}

void prepare_builder(const std::string& device) { build_identity(device); }

BuildRequest build_request(const OpSchema& op, const KernelSpec& kernel,
                           const std::string& column) {
  BuildRequest request;
  request.source = kernel.source.string();
  if (const auto defines = kernel.defines.find(column); defines != kernel.defines.end()) {
    request.defines = defines->second;
  }
  request.entries = entries_of(kernel, column);
  request.entries_are_kernels = !kernel.launch.empty() && !kernel.launch.front().grid.empty();
  request.fast_math = op.contract.fast_math;
  return request;
}

BuildOutcome build_kernel(const OpSchema& op, const KernelSpec& kernel, const std::string& column,
                          const std::string& device) {
  const BuiltImage built = build_image(device, build_request(op, kernel, column));
  BuildOutcome outcome;
  outcome.kind = built.kind;
  outcome.text = built.text;
  outcome.image.device = device;
  outcome.image.path = built.path;
  outcome.image.kernel = kernel;
  outcome.image.column = column;
  if (const auto dtypes = op.dtypes.find(column); dtypes != op.dtypes.end()) {
    outcome.image.dtypes = dtypes->second;
  }
  outcome.image.uses_shared_or_atomics = built.uses_shared_or_atomics;
  return outcome;
}

}  // namespace gate
