// Hypotheses on an axis: padded with zeros, only a part of it counted, a part dropped.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "gate/explain/hypothesis.h"

namespace gate {
namespace {

// Of a padded tensor.
constexpr std::int64_t elements_max = 1 << 16;

/// A half-open range of one axis.
struct Range {
  std::int64_t begin = 0, end = 0;
};

/// Dimensions of a tensor that are exactly this axis.
std::vector<std::size_t> dimensions_of(const TensorSchema& tensor, const std::string& axis) {
  std::vector<std::size_t> list;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d].text() == axis) list.push_back(d);
  }
  return list;
}

std::optional<Expected> taken(Result<Expected> expected) {
  if (!expected) return std::nullopt;
  return std::move(*expected);
}

/// Inputs zero where `axis` is outside `kept`.
std::optional<Expected> with_part(const HypothesisSpace& space, const Sample& sample,
                                  const std::string& axis, Range kept) {
  const std::int64_t size = sample.test_case.axes.at(axis);
  if (kept.begin <= 0 && kept.end >= size) return std::nullopt;
  Inputs inputs = sample.inputs;
  for (const TensorSchema& schema : space.target.op->inputs) {
    Tensor* tensor = find_tensor(inputs, schema.name);
    for (const std::size_t d : dimensions_of(schema, axis)) {
      for (std::int64_t i = 0; i < tensor->elements(); ++i) {
        const std::int64_t place = index_of(tensor->view.shape, i)[d];
        if (place < kept.begin || place >= kept.end) tensor->set(i, 0);
      }
    }
  }
  return taken(space.reference(inputs));
}

/// Whether inputs share this axis and no output has it: it is summed over.
bool is_reduced(const OpSchema& op, const std::string& axis) {
  const auto has = [&](const TensorSchema& tensor) { return !dimensions_of(tensor, axis).empty(); };
  return std::any_of(op.inputs.begin(), op.inputs.end(), has) &&
         std::none_of(op.outputs.begin(), op.outputs.end(), has);
}

std::int64_t linear_of(const std::vector<std::int64_t>& shape,
                       const std::vector<std::int64_t>& index) {
  std::int64_t linear = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) linear = linear * shape[d] + index[d];
  return linear;
}

/// Shape of a tensor with other axes; nothing where it cannot be computed.
std::optional<std::vector<std::int64_t>> shape_with(const TensorSchema& schema,
                                                    const IntegerValues& values) {
  std::vector<std::int64_t> shape;
  for (const Expression& size : schema.shape) {
    const auto value = size.value(values);
    if (!value) return std::nullopt;
    shape.push_back(*value);
  }
  return shape;
}

Tensor zeros_like(const Tensor& tensor, std::vector<std::int64_t> shape) {
  Tensor padded = make_tensor(tensor.name, tensor.role, tensor.dtype, contiguous_view(shape));
  std::fill(padded.storage.begin(), padded.storage.end(), std::byte{0});
  return padded;
}

/// All tensors with an axis grown to `size`, zeros in what is new.
std::optional<Inputs> grown(const HypothesisSpace& space, const Sample& sample,
                            const std::string& axis, std::int64_t size) {
  Inputs inputs = sample.inputs;
  inputs.axes[axis] = size;
  Case larger = sample.test_case;
  larger.axes[axis] = size;
  const IntegerValues values = integer_values(larger);
  for (Tensor& tensor : inputs.tensors) {
    const TensorSchema* schema = find_tensor(*space.target.op, tensor.name);
    if (schema == nullptr) continue;  // a workspace
    const auto shape = shape_with(*schema, values);
    if (!shape || element_count(*shape) > elements_max) return std::nullopt;
    Tensor padded = zeros_like(tensor, *shape);
    const bool filled = tensor.role == Role::input || tensor.role == Role::inout;
    for (std::int64_t i = 0; filled && i < tensor.elements(); ++i) {
      padded.set_bits(linear_of(*shape, index_of(tensor.view.shape, i)), tensor.bits_at(i));
    }
    tensor = std::move(padded);
  }
  return inputs;
}

