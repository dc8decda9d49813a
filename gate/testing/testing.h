// Property tests of kernels inside of your own GoogleTest program, with the gate's op schemas,
// references, tolerances, shrinking and seeds. Installed as <gate/testing.h>; see
// find_package(gate).
// SPDX-License-Identifier: Apache-2.0
//
//   TEST(Softmax, launcher) {
//     gate::testing::Check check;
//     check.op = "softmax";
//     check.launcher = [](const gate::testing::Call& call) {
//       softmax(call.data<float>("x"), call.data<float>("y"), call.axis("rows"),
//               call.axis("cols"), call.stride("x", 0), call.stride("y", 0));
//     };
//     EXPECT_TRUE(gate::testing::holds(check));
//   }
//   TEST(Softmax, kernel) {
//     EXPECT_TRUE(gate::testing::kernel_is_clean("kernels/softmax/kernels/my_softmax.toml"));
//   }
//
// A launcher runs inside of the test program, on the CPU's memory: it is NOT sandboxed, what it
// crashes is the test, and no verdict of it should gate anything. kernel_is_clean runs
// the installed gate with its workers and sandbox.
#pragma once

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>

extern "C" {
struct gate_call;
struct gate_report;
struct gate_check_request {
  const char* runtime;  // the installed ops and tolerances
  const char* op;
  const char* column;
  const char* name;      // of the launcher, in seeds
  const char* run_seed;  // hex, or empty: the same always
  const char* replay;    // a token: this one case; or null
  std::int64_t cases;
  int contiguous;  // only contiguous tensors
  void (*launch)(void* self, gate_call* call);
  void* self;
};
/// Never null; freed by gate_report_free.
gate_report* gate_check(const gate_check_request* request);
int gate_report_holds(const gate_report* report);
const char* gate_report_text(const gate_report* report);
void gate_report_free(gate_report* report);
void* gate_call_data(const gate_call* call, const char* tensor);  // null: unknown
int gate_call_stride(const gate_call* call, const char* tensor, int dimension, std::int64_t* to);
int gate_call_axis(const gate_call* call, const char* axis, std::int64_t* to);  // 0: unknown
int gate_call_attribute(const gate_call* call, const char* attribute, double* to);
/// The launcher could not run: its words.
void gate_call_fail(gate_call* call, const char* text);
}

namespace gate::testing {

/// One case as the launcher sees it. Names are the op's; an unknown one ends the program, which
/// could not go on without it.
class Call {
 public:
  explicit Call(gate_call* call) : call_(call) {}

  /// The first element; strides count elements.
  template <class T>
  T* data(const std::string& tensor) const {
    void* found = gate_call_data(call_, tensor.c_str());
    if (found == nullptr) stop("tensor " + tensor);
    return static_cast<T*>(found);
  }
  std::int64_t stride(const std::string& tensor, int dimension) const {
    std::int64_t value = 0;
    if (gate_call_stride(call_, tensor.c_str(), dimension, &value) == 0) {
      stop("stride " + std::to_string(dimension) + " of " + tensor);
    }
    return value;
  }
  std::int64_t axis(const std::string& name) const {
    std::int64_t value = 0;
    if (gate_call_axis(call_, name.c_str(), &value) == 0) {
      stop("axis " + name);
    }
    return value;
  }
  double attribute(const std::string& name) const {
    double value = 0;
    if (gate_call_attribute(call_, name.c_str(), &value) == 0) {
      stop("attribute " + name);
    }
    return value;
  }

 private:
  [[noreturn]] static void stop(const std::string& what) {
    ::fprintf(stderr, "gate: the launcher asks for what the op does not have: %s\n", what.c_str());
    ::abort();
  }

  gate_call* call_;
};

struct Check {
  std::string op;              // a bundled one: `gate list` names them
  std::string column = "f32";  // dtypes of its tensors, as in the op's op.toml
  std::string name = "launcher";
  std::function<void(const Call&)> launcher;
  std::int64_t cases = 96;
  bool contiguous = false;  // the launcher takes no strides
  std::string run_seed;     // hex; empty: the same cases always
};

inline ::testing::AssertionResult holds(const Check& check) {
  gate_check_request request{};
  request.runtime = GATE_PACKAGE_RUNTIME;
  request.op = check.op.c_str();
  request.column = check.column.c_str();
  request.name = check.name.c_str();
  request.run_seed = check.run_seed.c_str();
  request.replay = ::getenv("GATE_REPLAY");
  request.cases = check.cases;
  request.contiguous = check.contiguous ? 1 : 0;
  request.self = const_cast<Check*>(&check);
  request.launch = [](void* self, gate_call* call) {
    try {
      static_cast<const Check*>(self)->launcher(Call(call));
    } catch (const std::exception& error) {
      gate_call_fail(call, error.what());
    } catch (...) {
      gate_call_fail(call, "an exception of an unknown type");
    }
  };
  gate_report* report = gate_check(&request);
  const bool fine = gate_report_holds(report) != 0;
  const std::string text = gate_report_text(report);
  gate_report_free(report);
  return (fine ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << text;
}

/// `gate run TOML FLAGS` of the installed gate: exit code 0, or its words.
inline ::testing::AssertionResult kernel_is_clean(const std::string& toml,
                                                  const std::string& flags = {}) {
  std::string quoted;
  for (const char letter : toml)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  const std::string command = std::string("'") + GATE_PACKAGE_PROGRAM + "' run '" + quoted +
                              "' --colour never " + flags + " 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return ::testing::AssertionFailure() << "cannot start " << command;
  std::string said;
  char buffer[4096];
  for (size_t count; (count = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    said.append(buffer, count);
  }
  const int status = ::pclose(pipe);
  if (status == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << said;
}

}  // namespace gate::testing
