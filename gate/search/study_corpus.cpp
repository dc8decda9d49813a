// Reads testcases/<op>/study.json.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_corpus.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gate/base/files.h"

namespace gate {
namespace {

using Json = nlohmann::json;

std::map<std::string, SizeFactors> shapes_of(const Json& node) {
  std::map<std::string, SizeFactors> shapes;
  for (const auto& [axis, factors] : node.items()) {
    for (const Json& list : factors) {
      shapes[axis].push_back(list.get<std::vector<std::int64_t>>());
    }
  }
  return shapes;
}

std::map<std::string, double> numbers_of(const Json& node) {
  std::map<std::string, double> numbers;
  for (const auto& [column, number] : node.items()) numbers[column] = number.get<double>();
  return numbers;
}

StudyKernel kernel_of(const Json& file, const Json& entry) {
  StudyKernel kernel;
  kernel.row = entry.at("row").get<int>();
  kernel.buggy = entry.at("buggy").get<bool>();
  kernel.in_population = entry.value("population", false);
  kernel.columns = file.at("columns").get<std::vector<std::string>>();
  kernel.shapes = shapes_of(entry.contains("shapes") ? entry["shapes"] : file.at("shapes"));
  const Json& dimension = file.at("dimension_h");
  kernel.dimension_h = dimension.is_string() ? dimension.get<std::string>() : std::string();
  kernel.hand = numbers_of(file.at("hand"));
  kernel.calibrated =
      numbers_of(entry.contains("calibrated") ? entry["calibrated"] : file.at("calibrated"));
  kernel.suite = file.value("suite", std::string());
  kernel.published = entry.contains("published") ? entry["published"].dump() : "{}";
  return kernel;
}

const KernelSpec* find_kernel(const Catalogue& catalogue, const std::string& op,
                              const std::string& name) {
  for (const KernelSpec& kernel : catalogue.kernels) {
    if (kernel.op == op && kernel.name == name) return &kernel;
  }
  return nullptr;
}

bool is_expected_red(const KernelSpec& kernel, const std::string& column) {
  const auto expected = kernel.expect.find(column);
  if (expected == kernel.expect.end()) return false;
  return expected->second.klass == Class::illusion || expected->second.klass == Class::defect;
}

Tolerance tolerance_of(const Catalogue& catalogue, const std::string& op,
                       const std::string& column) {
  const auto table = catalogue.tolerances.find(op);
  if (table == catalogue.tolerances.end()) return {};
  const auto row = table->second.rows.find(column);
  return row == table->second.rows.end() ? Tolerance() : row->second;
}

/// Kernels that the paths do not select are left out.
Result<Done> add_kernels(const Catalogue& catalogue, const OpSchema& op, const std::string& text,
                         std::vector<StudyKernel>& kernels) {
  const Place place{(op.folder / "study.json").string()};
  try {
    const Json file = Json::parse(text);
    for (const auto& [name, entry] : file.at("kernels").items()) {
      const KernelSpec* spec = find_kernel(catalogue, op.name, name);
      if (spec == nullptr) continue;
      StudyKernel kernel = kernel_of(file, entry);
      kernel.op = &op;
      kernel.kernel = spec;
      if (const auto table = catalogue.tolerances.find(op.name);
          table != catalogue.tolerances.end()) {
        kernel.tolerances = table->second.rows;
      }
      for (const auto& [axis, factors] : kernel.shapes) {
        if (find_axis(op, axis) == nullptr || factors.empty()) {
          return user_failure("shapes name '" + axis + "', which is no axis of the op", "", place);
        }
      }
      kernels.push_back(std::move(kernel));
    }
  } catch (const Json::exception& error) {
    return user_failure(error.what(), "see the study.json of another op", place);
  }
  return Done{};
}

}  // namespace

std::vector<PlanBug> read_plan_bugs(const Catalogue& catalogue, const std::string& corpus) {
  std::vector<PlanBug> bugs;
  for (const OpSchema& op : catalogue.ops) {
    for (const KernelSpec& kernel : catalogue.kernels) {
      if (kernel.op != op.name || kernel.corpus != corpus) continue;
      for (const std::string& column : op.columns) {
        if (!is_expected_red(kernel, column)) continue;
        bugs.push_back({&op, &kernel, column, tolerance_of(catalogue, op.name, column)});
      }
    }
  }
  return bugs;
}

Result<std::vector<StudyKernel>> read_study_corpus(const Catalogue& catalogue) {
  std::vector<StudyKernel> kernels;
  for (const OpSchema& op : catalogue.ops) {
    const std::filesystem::path file = op.folder / "study.json";
    std::error_code error;
    if (!std::filesystem::exists(file, error)) continue;
    const Result<std::string> text = read_file(file);
    if (!text) return text.failure();
    const Result<Done> added = add_kernels(catalogue, op, *text, kernels);
    if (!added) return added.failure();
  }
  if (kernels.empty()) return user_failure("no op here has a study.json");
  std::sort(kernels.begin(), kernels.end(),
            [](const StudyKernel& a, const StudyKernel& b) { return a.row < b.row; });
  return kernels;
}

}  // namespace gate
