// gate list: what the paths hold, and what would run here.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/explain/source.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

struct ListedKernel {
  const KernelSpec* kernel = nullptr;
  std::vector<std::string> columns;
  std::string device, reason;  // reason: why it is not selected, or empty
};

std::vector<ListedKernel> kernels_of(const Catalogue& catalogue, const OpSchema& op,
                                     const std::string& device, const std::string& corpus) {
  std::vector<ListedKernel> listed;
  for (const KernelSpec& kernel : catalogue.kernels) {
    if (kernel.op != op.name || (!corpus.empty() && kernel.corpus != corpus)) continue;
    const std::string on = device_of(kernel, device);
    listed.push_back(
        {&kernel, ordered_columns(op, kernel), on, not_selected_reason(kernel, on).value_or("")});
  }
  return listed;
}

void write_text(const OpSchema& op, const std::vector<ListedKernel>& kernels, std::ostream& out) {
  out << op.name << ": " << op.summary << "\n";
  for (const ListedKernel& listed : kernels) {
    const KernelSpec& kernel = *listed.kernel;
    const std::string corpus = kernel.corpus.empty() ? "" : ", corpus " + kernel.corpus;
    out << fmt::format("  {:<28} {:<20} {}{}\n", kernel.name, join(listed.columns, " "),
                       listed.reason.empty() ? listed.device : "not selected: " + listed.reason,
                       corpus);
  }
}

nlohmann::ordered_json op_json(const OpSchema& op, const std::vector<ListedKernel>& kernels) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedKernel& listed : kernels) {
    const KernelSpec& kernel = *listed.kernel;
    list.push_back(
        {{"kernel", kernel.name},
         {"source", repository_path(kernel.source)},
         {"columns", listed.columns},
         {"device", listed.device},
         {"corpus", kernel.corpus},
         {"not_selected", listed.reason.empty() ? nlohmann::ordered_json()
                                                : nlohmann::ordered_json(listed.reason)}});
  }
  return {{"op", op.name}, {"summary", op.summary}, {"kernels", std::move(list)}};
}

}  // namespace

int list_verb(const Invocation& invocation) {
  std::vector<std::string> names;
  std::string device = "auto", corpus;
  bool as_json = false;
  Arguments flags;
  flags.positional("PATH", names);
  flags.option("--device", device);
  flags.option("--corpus", corpus);
  flags.flag("--json", as_json);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (names.empty()) names.emplace_back(".");
  const Result<Catalogue> catalogue = open_catalogue({names.begin(), names.end()}, false);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  device = resolve_device(device);
  nlohmann::ordered_json ops = nlohmann::ordered_json::array();
  for (const OpSchema& op : catalogue->ops) {
    const std::vector<ListedKernel> kernels = kernels_of(*catalogue, op, device, corpus);
    if (kernels.empty() && !corpus.empty()) continue;
    if (as_json) {
      ops.push_back(op_json(op, kernels));
    } else {
      write_text(op, kernels, invocation.out);
    }
  }
  if (as_json) {
    const nlohmann::ordered_json whole = {{"version", 1}, {"ops", std::move(ops)}};
    invocation.out << whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                   << "\n";
  }
  return 0;
}

}  // namespace gate
