// The C boundary of the in-process check: what <gate/testing.h> calls.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <memory>

#include "gate/testing/launcher_check.h"

// The functions as the header declares them, without its GoogleTest.
#pragma GCC visibility push(default)
extern "C" {
struct gate_call {
  gate::LauncherCall* call;
};
struct gate_report {
  gate::LauncherReport report;
};
struct gate_check_request {
  const char *runtime, *op, *column, *name, *run_seed, *replay;
  std::int64_t cases;
  int contiguous;
  void (*launch)(void* self, gate_call* call);
  void* self;
};

gate_report* gate_check(const gate_check_request* request) {
  auto result = std::make_unique<gate_report>();
  try {
    gate::LauncherCheck check;
    check.runtime = request->runtime;
    check.op = request->op;
    check.column = request->column;
    check.name = request->name;
    check.run_seed = request->run_seed;
    if (request->replay != nullptr) check.replay = request->replay;
    check.cases = request->cases;
    check.contiguous = request->contiguous != 0;
    check.launch = [&](gate::LauncherCall& call) {
      gate_call handle{&call};
      request->launch(request->self, &handle);
    };
    result->report = gate::check_launcher(check);
  } catch (const std::exception& error) {
    result->report = {false, std::string("the gate's own mistake: ") + error.what()};
  }
  return result.release();
}

int gate_report_holds(const gate_report* report) { return report->report.holds; }
const char* gate_report_text(const gate_report* report) { return report->report.text.c_str(); }
void gate_report_free(gate_report* report) { delete report; }

void* gate_call_data(const gate_call* call, const char* tensor) {
  const auto found = call->call->first.find(tensor);
  return found == call->call->first.end() ? nullptr : found->second;
}

int gate_call_stride(const gate_call* call, const char* tensor, int dimension, std::int64_t* to) {
  const gate::Tensor* found = gate::find_tensor(*call->call->inputs, tensor);
  if (found == nullptr || dimension < 0 ||
      static_cast<std::size_t>(dimension) >= found->view.strides.size()) {
    return 0;
  }
  *to = found->view.strides[static_cast<std::size_t>(dimension)];
  return 1;
}

int gate_call_axis(const gate_call* call, const char* axis, std::int64_t* to) {
  const auto& axes = call->call->inputs->axes;
  const auto found = axes.find(axis);
  if (found == axes.end()) return 0;
  *to = found->second;
  return 1;
}

int gate_call_attribute(const gate_call* call, const char* attribute, double* to) {
  const auto& attributes = call->call->inputs->attributes;
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return 0;
  const auto* integer = std::get_if<std::int64_t>(&found->second);
  *to = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(found->second);
  return 1;
}

void gate_call_fail(gate_call* call, const char* text) { call->call->failure = text; }
}
#pragma GCC visibility pop
