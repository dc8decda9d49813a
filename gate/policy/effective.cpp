// What a change is judged with: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/effective.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/policy/compare.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

const KernelSpec* find_kernel(const Catalogue& catalogue, const KernelSpec& wanted) {
  for (const KernelSpec& kernel : catalogue.kernels) {
    if (kernel.op == wanted.op && kernel.name == wanted.name) return &kernel;
  }
  return nullptr;
}

const Seed* find_seed(const std::vector<Seed>& seeds, const Seed& wanted) {
  for (const Seed& seed : seeds) {
    if (seed.fingerprint == wanted.fingerprint && seed.number == wanted.number) return &seed;
  }
  return nullptr;
}

const Tolerance* find_row(const Catalogue& catalogue, const std::string& op,
                          const std::string& column) {
  const auto table = catalogue.tolerances.find(op);
  if (table == catalogue.tolerances.end()) return nullptr;
  const auto row = table->second.rows.find(column);
  return row == table->second.rows.end() ? nullptr : &row->second;
}

/// The base's op; columns that only the head has are added where they fit its tensors.
OpSchema merged_op(const OpSchema& base, const OpSchema& head) {
  OpSchema op = base;
  for (const std::string& column : head.columns) {
    if (base.dtypes.count(column) > 0) continue;
    const auto& dtypes = head.dtypes.at(column);
    const std::size_t tensors = base.inputs.size() + base.outputs.size();
    const bool fits = dtypes.size() == tensors &&
                      std::all_of(dtypes.begin(), dtypes.end(), [&](const auto& entry) {
                        return find_tensor(base, entry.first) != nullptr;
                      });
    if (!fits) continue;
    op.columns.push_back(column);
    op.dtypes[column] = dtypes;
  }
  return op;
}

