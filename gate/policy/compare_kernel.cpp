// Kernel tomls, tolerance rows and seeds on both sides.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/policy/compare.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

bool has_constraint(const KernelSpec& kernel, const Expression& wanted) {
  return std::any_of(
      kernel.constraints.begin(), kernel.constraints.end(),
      [&](const Expression& constraint) { return constraint.text() == wanted.text(); });
}

void compare_domains(const KernelSpec& base, const KernelSpec& head, SidedFile& file) {
  for (const Expression& constraint : head.constraints) {
    if (has_constraint(base, constraint)) continue;
    file.loosening("[domain] has a new constraint: " + constraint.text(),
                   "every case that breaks it", constraint.text());
  }
  for (const Expression& constraint : base.constraints) {
    if (has_constraint(head, constraint)) continue;
    file.change("[domain] loses a constraint: " + constraint.text(), "constraints");
  }
  if (base.alignment == head.alignment) return;
  const std::string text =
      fmt::format("alignment is changed from {} to {}", base.alignment, head.alignment);
  if (head.alignment < base.alignment) return file.change(text, "alignment");
  file.loosening(text, "tensors that are aligned less", "alignment");
}

void compare_expectations(const KernelSpec& base, const KernelSpec& head, SidedFile& file) {
  for (const auto& [column, expected] : head.expect) {
    const auto before = base.expect.find(column);
    if (before != base.expect.end() && same_expectation(before->second, expected)) continue;
    const std::string text =
        fmt::format("[expect] of {} is {}: {}", column,
                    before == base.expect.end() ? "new" : "changed", name(expected.klass));
    if (!excuses(expected)) {
      file.change(text, "expect");
      continue;
    }
    file.loosening(text, "a kernel that is " + std::string(name(expected.klass)), "expect");
  }
  for (const auto& [column, expected] : base.expect) {
    if (head.expect.count(column) > 0 || head.entry.count(column) == 0) continue;
    file.change("[expect] of " + column + " is removed", "entry");
  }
}

void compare_tiles(const KernelSpec& base, const KernelSpec& head, SidedFile& file) {
  if (base.tiles == head.tiles) return;
  const bool all = std::all_of(base.tiles.begin(), base.tiles.end(), [&](std::int64_t tile) {
    return std::find(head.tiles.begin(), head.tiles.end(), tile) != head.tiles.end();
  });
  if (all) return file.change("tiles are added", "tiles");
  file.loosening("tiles are removed", "failures beside multiples of them", "tiles");
}

}  // namespace

bool excuses(const Expectation& expectation) { return expectation.klass != Class::clean; }

bool same_expectation(const Expectation& left, const Expectation& right) {
  return left.klass == right.klass && left.kind == right.kind;
}

void compare_kernels(const KernelSpec& base, const KernelSpec& head, SidedFile& file) {
  compare_domains(base, head, file);
  compare_expectations(base, head, file);
  compare_tiles(base, head, file);
  if (base.corpus != head.corpus) {
    const std::string text =
        fmt::format("corpus is changed from \"{}\" to \"{}\"", base.corpus, head.corpus);
    if (base.corpus.empty()) {
      file.change(text, "corpus");
    } else {
      file.loosening(text, "the kernel from runs of that corpus", "corpus");
    }
  }
  for (const auto& [column, function] : base.entry) {
    if (head.entry.count(column) > 0) continue;
    file.loosening("column " + column + " is deleted", "everything about it", "entry");
  }
  for (const auto& [column, function] : head.entry) {
    if (base.entry.count(column) == 0) file.new_contract("column " + column + " is new", column);
  }
}

void compare_sources(const KernelSpec& base, const KernelSpec& head,
                     const std::vector<KernelSpec>& heads, SidedFile& file) {
  const std::filesystem::path left = head.source.parent_path() / base.source.filename();
  std::error_code error;
  if (left == head.source || !std::filesystem::exists(left, error)) return;
  const bool named = std::any_of(heads.begin(), heads.end(),
                                 [&](const KernelSpec& kernel) { return kernel.source == left; });
  if (named) return;
  const std::string name = left.filename().string();
  file.loosening(fmt::format("the source is {} now; {} is still there, and no kernel names it",
                             head.source.filename().string(), name),
                 "whatever is wrong in " + name + "; delete it, or keep a kernel for it", "source");
}

void compare_tolerances(const Tolerance& base, const Tolerance& head, const std::string& column,
                        SidedFile& file) {
  const std::string place = "[" + column + "]";
  if (base.exact && !head.exact) {
    file.loosening(column + " is not exact any more", "any difference within the envelope", place);
  }
  if (!base.exact && head.exact) file.change(column + " is exact now", place);
  if (base.c == head.c) return;
  const std::string text = fmt::format("c of {} is changed from {} to {}", column,
                                       number_text(base.c), number_text(head.c));
  if (head.c < base.c) return file.change(text, "c = " + number_text(head.c));
  file.loosening(text, fmt::format("errors of up to {} envelopes", number_text(head.c)),
                 "c = " + number_text(head.c));
}

bool only_fixes(const Seed& base, const Seed& head) {
  Seed same = head;
  same.status = base.status;
  same.reason = base.reason;
  same.owner = base.owner;
  same.expires = base.expires;
  same.note = base.note;
  return head.status == Seed::Status::fixed && to_toml(same) == to_toml(base);
}

void compare_seeds(const Seed& base, const Seed& head, SidedFile& file) {
  Seed same = head;
  same.note = base.note;
  same.reason = base.reason;
  same.owner = base.owner;
  if (to_toml(same) == to_toml(base)) return;
  const std::string text = fmt::format("seed {} is changed ({} to {})", base.fingerprint,
                                       name(base.status), name(head.status));
  if (only_fixes(base, head)) return file.change(text, "is =");
  file.loosening(text, "its failure", "is =");
}

}  // namespace gate
