// gate-worker: runs kernels for the gate, or builds an image, or tells what its device is. The only
// program that foreign code runs in.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#ifdef GATE_HAVE_CUDA_HEADERS
#include "gate/device/cuda/tools.h"
#endif
#include "gate/device/device.h"
#include "gate/device/program.h"
#include "gate/device/sandbox.h"
#include "gate/device/sanitizer.h"
#include "gate/device/serve.h"
#include "gate/worker/wire.h"

namespace gate {
namespace {

constexpr int exit_fine = 0;
constexpr int exit_usage = 2;
constexpr int exit_no_device = 3;
constexpr int exit_orphan = 4;

struct DeviceRow {
  std::string_view name;
  Device (*make)();
};
constexpr std::array devices = {
    DeviceRow{"host", make_host_device},           DeviceRow{"emu", make_emu_device},
    DeviceRow{"reference", make_reference_device}, DeviceRow{"python", make_python_device},
#ifdef GATE_HAVE_CUDA_HEADERS
    DeviceRow{"cuda", make_cuda_device},
#endif
};

struct Arguments {
  std::string device;
  std::string mode = "serve";
  int control = -1, memory = -1, slots = 1, parent = -1;
  SanitizerCall sanitizer;  // its tool is empty: without
};

/// Where a flag's text goes, or null.
std::string* text_flag(Arguments& result, std::string_view word) {
  if (word == "--device") return &result.device;
  if (word == "--sanitizer") return &result.sanitizer.tool;
  if (word == "--sanitizer-log") return &result.sanitizer.log;
  return nullptr;
}

/// Nothing for arguments that are not ours.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments result;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--build" || word == "--facts" || word == "--identity" || word == "--tools") {
      result.mode = word.substr(2);
      continue;
    }
    if (i + 1 == argc) return {};
    const std::string_view value = argv[++i];
    if (std::string* text = text_flag(result, word)) {
      *text = value;
      continue;
    }
    const auto number = parse_integer(value);
    if (!number || *number < 0 || *number > 0x7FFFFFFF) return {};
    if (word == "--control") {
      result.control = static_cast<int>(*number);
    } else if (word == "--memory") {
      result.memory = static_cast<int>(*number);
    } else if (word == "--slots") {
      result.slots = static_cast<int>(*number);
    } else if (word == "--parent") {
      result.parent = static_cast<int>(*number);
    } else {
      return {};
    }
  }
  return result;
}

std::optional<Device> device_named(std::string_view name) {
  for (const DeviceRow& row : devices) {
    if (row.name == name) return row.make();
  }
  return {};
}

std::string absent(const std::string& name) {
  return "this gate-worker was built without the device: " + name;
}

int print_facts(const Arguments& arguments) {
  auto device = device_named(arguments.device);
  DeviceReply problem;
  if (!device) {
    problem = {0, Kind::environment, absent(arguments.device), 0, false};
  } else {
    problem = device->open();
  }
  if (problem.error != Kind::pass) {
    std::cerr << problem.text << '\n';
    return exit_no_device;
  }
  std::cout << device->facts() << '\n';
  return exit_fine;
}

int print_tools() {
#ifdef GATE_HAVE_CUDA_HEADERS
  std::cout << cuda_tools() << '\n';
  return exit_fine;
#else
  std::cerr << absent("cuda") << '\n';
  return exit_no_device;
#endif
}

int print_identity(const Arguments& arguments) {
  auto device = device_named(arguments.device);
  if (!device) return exit_no_device;
  std::cout << (device->build_identity ? device->build_identity() : std::string());
  return exit_fine;
}

/// A request on stdin, a reply on stdout.
int build(const Arguments& arguments) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const auto request = parse_build_request(text);
  BuildReply reply;
  if (!request) {
    reply = {Kind::environment, to_text(request.failure()), false};
  } else if (auto device = device_named(arguments.device)) {
    reply = device->build(*request);
  } else {
    reply = {Kind::environment, absent(arguments.device), false};
  }
  std::cout << encode(reply) << '\n';
  return exit_fine;
}

int serve_jobs(const Arguments& arguments) {
  if (!tie_to_parent(arguments.parent)) return exit_orphan;
  if (!arguments.sanitizer.tool.empty()) {
    const auto text = [](int number) { return std::to_string(number); };
    refuse(arguments.control, Kind::environment,
           become_sanitized(
               arguments.sanitizer,
               {"--device", arguments.device, "--control", text(arguments.control), "--memory",
                text(arguments.memory), "--slots", text(arguments.slots), "--parent", "0"}));
    return exit_no_device;
  }
  auto device = device_named(arguments.device);
  if (!device) {
    refuse(arguments.control, Kind::environment, absent(arguments.device));
    return exit_no_device;
  }
  const DeviceReply opened = device->open();
  if (opened.error != Kind::pass) {
    refuse(arguments.control, opened.error, opened.text);
    return exit_no_device;
  }
  if (device->program) {
    refuse(
        arguments.control, Kind::environment,
        become_program(device->program(), {arguments.control, arguments.memory, arguments.slots}));
    return exit_no_device;
  }
  const std::string sandbox = enter_sandbox({});
  return serve(*device, {arguments.control, arguments.memory, arguments.slots, sandbox});
}

}  // namespace
}  // namespace gate

int main(int argc, char** argv) {
  const auto arguments = gate::parse(argc, argv);
  if (!arguments || arguments->device.empty()) {
    std::cerr << "gate-worker is started by gate. By hand: gate-worker --device D --facts\n";
    return gate::exit_usage;
  }
  if (arguments->mode == "build") return gate::build(*arguments);
  if (arguments->mode == "facts") return gate::print_facts(*arguments);
  if (arguments->mode == "tools") return gate::print_tools();
  if (arguments->mode == "identity") return gate::print_identity(*arguments);
  if (arguments->control < 0 || arguments->memory < 0) return gate::exit_usage;
  const int code = gate::serve_jobs(*arguments);
  // Destructors and exit handlers of loaded images are foreign code: not run.
  std::fflush(nullptr);
  _exit(code);
}
