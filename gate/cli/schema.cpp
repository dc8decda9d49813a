// gate schema: what is generated for one kernel: sizes and where they came from, layouts, values,
// laws, strategies, and what its plans cost.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <ostream>

#include "gate/base/text.h"
#include "gate/cases/plan.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/run_seed.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

std::string number_list(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
  return join(texts, " ");
}

std::string scalar_text(const Scalar& scalar) {
  const auto* integer = std::get_if<std::int64_t>(&scalar);
  return integer != nullptr ? std::to_string(*integer) : number_text(std::get<double>(scalar));
}

void write_kernel(const OpSchema& op, const KernelSpec& kernel, std::ostream& out) {
  out << fmt::format("kernel      {}/{}\nsummary     {}\n", op.name, kernel.name, op.summary);
  out << fmt::format("source      {}\n", kernel.source.string());
  if (!kernel.tiles.empty()) out << "tiles       " << number_list(kernel.tiles) << " (declared)\n";
  if (!kernel.mined_tiles.empty()) {
    out << "tiles       " << number_list(kernel.mined_tiles) << " (mined from the source)\n";
  }
  for (const Expression& constraint : op.contract.constraints) {
    out << "constraint  " << constraint.text() << " (op)\n";
  }
  for (const Expression& constraint : kernel.constraints) {
    out << "constraint  " << constraint.text() << " (kernel's domain)\n";
  }
  if (kernel.alignment > 0) out << "alignment   " << kernel.alignment << " bytes\n";
}

void write_axes(const OpSchema& op, const KernelSpec& kernel, std::ostream& out) {
  for (const Axis& axis : op.axes) {
    out << fmt::format("\naxis {}: {} to {}\n", axis.name, axis.min, axis.max);
    std::map<std::string, std::vector<std::int64_t>> by_origin;
    std::vector<std::string> order;
    for (const BoundarySize& boundary : boundary_sizes(axis, &kernel)) {
      std::vector<std::int64_t>& sizes = by_origin[boundary.origin];
      if (sizes.empty()) order.push_back(boundary.origin);
      sizes.push_back(boundary.size);
    }
    for (const std::string& origin : order) {
      out << fmt::format("  {:<32} {}\n", origin, number_list(by_origin[origin]));
    }
  }
}

void write_tensors(const OpSchema& op, std::ostream& out) {
  for (const Attribute& attribute : op.attributes) {
    std::vector<std::string> values;
    for (const Scalar& value : attribute.values) values.push_back(scalar_text(value));
    out << fmt::format("\nattribute {} ({}): {}, default {}\n", attribute.name,
                       facts(attribute.dtype).name, join(values, " "),
                       scalar_text(attribute.fallback));
  }
  const auto write = [&](const TensorSchema& tensor, std::string_view role) {
    std::vector<std::string> shape;
    for (const Expression& size : tensor.shape) shape.push_back(size.text());
    out << fmt::format("\n{} {}[{}]\n  layouts  {}\n", role, tensor.name, join(shape, ", "),
                       join(tensor.layouts, " "));
    if (!tensor.profiles.empty()) out << "  values   " << join(tensor.profiles, " ") << "\n";
    if (tensor.domain) out << "  domain   " << tensor.domain->kind << "\n";
  };
  for (const TensorSchema& tensor : op.inputs) write(tensor, "input");
  for (const TensorSchema& tensor : op.outputs) write(tensor, "output");
  if (!op.contract.laws.empty()) out << "\nlaws        " << join(op.contract.laws, " ") << "\n";
}

void write_plan(const OpSchema& op, const std::string& column, const std::vector<Entry>& plan,
                std::ostream& out) {
  std::map<std::string, std::int64_t> by_strategy;
  std::int64_t elements = 0, operations = 0, runs = 0;
  for (const Entry& entry : plan) {
    ++by_strategy[entry.strategy];
    const CaseCost cost = cost_of(entry.test_case, op);
    elements = std::max(elements, cost.elements);
    operations += cost.operations;
    runs += 1 + static_cast<std::int64_t>(entry.siblings.size());
  }
  out << fmt::format(
      "\ncolumn {}: {} entries, {} runs with sibling schedules, largest tensor {} "
      "elements, {} reference operations in all\n",
      column, plan.size(), runs, elements, operations);
  std::vector<std::string> shares;
  for (const auto& [strategy, count] : by_strategy) {
    shares.push_back(fmt::format("{} {}", strategy, count));
  }
  out << "  " << join(shares, ", ") << "\n";
}

}  // namespace

int schema_verb(const Invocation& invocation) {
  std::vector<std::string> names;
  std::string device = "auto", profile = "pr";
  Arguments flags;
  flags.positional("KERNEL", names);
  flags.option("--device", device);
  flags.option("--profile", profile);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (names.empty()) {
    return report_failure(user_failure("schema takes a kernel's .toml or source"), invocation.err);
  }
  const Result<Catalogue> catalogue = open_catalogue({names.begin(), names.end()}, false);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  const auto found = catalogue->config.profiles.find(profile);
  if (found == catalogue->config.profiles.end()) {
    return report_failure(user_failure("unknown profile: " + profile, "pr or nightly"),
                          invocation.err);
  }
  const Result<RunSeed> seed = choose_run_seed("", catalogue->config.root);
  if (!seed) return report_failure(seed.failure(), invocation.err);
  device = resolve_device(device);
  for (const KernelSpec& kernel : catalogue->kernels) {
    const OpSchema& op = *find_op(*catalogue, kernel.op);
    write_kernel(op, kernel, invocation.out);
    write_axes(op, kernel, invocation.out);
    write_tensors(op, invocation.out);
    const PlanOptions options{seed->value, device_of(kernel, device), found->second};
    for (const std::string& column : ordered_columns(op, kernel)) {
      write_plan(op, column, make_plan(op, kernel, column, options), invocation.out);
    }
  }
  return 0;
}

}  // namespace gate
