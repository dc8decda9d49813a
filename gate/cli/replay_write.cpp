// gate replay --write: the tensors of a finding as .npy files.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/files.h"
#include "gate/cli/npy.h"
#include "gate/cli/replay_files.h"
#include "gate/cli/report_files.h"

namespace gate {
namespace {

class Writer {
 public:
  explicit Writer(const std::filesystem::path& folder) : folder_(folder) {}

  void write(const std::string& name, const std::string& text) {
    const Result<Done> written = write_output("--write", folder_ / name, text);
    if (!written && !failure_) failure_ = written.failure();
  }
  Result<Done> finish() const {
    if (failure_) return *failure_;
    return Done{};
  }

 private:
  std::filesystem::path folder_;
  std::optional<Failure> failure_;
};

void write_expected(Writer& writer, const Material& material) {
  for (const ExpectedTensor& want : material.expected.outputs) {
    const Tensor* tensor = find_tensor(material.inputs, want.name);
    if (tensor == nullptr) continue;
    const std::vector<std::int64_t>& shape = tensor->view.shape;
    if (!facts(tensor->dtype).is_float) {
      writer.write(want.name + ".expected.npy", to_npy(want.integers, shape));
      continue;
    }
    writer.write(want.name + ".expected.npy", to_npy(want.value, shape));
    writer.write(want.name + ".envelope.npy", to_npy(want.envelope, shape));
  }
  for (const AcceptedOutput& output : material.outputs) {
    const Tensor* tensor = find_tensor(material.inputs, output.name);
    if (!facts(tensor->dtype).is_float) continue;
    std::vector<double> limits;
    for (const Acceptance& element : output.elements) limits.push_back(element.limit);
    writer.write(output.name + ".limit.npy", to_npy(limits, tensor->view.shape));
  }
}

}  // namespace

Result<Done> write_tensors(const std::filesystem::path& folder, const Seed& seed,
                           const Material& material) {
  Writer writer(folder);
  for (const Tensor& tensor : material.inputs.tensors) {
    const bool is_input = tensor.role == Role::input || tensor.role == Role::inout;
    if (is_input) writer.write(tensor.name + ".npy", to_npy(tensor));
  }
  write_expected(writer, material);
  for (const Tensor& tensor : material.outcome.after) {
    const bool is_output = tensor.role == Role::output || tensor.role == Role::inout;
    if (is_output) writer.write(tensor.name + ".got.npy", to_npy(tensor));
  }
  writer.write("seed.toml", to_toml(seed));
  return writer.finish();
}

}  // namespace gate
