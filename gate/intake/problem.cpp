// Reading a KernelBench problem: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/intake/names.h"
#include "gate/spec/read.h"
#include "gate/spec/words.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

constexpr std::int64_t description_bytes = 60'000;
constexpr std::int64_t description_ms = 120'000;  // PyTorch is slow to import
constexpr std::int64_t axis_max = 4096;
constexpr std::int64_t fixed_max = 256;  // [fixed_shape]: the problem's own size where smaller

/// Something to load for the worker: no inputs, one output that takes the description.
KernelSpec describing_kernel(const std::filesystem::path& file) {
  KernelSpec kernel;
  kernel.name = "problem";
  kernel.source = std::filesystem::absolute(file);
  kernel.file = kernel.source;
  LaunchStep step;
  kernel.entry["text"] = step.entry["text"] = describe_entry;
  kernel.launch.push_back(step);
  return kernel;
}

/// The line of a syntax error in Python's words: File "…", line 12.
int line_in(const std::string& text) {
  constexpr std::string_view mark = "\", line ";
  const std::size_t at = text.rfind(mark);  // earlier ones are of the checking program
  if (at == std::string::npos) return 0;
  const std::size_t begin = at + mark.size();
  const auto line = parse_integer(text.substr(begin, text.find_first_of(",\n", begin) - begin));
  return static_cast<int>(line.value_or(0));
}

Result<nlohmann::json> described(const std::filesystem::path& file) {
  const std::string shown = shown_path(file).string();
  OpSchema op;
  op.columns = {"text"};
  const KernelSpec kernel = describing_kernel(file);
  const BuildOutcome built = build_kernel(op, kernel, "text", "python");
  if (built.kind == Kind::build_failed) {
    const std::string last(trim(built.text).substr(trim(built.text).rfind('\n') + 1));
    return user_failure("not valid Python: " + last, "", {shown, line_in(built.text), 0});
  }
  if (built.kind != Kind::pass) return machine_failure(shown + ": " + built.text);
  SessionOptions options;
  options.case_timeout_ms = description_ms;
  options.slots = 1;
  Session session(built.image, options);
  Job job;
  job.inputs.tensors.push_back(
      make_tensor("text", Role::output, DType::u8, contiguous_view({description_bytes})));
  const Outcome outcome = session.run(job);
  if (outcome.end != Kind::pass) {
    return user_failure(clean_text(outcome.text.substr(0, outcome.text.find('\n')), 300),
                        "the file must run by itself", {shown, 0, 0});
  }
  std::string text;
  for (const Tensor& tensor : outcome.after) {
    for (std::int64_t i = 0; tensor.name == "text" && i < tensor.elements(); ++i) {
      text += static_cast<char>(tensor.integer_at(i));
    }
  }
  auto json = nlohmann::json::parse(text.c_str(), nullptr, false);
  if (!json.is_object()) return machine_failure(shown + ": the Python worker gave no description");
  return json;
}

std::string our_dtype(const std::string& theirs) {
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"float64", "f64"},   {"float32", "f32"}, {"float16", "f16"},
      {"bfloat16", "bf16"}, {"int64", "i64"},   {"int32", "i32"},
      {"int8", "i8"},       {"uint8", "u8"},    {"bool", "bool"}};
  for (const auto& [name, ours] : names) {
    if (name == theirs) return ours;
  }
  return {};
}

class ProblemDraft {
 public:
  ProblemDraft(const std::filesystem::path& file, const nlohmann::json& json)
      : file_(file), json_(json) {}

  Result<ProblemReading> run() {
    OpDraft& op = reading_.op;
    op.name = join(words_of(file_.stem().string()), "_");
    if (!is_identifier(op.name)) op.name = "problem_" + op.name;
    op.summary = "imported from " + file_.filename().string();
    axes();
    for (const char* part : {"inputs", "weights"}) {
      for (const auto& row : json_[part]) add(row, op.inputs);
    }
    for (const auto& row : json_["inputs"]) reading_.inputs.push_back(row["name"]);
    for (const auto& row : json_["outputs"]) add(row, op.outputs);
    if (failure_) return *failure_;
    column();
    return std::move(reading_);
  }

