// The fixed-shape oracles of the field: a table of comparisons and the cases they look at.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/fixed_shape.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gate/base/random.h"
#include "gate/cases/profiles.h"
#include "gate/oracle/contract.h"

namespace gate {
namespace {

constexpr std::uint64_t master_seed = 42;  // KernelBench's and GEAK's

struct Bounds {
  double absolute = 0, relative = 0;
};

/// |reference - candidate| <= absolute + relative * |the one it names|
enum class RelativeTo { candidate, reference };

struct RuleRow {
  std::string_view name, text;
  std::vector<std::string_view> values;
  int draws;
  Bounds (*bounds)(DType);  // null: only whether it ran
  RelativeTo relative_to;
};

bool counts_as_f32(DType dtype) { return dtype == DType::f32 || dtype == DType::f64; }

Bounds kernelbench(DType dtype) {
  return counts_as_f32(dtype) ? Bounds{1e-4, 1e-4} : Bounds{1e-2, 1e-2};
}
Bounds kernelbench_v0(DType) { return {1e-2, 1e-2}; }
Bounds geak(DType) { return {1e-2, 1e-1}; }
Bounds geak_dict(DType) { return {1e-3, 1e-3}; }
Bounds geak_rocm(DType) { return {1e-2, 1e-2}; }
Bounds paper(DType) { return {1e-5, 1e-2}; }
Bounds assert_close(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return {1e-7, 1e-7};
    case DType::f32:
      return {1e-5, 1.3e-6};
    case DType::f16:
      return {1e-5, 1e-3};
    case DType::bf16:
      return {1e-5, 1.6e-2};
    default:
      return {0, 0};
  }
}

const std::vector<RuleRow>& rows() {
  static const std::vector<RuleRow> table = {
      {"kernelbench",
       "allclose, 1e-4 in f32, 1e-2 in f16 and bf16",
       {"randn", "uniform01"},
       5,
       kernelbench,
       RelativeTo::candidate},
      {"kernelbench_v0",
       "allclose, 1e-2",
       {"randn", "uniform01"},
       5,
       kernelbench_v0,
       RelativeTo::candidate},
      {"tritonbench",
       "the script runs and, as in most files, prints nothing",
       {"randn"},
       1,
       nullptr,
       RelativeTo::reference},
      {"geak",
       "allclose, 1e-2 absolute, 1e-1 relative (bare tensors)",
       {"randn"},
       1,
       geak,
       RelativeTo::candidate},
      {"geak_dict",
       "allclose, 1e-3 (tensors inside dicts and lists)",
       {"randn"},
       1,
       geak_dict,
       RelativeTo::candidate},
      {"geak_rocm", "assert_close, 1e-2", {"randn"}, 1, geak_rocm, RelativeTo::reference},
      {"assert_close",
       "torch.testing.assert_close, defaults",
       {"randn", "uniform01"},
       1,
       assert_close,
       RelativeTo::reference},
      {"paper",
       "allclose, 1e-5 absolute, 1e-2 relative",
       {"randn", "uniform01"},
       5,
       paper,
       RelativeTo::reference},
  };
  return table;
}

const RuleRow* find_row(const FixedShapeRule& rule) {
  for (const RuleRow& row : rows()) {
    if (row.name == rule.name) return &row;
  }
  return nullptr;
}

bool close(double candidate, double reference, const Bounds& bounds, RelativeTo relative_to) {
  if (std::isnan(candidate) || std::isnan(reference)) return false;
  if (candidate == reference) return true;  // infinities too
  if (std::isinf(candidate) || std::isinf(reference)) return false;
  const double scale = relative_to == RelativeTo::candidate ? candidate : reference;
  return std::abs(reference - candidate) <= bounds.absolute + bounds.relative * std::abs(scale);
}

bool accepts_tensor(const Tensor& got, const ExpectedTensor& want, const RuleRow& row) {
  const bool is_float = facts(got.dtype).is_float;
  const std::size_t known = is_float ? want.value.size() : want.integers.size();
  if (known != static_cast<std::size_t>(got.elements())) return false;
  for (std::int64_t i = 0; i < got.elements(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (!is_float) {
      if (got.integer_at(i) != want.integers[place]) return false;
      continue;
    }
    const double reference = rounded(got.dtype, want.value[place]);
    if (!close(got.at(i), reference, row.bounds(got.dtype), row.relative_to)) return false;
  }
  return true;
}

/// The profile of one input: the rule's distribution where the op allows it, else the op's first.
std::string profile_for(const TensorSchema& schema, DType dtype, const std::string& values) {
  const std::string wanted = !facts(dtype).is_float ? "uniform"
                             : values == "randn"    ? "normal"
                                                    : "uniform01";
  const std::vector<std::string>& legal = schema.profiles;
  const bool allowed = std::find(legal.begin(), legal.end(), wanted) != legal.end();
  const std::string name = allowed || legal.empty() ? wanted : legal.front();
  const ProfileFacts* profile = find_profile(name);
  return profile == nullptr ? name : name + "@" + std::to_string(profile->version);
}

}  // namespace

const std::vector<FixedShapeRule>& all_fixed_shape_rules() {
  static const std::vector<FixedShapeRule> rules = [] {
    std::vector<FixedShapeRule> result;
    for (const RuleRow& row : rows()) {
      for (const std::string_view values : row.values) {
        result.push_back(
            {std::string(row.name), std::string(values), row.draws, std::string(row.text)});
      }
    }
    return result;
  }();
  return rules;
}

bool decides_illusion(const FixedShapeRule& rule) { return rule.name == "kernelbench"; }

std::vector<Case> fixed_shape_cases(const FixedShapeRule& rule, const OpSchema& op,
                                    const std::string& column) {
  Case value;
  value.op = op.name;
  value.column = column;
  value.axes = op.fixed_axes;
  for (const Attribute& attribute : op.attributes) {
    const auto fixed = op.fixed_attributes.find(attribute.name);
    value.attributes[attribute.name] =
        fixed == op.fixed_attributes.end() ? attribute.fallback : fixed->second;
  }
  for (const TensorSchema& schema : op.inputs) {
    value.tensors[schema.name].profile =
        profile_for(schema, dtype_of(op, column, schema.name), rule.values);
  }
  for (const TensorSchema& schema : op.outputs) value.tensors[schema.name] = {};
  std::vector<Case> cases;
  for (int draw = 0; draw < rule.draws; ++draw) {
    value.key = mix(master_seed, static_cast<std::uint64_t>(draw));
    cases.push_back(value);
  }
  return cases;
}

bool fixed_shape_accepts(const FixedShapeRule& rule, const Outcome& outcome,
                         const Expected& expected) {
  const RuleRow* row = find_row(rule);
  if (row == nullptr || outcome.end != Kind::pass) return false;
  if (row->bounds == nullptr) return true;
  return std::all_of(expected.outputs.begin(), expected.outputs.end(),
                     [&](const ExpectedTensor& want) {
                       const Tensor* got = find_output(outcome, want.name);
                       return got != nullptr && accepts_tensor(*got, want, *row);
                     });
}

}  // namespace gate
