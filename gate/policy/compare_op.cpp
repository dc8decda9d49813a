// op.toml and reference on both sides.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/base/files.h"
#include "gate/policy/compare.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

bool holds_all(const std::vector<std::string>& list, const std::vector<std::string>& items) {
  return std::all_of(items.begin(), items.end(), [&](const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  });
}

std::vector<std::string> texts_of(const std::vector<Expression>& expressions) {
  std::vector<std::string> texts;
  for (const Expression& expression : expressions) texts.push_back(expression.text());
  return texts;
}

void compare_lists(const std::vector<std::string>& base, const std::vector<std::string>& head,
                   const std::string& what, SidedFile& file) {
  if (base == head) return;
  const std::string key = what.substr(what.rfind('.') + 1);
  if (holds_all(head, base)) return file.change(what + " is extended", key);
  file.loosening(what + " leaves something out", "failures that only those cases show", key);
}

void compare_axes(const OpSchema& base, const OpSchema& head, SidedFile& file) {
  for (const Axis& axis : base.axes) {
    const Axis* other = find_axis(head, axis.name);
    if (other == nullptr) {
      file.loosening("axis " + axis.name + " is gone", "every size of it", axis.name);
      continue;
    }
    const bool same =
        axis.min == other->min && axis.max == other->max && axis.values == other->values;
    if (same) continue;
    const bool wider = other->min <= axis.min && other->max >= axis.max &&
                       std::includes(other->values.begin(), other->values.end(),
                                     axis.values.begin(), axis.values.end()) &&
                       axis.values.empty() == other->values.empty();
    const std::string text = fmt::format("axis {} is changed from {}..{} to {}..{}", axis.name,
                                         axis.min, axis.max, other->min, other->max);
    if (wider) {
      file.change(text, axis.name);
    } else {
      file.loosening(text, "sizes that are not legal any more", axis.name);
    }
  }
  for (const Axis& axis : head.axes) {
    if (find_axis(base, axis.name) == nullptr) {
      file.loosening("axis " + axis.name + " is new to the op", "the shapes the base demands",
                     axis.name);
    }
  }
}

void compare_columns(const OpSchema& base, const OpSchema& head, SidedFile& file) {
  for (const std::string& column : base.columns) {
    const auto at = head.dtypes.find(column);
    if (at == head.dtypes.end()) {
      file.loosening("column " + column + " is deleted", "every kernel's " + column, column);
    } else if (at->second != base.dtypes.at(column)) {
      file.loosening("the dtypes of column " + column + " are changed",
                     "what the old dtypes demand", column);
    }
  }
  for (const std::string& column : head.columns) {
    if (base.dtypes.count(column) == 0) file.new_contract("column " + column + " is new", column);
  }
}

bool same_domain(const std::optional<IntegerDomain>& left,
                 const std::optional<IntegerDomain>& right) {
  if (left.has_value() != right.has_value()) return false;
  return !left || (left->kind == right->kind && left->low.text() == right->low.text() &&
                   left->high.text() == right->high.text());
}

void compare_tensors(const std::vector<TensorSchema>& base, const OpSchema& head, SidedFile& file) {
  for (const TensorSchema& tensor : base) {
    const TensorSchema* other = find_tensor(head, tensor.name);
    if (other == nullptr) {
      file.loosening("tensor " + tensor.name + " is gone", "everything about it", tensor.name);
      continue;
    }
    compare_lists(tensor.layouts, other->layouts, tensor.name + ".layout", file);
    compare_lists(tensor.profiles, other->profiles, tensor.name + ".values", file);
    const bool same = texts_of(tensor.shape) == texts_of(other->shape) &&
                      same_domain(tensor.domain, other->domain) && tensor.accept == other->accept;
    if (same) continue;
    file.loosening("shape, domain or accept of " + tensor.name + " is changed",
                   "what the old one demands", tensor.name);
  }
}