 private:
  void axes() {
    std::vector<std::string> told, kept;
    for (const auto& axis : json_["axes"]) {
      const std::int64_t value = axis["value"];
      const std::string name = axis["name"];
      const std::int64_t step = json_["step"];
      const std::int64_t fixed = value <= fixed_max ? value : (fixed_max / step) * step;
      reading_.op.axes.push_back({name, 1, std::max(axis_max, fixed), fixed});
      if (step > 1) reading_.op.constraints.push_back(fmt::format("{} % {} == 0", name, step));
      told.push_back(fmt::format("{} = {} (line {})", name, value, axis["line"].get<int>()));
    }
    for (const auto& one : json_["fixed"]) {
      kept.push_back(fmt::format("{} = {} (line {})", one["name"].get<std::string>(),
                                 one["value"].get<std::int64_t>(), one["line"].get<int>()));
    }
    reading_.told.push_back("axes         " + join(told, ", "));
    if (!kept.empty()) reading_.told.push_back("kept         " + join(kept, ", "));
    if (json_["step"] > 1) {
      reading_.told.push_back(
          fmt::format("             sizes that are no multiple of {} were refused",
                      json_["step"].get<std::int64_t>()));
    }
  }

  void add(const nlohmann::json& row, std::vector<TensorDraft>& tensors) {
    TensorDraft tensor;
    tensor.name = row["name"];
    tensor.shape = row["shape"].get<std::vector<std::string>>();
    const std::string theirs = row["dtype"], ours = our_dtype(theirs);
    if (ours.empty() && !failure_) {
      failure_ = user_failure("no device here computes with " + theirs + ": " + tensor.name, "",
                              {shown_path(file_).string(), json_["line"], 0});
    }
    tensor.integer = !ours.starts_with("f") && !ours.starts_with("bf");
    tensor.below = row["below"];
    if (tensor.integer && tensor.below.empty() && ours != "bool" && !reading_.op.axes.empty()) {
      tensor.below = reading_.op.axes.front().name;
    }
    if (row["layout"] == "transposed") tensor.layout = "transposed";
    reading_.told.push_back(fmt::format("{:<12} [{}] {}{}", tensor.name, join(tensor.shape, ", "),
                                        ours, tensor.layout.empty() ? "" : ", transposed"));
    dtypes_.emplace_back(tensor.name, ours);
    tensors.push_back(std::move(tensor));
  }

  void column() {
    std::string name;
    for (const auto& [tensor, dtype] : dtypes_) {
      if (name.empty() && dtype.find('f') != std::string::npos) name = dtype;
    }
    if (name.empty()) name = dtypes_.front().second;
    reading_.op.columns = {name};
    reading_.op.dtypes = {dtypes_};
  }

  const std::filesystem::path& file_;
  const nlohmann::json& json_;
  ProblemReading reading_;
  std::vector<std::pair<std::string, std::string>> dtypes_;
  std::optional<Failure> failure_;
};

}  // namespace

bool is_problem(const SourceReading& source) {
  if (!source.python) return false;
  bool inputs = false, model = false;
  for (const SourceFunction& function : source.functions) {
    inputs = inputs || function.name == "get_inputs";
    if (function.what == SourceFunction::What::module) {
      if (function.name == "ModelNew") return false;
      model = true;
    }
  }
  return model || inputs;
}

Result<ProblemReading> read_problem(const std::filesystem::path& file) {
  const Result<nlohmann::json> json = described(file);
  if (!json) return json.failure();
  if (json->contains("missing")) {
    ProblemReading reading;
    reading.missing = (*json)["missing"];
    return reading;
  }
  if (json->contains("error")) {
    return user_failure((*json)["error"].get<std::string>(), (*json)["hint"].get<std::string>(),
                        {shown_path(file).string(), (*json)["line"].get<int>(), 0});
  }
  return ProblemDraft(file, *json).run();
}

}  // namespace gate