std::optional<Expected> with_padding(const HypothesisSpace& space, const Sample& sample,
                                     const std::string& axis, std::int64_t size) {
  if (size <= sample.test_case.axes.at(axis)) return std::nullopt;
  const std::optional<Inputs> inputs = grown(space, sample, axis, size);
  if (!inputs) return std::nullopt;
  const std::optional<Expected> large = taken(space.reference(*inputs));
  if (!large) return std::nullopt;
  Expected result = sample.want;
  for (std::size_t t = 0; t < result.outputs.size() && t < sample.got.size(); ++t) {
    const Tensor* grown_output = find_tensor(*inputs, result.outputs[t].name);
    ExpectedTensor& output = result.outputs[t];
    if (grown_output == nullptr || output.value.empty()) return std::nullopt;
    for (std::size_t i = 0; i < output.value.size(); ++i) {
      const auto index = index_of(sample.got[t].view.shape, static_cast<std::int64_t>(i));
      const auto from = static_cast<std::size_t>(linear_of(grown_output->view.shape, index));
      output.value[i] = large->outputs[t].value[from];
      output.envelope[i] = large->outputs[t].envelope[from];
    }
  }
  return result;
}

std::int64_t next_power_of_two(std::int64_t size) {
  std::int64_t power = 1;
  while (power < size) power *= 2;
  return power;
}

void add_parts(std::vector<Hypothesis>& list, const HypothesisSpace& space,
               const std::string& axis) {
  std::vector<std::int64_t> lengths = {1};
  lengths.insert(lengths.end(), space.granularities.begin(), space.granularities.end());
  const auto add = [&](std::string text, const std::function<Range(std::int64_t)>& kept) {
    list.push_back({std::move(text), [space, axis, kept](const Sample& sample) {
                      return with_part(space, sample, axis, kept(sample.test_case.axes.at(axis)));
                    }});
  };
  for (const std::int64_t length : lengths) {
    const std::string many = length == 1 ? axis : fmt::format("{} of {}", length, axis);
    add(fmt::format("as if only the last {} counted", many), [length](std::int64_t size) {
      return Range{size - length, size};
    });
    if (length > 1) {
      add(fmt::format("as if only the last block of {} of {} counted", length, axis),
          [length](std::int64_t size) {
            return Range{(size - 1) / length * length, size};
          });
      add(fmt::format("as if {} ended at its last multiple of {}", axis, length),
          [length](std::int64_t size) {
            return Range{0, size / length * length};
          });
    }
    add(fmt::format("as if only the first {} counted", many), [length](std::int64_t) {
      return Range{0, length};
    });
    add(fmt::format("as if the last {} were dropped", many), [length](std::int64_t size) {
      return Range{0, size - length};
    });
    add(fmt::format("as if the first {} were dropped", many), [length](std::int64_t size) {
      return Range{length, size};
    });
  }
}

void add_paddings(std::vector<Hypothesis>& list, const HypothesisSpace& space,
                  const std::string& axis) {
  list.push_back({fmt::format("as if {} were padded with zeros to a power of two", axis),
                  [space, axis](const Sample& sample) {
                    return with_padding(space, sample, axis,
                                        next_power_of_two(sample.test_case.axes.at(axis)));
                  }});
  for (const std::int64_t granularity : space.granularities) {
    if (granularity < 4) continue;
    list.push_back(
        {fmt::format("as if {} were padded with zeros to a multiple of {}", axis, granularity),
         [space, axis, granularity](const Sample& sample) {
           const std::int64_t size = sample.test_case.axes.at(axis);
           return with_padding(space, sample, axis,
                               (size + granularity - 1) / granularity * granularity);
         }});
  }
}

}  // namespace

std::vector<Hypothesis> axis_hypotheses(const HypothesisSpace& space) {
  std::vector<Hypothesis> list;
  for (const Axis& axis : space.target.op->axes) {
    if (is_reduced(*space.target.op, axis.name)) add_parts(list, space, axis.name);
    add_paddings(list, space, axis.name);
  }
  return list;
}

}  // namespace gate