bool is_below(const fs::path& path, const fs::path& root) {
  const fs::path relative = path.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

class Merge {
 public:
  Merge(const PolicyInput& input, PolicySides& sides) : input_(input), sides_(sides) {}

  Catalogue run() {
    result_.config = input_.head.config;
    for (const OpSchema& op : input_.head.ops) add_op(op);
    for (const KernelSpec& kernel : input_.head.kernels) add_kernel(kernel);
    for (const KernelSpec& kernel : input_.selected.kernels) note_deleted(kernel);
    for (const OpSchema& op : result_.ops) add_tolerances(op);
    for (const Seed& seed : input_.selected.seeds) add_base_seed(seed);
    for (const Seed& seed : input_.head.seeds) add_new_seed(seed);
    return std::move(result_);
  }

 private:
  void add_op(const OpSchema& head) {
    const OpSchema* base = find_op(input_.base, head.name);
    const bool own = is_below(head.folder, sides_.head);
    if (base == nullptr || (!own && !is_below(base->folder, sides_.base))) {
      if (own) {
        SidedFile(sides_, {}, head.folder / "op.toml").new_contract("op " + head.name + " is new");
      }
      result_.ops.push_back(head);  // new, or bundled on both sides
      return;
    }
    SidedFile file(sides_, base->folder / "op.toml", head.folder / "op.toml");
    compare_ops(*base, head, file);
    compare_references(*base, head, sides_);
    result_.ops.push_back(merged_op(*base, head));
  }

  /// A gate.toml between the root and an op has no say while the base has none there.
  void note_nearer_configs(const fs::path& folder) {
    const fs::path root = result_.config.root;
    for (fs::path at = folder; at != root && at != at.root_path(); at = at.parent_path()) {
      const fs::path file = at / "gate.toml";
      std::error_code error;
      const fs::path before = sides_.base / file.lexically_relative(sides_.head);
      if (!fs::exists(file, error) || fs::exists(before, error)) continue;
      SidedFile(sides_, {}, file)
          .loosening("a gate.toml below the one of the base",
                     "what the base's places and plan sizes demand");
    }
  }

  void add_kernel(const KernelSpec& head) {
    note_nearer_configs(head.source.parent_path());
    const OpSchema* op = find_op(result_, head.op);
    const KernelSpec* base = find_kernel(input_.base, head);
    SidedFile file(sides_, base != nullptr ? base->file : fs::path(), head.file);
    const Result<std::string> text = read_file(head.file);
    Result<KernelSpec> parsed =
        text ? parse_kernel(*text, head.file, *op) : Result<KernelSpec>(text.failure());
    if (!parsed) {
      file.loosening(
          "the kernel does not fit the base's op.toml: " + parsed.failure().problems.front().text,
          "what the base's op demands");
      return;
    }
    KernelSpec kernel = std::move(*parsed);
    if (base == nullptr) {
      file.new_contract(fmt::format("kernel {}/{} is new", head.op, head.name));
      if (!head.constraints.empty()) file.new_contract("with a [domain]", "[domain]");
      compare_expectations_of_new(kernel, file);
    } else {
      compare_kernels(*base, head, file);
      compare_sources(*base, head, input_.head.kernels, file);
      keep_policy(*base, kernel);
    }
    result_.kernels.push_back(std::move(kernel));
  }

  /// A new kernel has no right to be wrong.
  static void compare_expectations_of_new(KernelSpec& kernel, SidedFile& file) {
    const bool excused = std::any_of(kernel.expect.begin(), kernel.expect.end(),
                                     [](const auto& entry) { return excuses(entry.second); });
    if (!excused) return;
    file.loosening("a new [expect]", "whatever the new kernel does wrong", "[expect]");
    std::erase_if(kernel.expect, [](const auto& entry) { return excuses(entry.second); });
  }

  /// The base's policy in the head's kernel; an expectation that excuses less is the head's.
  static void keep_policy(const KernelSpec& base, KernelSpec& kernel) {
    kernel.constraints = base.constraints;
    kernel.alignment = base.alignment;
    kernel.tiles = base.tiles;
    kernel.corpus = base.corpus;
    const auto claimed = std::move(kernel.expect);
    kernel.expect.clear();
    for (const auto& [column, function] : kernel.entry) {
      const auto head = claimed.find(column);
      const auto before = base.expect.find(column);
      if (head != claimed.end() && !excuses(head->second)) {
        kernel.expect[column] = head->second;
      } else if (head != claimed.end() && before != base.expect.end()) {
        kernel.expect[column] = before->second;
      }
    }
  }

  void note_deleted(const KernelSpec& base) {
    if (find_kernel(input_.head, base) != nullptr) return;
    SidedFile file(sides_, base.file, {});
    std::string text =
        fmt::format("kernel {}/{} is deleted or not selected any more", base.op, base.name);
    if (const KernelSpec* twin = renamed(base)) {
      text += "; " + twin->op + "/" + twin->name +
              " has its source: a renamed kernel is a new one, keep the name of the file pair";
    }
    file.loosening(text, "everything about it");
  }

  /// A kernel that only the head has, with the same source text.
  const KernelSpec* renamed(const KernelSpec& base) const {
    const Result<std::string> source = read_file(base.source);
    if (!source) return nullptr;
    for (const KernelSpec& kernel : input_.head.kernels) {
      if (find_kernel(input_.base, kernel) != nullptr) continue;
      const Result<std::string> other = read_file(kernel.source);
      if (other && *other == *source) return &kernel;
    }
    return nullptr;
  }

  fs::path tolerance_file(const Catalogue& catalogue, const std::string& op) const {
    return catalogue.config.root / catalogue.config.tolerances / (op + ".toml");
  }

  void add_tolerances(const OpSchema& op) {
    SidedFile file(sides_, tolerance_file(input_.base, op.name),
                   tolerance_file(input_.head, op.name));
    ToleranceTable table{op.name, tolerance_file(input_.head, op.name), {}};
    for (const std::string& column : op.columns) {
      const Tolerance* base = find_row(input_.base, op.name, column);
      const Tolerance* head = find_row(input_.head, op.name, column);
      if (base != nullptr) {
        table.rows[column] = *base;
        if (head != nullptr) compare_tolerances(*base, *head, column, file);
        if (head == nullptr) file.change("the row of " + column + " is deleted");
      } else if (head != nullptr) {
        table.rows[column] = new_row(op, column, *head, file);
      }
    }
    if (!table.rows.empty()) result_.tolerances[op.name] = std::move(table);
  }

  static Tolerance new_row(const OpSchema& op, const std::string& column, const Tolerance& head,
                           SidedFile& file) {
    const Tolerance fallback = default_tolerance(op, column);
    const std::string place = "[" + column + "]";
    if (head.c <= fallback.c && (head.exact || !fallback.exact)) {
      file.new_contract(fmt::format("a tolerance row for {}: c = {}", column, head.c), place);
      return head;
    }
    file.loosening(
        fmt::format("a new tolerance row for {} above the default: c = {}", column, head.c),
        fmt::format("errors of up to {} envelopes; c = {} is used", head.c, fallback.c), place);
    return fallback;
  }

  bool is_selected(const Seed& seed) const {
    KernelSpec wanted;
    wanted.op = seed.test_case.op;
    wanted.name = seed.kernel;
    const KernelSpec* kernel = find_kernel(input_.head, wanted);
    return kernel != nullptr && kernel->entry.count(seed.test_case.column) > 0;
  }

  void add_base_seed(const Seed& base) {
    const Seed* head = find_seed(input_.head.seeds, base);
    SidedFile file(sides_, base.file, head != nullptr ? head->file : fs::path());
    if (head != nullptr) {
      compare_seeds(base, *head, file);
    } else if (is_selected(base)) {
      file.loosening("seed " + base.fingerprint + " is deleted", "its failure");
    }
    result_.seeds.push_back(head != nullptr && only_fixes(base, *head) ? *head : base);
  }

  void add_new_seed(const Seed& head) {
    if (find_seed(input_.selected.seeds, head) != nullptr) return;
    if (const Seed* base = find_seed(input_.base.seeds, head)) return add_base_seed(*base);
    SidedFile file(sides_, {}, head.file);
    Seed seed = head;
    if (head.status == Seed::Status::known) {
      file.loosening("a new seed says that its failure is known", "that failure", "known");
      seed.status = Seed::Status::open;
    } else {
      file.new_contract(fmt::format("seed {} is new ({})", head.fingerprint, name(head.status)));
    }
    result_.seeds.push_back(std::move(seed));
  }

  const PolicyInput& input_;
  PolicySides& sides_;
  Catalogue result_;
};

}  // namespace

Catalogue effective_catalogue(const PolicyInput& input, PolicySides& sides) {
  return Merge(input, sides).run();
}

}  // namespace gate
