// Solutions, workloads and traces of flashinfer-bench: see definition.h.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/intake/definition.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

class SolutionReader {
 public:
  explicit SolutionReader(const JsonSource& source)
      : problems_(source.file), fields_(source, problems_) {}

  Result<Solution> run() {
    solution_.name = fields_.text({"name"}, "the solution's name");
    solution_.definition = fields_.text({"definition"}, "the name of the definition it solves");
    const auto* author = fields_.find({"author"});
    if (author != nullptr && author->is_string()) solution_.author = author->get<std::string>();
    if (!solution_.name.empty() && !is_file_stem(solution_.name)) {
      fields_.problem({"name"}, "name must be letters, digits, _, - and .");
    }
    if (fields_.object({"spec"}, "language, entry_point …") != nullptr) spec();
    sources();
    if (!problems_.empty()) return problems_.failure();
    return std::move(solution_);
  }

 private:
  void spec() {
    const JsonPath language = {"spec", "language"}, point = {"spec", "entry_point"};
    const std::vector<std::string> known = {"python", "triton", "cuda", "cpp"};
    solution_.language = fields_.text(language, "python, triton, cuda or cpp");
    if (!solution_.language.empty() &&
        std::find(known.begin(), known.end(), solution_.language) == known.end()) {
      fields_.problem(language, "no device here runs \"" + solution_.language + "\"",
                      word_hint(solution_.language, known));
    }
    const std::string entry = fields_.text(point, "\"main.py::run\"");
    const std::size_t colons = entry.find("::");
    if (!entry.empty() && (colons == std::string::npos || colons + 2 == entry.size())) {
      fields_.problem(point, "entry_point names no function: \"" + entry + "\"", "main.py::run");
    } else if (!entry.empty()) {
      solution_.entry_file = entry.substr(0, colons);
      solution_.symbol = entry.substr(colons + 2);
    }
    const auto* passing = fields_.find({"spec", "destination_passing_style"});
    solution_.returns = passing != nullptr && passing->is_boolean() && !passing->get<bool>();
  }

  void sources() {
    const auto* list = fields_.array({"sources"}, R"([{"path": "main.py", "content": "…"}])");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const std::string at = std::to_string(i);
      const std::string path = fields_.text({"sources", at, "path"}, "a file name");
      const std::string text = fields_.text({"sources", at, "content"}, "the file's text");
      if (path.empty()) continue;
      const bool again = std::any_of(solution_.files.begin(), solution_.files.end(),
                                     [&](const auto& file) { return file.first == path; });
      if (std::filesystem::path(path).filename() != path || path == "..") {
        fields_.problem({"sources", at, "path"}, "\"" + path + "\" is not a plain file name",
                        "sources stand beside each other");
      } else if (again) {
        fields_.problem({"sources", at, "path"}, "there are two sources \"" + path + "\"");
      }
      solution_.files.emplace_back(path, text);
    }
    const bool there =
        std::any_of(solution_.files.begin(), solution_.files.end(),
                    [&](const auto& file) { return file.first == solution_.entry_file; });
    if (list != nullptr && !solution_.entry_file.empty() && !there) {
      fields_.problem({"spec", "entry_point"},
                      "there is no source \"" + solution_.entry_file + "\"");
    }
  }

  Problems problems_;
  JsonFields fields_;
  Solution solution_;
};

}  // namespace

Result<Solution> read_solution(const JsonSource& source) { return SolutionReader(source).run(); }

Result<Workload> read_workload(const JsonSource& source) {
  Problems problems(source.file);
  JsonFields fields(source, problems);
  Workload workload;
  workload.source = source;
  JsonPath root;
  if (kind_of(source.value) == Imported::trace) {
    root = {"workload"};
    workload.definition = fields.text({"definition"}, "the name of the definition");
  }
  const auto at = [&](std::initializer_list<std::string> more) {
    JsonPath path = root;
    path.insert(path.end(), more.begin(), more.end());
    return path;
  };
  if (const auto* axes = fields.object(at({"axes"}), R"({"n": 7})")) {
    for (const auto& [name, size] : axes->items()) {
      if (size.is_number_integer() && size.get<std::int64_t>() > 0) {
        workload.axes[name] = size.get<std::int64_t>();
      } else {
        fields.problem(at({"axes", name}), "the size of an axis must be a positive integer");
      }
    }
  }
  const auto* inputs = fields.find(at({"inputs"}));
  if (inputs != nullptr && inputs->is_object()) {
    for (const auto& [name, input] : inputs->items()) {
      if (!input.is_object() || input.value("type", "") != "scalar") continue;
      const auto* value = fields.find(at({"inputs", name, "value"}), "the scalar's value");
      if (value == nullptr) continue;
      if (value->is_boolean()) {
        workload.scalars[name] = value->get<bool>() ? 1 : 0;
      } else if (value->is_number()) {
        workload.scalars[name] = value->get<double>();
      } else {
        fields.problem(at({"inputs", name, "value"}), "a scalar's value must be a number");
      }
    }
  }
  if (!problems.empty()) return problems.failure();
  return workload;
}

}  // namespace gate
