// What differs between two versions of a policy file, and whether it demands less. Where that
// cannot be told (a reference, a contract), it is taken to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/policy/sided_file.h"
#include "gate/spec/config.h"
#include "gate/spec/kernel_spec.h"
#include "gate/spec/op_schema.h"
#include "gate/spec/seed.h"
#include "gate/spec/tolerance.h"

namespace gate {

void compare_configs(const Config& base, const Config& head, SidedFile& file);
void compare_ops(const OpSchema& base, const OpSchema& head, SidedFile& file);
/// Every file of the op folders but op.toml and kernels: the reference and what it includes.
void compare_references(const OpSchema& base, const OpSchema& head, PolicySides& sides);
/// What a kernel toml says beside source, defines, entry, launch and workspace.
void compare_kernels(const KernelSpec& base, const KernelSpec& head, SidedFile& file);
/// A source that the base checks and that stays behind, with none of the head's kernels to its
/// name.
void compare_sources(const KernelSpec& base, const KernelSpec& head,
                     const std::vector<KernelSpec>& heads, SidedFile& file);
void compare_tolerances(const Tolerance& base, const Tolerance& head, const std::string& column,
                        SidedFile& file);
void compare_seeds(const Seed& base, const Seed& head, SidedFile& file);

/// Whether an expectation lets red pass.
bool excuses(const Expectation& expectation);
bool same_expectation(const Expectation& left, const Expectation& right);
/// A seed whose status only demands more than before: it has to pass now.
bool only_fixes(const Seed& base, const Seed& head);

}  // namespace gate