void compare_contracts(const Contract& base, const Contract& head, SidedFile& file) {
  const auto field = [&](const char* key, bool same, bool stricter) {
    if (!same) file.edited(stricter, fmt::format("contract.{} is changed", key), key);
  };
  const auto permission = [&](const char* key, bool before, bool after) {
    field(key, before == after, !after);
  };
  field("nan", base.nan == head.nan, head.nan == "parity");
  field("accumulate", base.accumulate == head.accumulate, false);
  field("intermediate",
        base.intermediate == head.intermediate &&
            base.intermediate_as_input == head.intermediate_as_input,
        false);
  permission("fast_math", base.fast_math, head.fast_math);
  permission("flush_to_zero", base.flush_to_zero, head.flush_to_zero);
  permission("tf32", base.tf32, head.tf32);
  field("saturate", base.saturate == head.saturate, false);
  permission("truncating_store", base.truncating_store, head.truncating_store);
  field("signed_zero", base.signed_zero == head.signed_zero, head.signed_zero);
  field("determinism", base.determinism == head.determinism, head.determinism == "bitwise");
  field("magnitude_max", base.magnitude_max == head.magnitude_max, false);
  compare_lists(base.laws, head.laws, "contract.laws", file);
  const auto before = texts_of(base.constraints), after = texts_of(head.constraints);
  field("constraints", before == after, holds_all(before, after));
}

void compare_attributes(const OpSchema& base, const OpSchema& head, SidedFile& file) {
  for (const Attribute& attribute : base.attributes) {
    const Attribute* other = find_attribute(head, attribute.name);
    const bool same = other != nullptr && other->dtype == attribute.dtype &&
                      other->fallback == attribute.fallback && other->values == attribute.values;
    if (same) continue;
    file.loosening("attribute " + attribute.name + " is changed", "values not legal any more",
                   attribute.name);
  }
  for (const Attribute& attribute : head.attributes) {
    if (find_attribute(base, attribute.name) != nullptr) continue;
    file.loosening("attribute " + attribute.name + " is new to the op",
                   "what the op without it demands", attribute.name);
  }
}

}  // namespace

void compare_ops(const OpSchema& base, const OpSchema& head, SidedFile& file) {
  compare_axes(base, head, file);
  compare_columns(base, head, file);
  compare_tensors(base.inputs, head, file);
  compare_tensors(base.outputs, head, file);
  if (head.inputs.size() > base.inputs.size() || head.outputs.size() > base.outputs.size()) {
    file.loosening("the op has another tensor", "what the op without it demands", "inputs");
  }
  compare_contracts(base.contract, head.contract, file);
  compare_attributes(base, head, file);
  if (base.fixed_axes != head.fixed_axes || base.fixed_attributes != head.fixed_attributes) {
    file.loosening("[fixed_shape] is changed", "a class other than [expect] says", "fixed_shape");
  }
}

void compare_references(const OpSchema& base, const OpSchema& head, PolicySides& sides) {
  std::set<std::string> names;
  for (const fs::path& folder : {base.folder, head.folder}) {
    for (const fs::path& file : find_files(folder, "")) {
      const fs::path name = file.lexically_relative(folder);
      const bool compiled = name.extension() != ".toml" && name.extension() != ".md";
      if (compiled && *name.begin() != "kernels") names.insert(name.string());
    }
  }
  for (const std::string& name : names) {
    std::error_code error;
    const bool before = fs::exists(base.folder / name, error);
    const bool after = fs::exists(head.folder / name, error);
    SidedFile file(sides, base.folder / name, after ? head.folder / name : fs::path());
    if (before && after && file.base_text() == file.head_text()) continue;
    if (before) {
      file.loosening(after ? "the reference is changed" : "a file of the reference is deleted",
                     "results that the base's reference rejects");
    } else {
      file.new_contract("a new file beside the reference; it has no effect yet");
    }
  }
}

}  // namespace gate
