// Null kernels: see the header. Each is one function and one row of the table.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/null_kernels.h"

#include <algorithm>
#include <cmath>

#include "gate/oracle/contract.h"
#include "gate/oracle/laws.h"

namespace gate {
namespace {

using Outputs = std::vector<Tensor>;

const ExpectedTensor* want_of(const Expected& expected, const std::string& name) {
  for (const ExpectedTensor& tensor : expected.outputs) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

/// Stores expected element `from` as output element `to`.
void put(Tensor& output, std::int64_t to, const ExpectedTensor& want, std::int64_t from) {
  const auto place = static_cast<std::size_t>(from);
  if (facts(output.dtype).is_float) {
    output.set(to, want.value[place]);
  } else {
    output.set_integer(to, want.integers[place]);
  }
}

/// Writes `expected` itself, element `i` taken from element `source(i)`.
template <class Source>
bool put_all(Outputs& outputs, const Expected& expected, Source source) {
  for (Tensor& output : outputs) {
    const ExpectedTensor* want = want_of(expected, output.name);
    if (want == nullptr) return false;
    for (std::int64_t i = 0; i < output.elements(); ++i) put(output, i, *want, source(output, i));
  }
  return true;
}

bool zeros(Outputs& outputs, const NullSubject&) {
  for (Tensor& output : outputs) {
    for (std::int64_t i = 0; i < output.elements(); ++i) output.set_bits(i, 0);
  }
  return true;
}

bool poison_left(Outputs& outputs, const NullSubject&) {
  for (Tensor& output : outputs) poison(output);
  return true;
}

/// The mean of the reference everywhere: passes wherever statistics decide.
bool constant(Outputs& outputs, const NullSubject& subject) {
  for (Tensor& output : outputs) {
    const ExpectedTensor* want = want_of(subject.expected, output.name);
    if (want == nullptr || !facts(output.dtype).is_float) return false;
    double sum = 0;
    std::int64_t count = 0;
    for (const double value : want->value) {
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
    if (count == 0) return false;
    for (std::int64_t i = 0; i < output.elements(); ++i) {
      output.set(i, sum / static_cast<double>(count));
    }
  }
  return true;
}

bool copy_of_input(Outputs& outputs, const NullSubject& subject) {
  for (Tensor& output : outputs) {
    const Tensor* source = nullptr;
    for (const Tensor& tensor : subject.inputs.tensors) {
      const bool fits = tensor.role == Role::input && tensor.elements() == output.elements() &&
                        facts(tensor.dtype).is_float == facts(output.dtype).is_float;
      if (fits && source == nullptr) source = &tensor;
    }
    if (source == nullptr) return false;
    for (std::int64_t i = 0; i < output.elements(); ++i) {
      if (facts(output.dtype).is_float) {
        output.set(i, source->at(i));
      } else {
        output.set_integer(i, source->integer_at(i));
      }
    }
  }
  return true;
}

bool previous_output(Outputs& outputs, const NullSubject& subject) {
  if (subject.previous.size() != outputs.size()) return false;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::int64_t known = subject.previous[o].elements();
    if (known == 0) return false;
    for (std::int64_t i = 0; i < outputs[o].elements(); ++i) {
      outputs[o].set_bits(i, subject.previous[o].bits_at(i % known));
    }
  }
  return true;
}

bool rows_permuted(Outputs& outputs, const NullSubject& subject) {
  return put_all(outputs, subject.expected, [](const Tensor& output, std::int64_t element) {
    const std::vector<std::int64_t>& shape = output.view.shape;
    const std::int64_t rows = shape.empty() ? 1 : shape.front();
    const std::int64_t inner = output.elements() / std::max<std::int64_t>(1, rows);
    return (element / inner + 1) % rows * inner + element % inner;
  });
}

bool sign_flipped(Outputs& outputs, const NullSubject& subject) {
  if (!put_all(outputs, subject.expected, [](const Tensor&, std::int64_t i) { return i; })) {
    return false;
  }
  for (Tensor& output : outputs) {
    for (std::int64_t i = 0; i < output.elements(); ++i) {
      if (facts(output.dtype).is_float) {
        output.set(i, -output.at(i));
      } else {
        output.set_integer(i, -output.integer_at(i));
      }
    }
  }
  return true;
}

/// The last index along every axis that is summed away (in inputs, in no output) zeroed.
bool last_terms_dropped(Outputs& outputs, const NullSubject& subject) {
  Inputs shorter = subject.inputs;
  bool any = false;
  for (const TensorSchema& schema : subject.op.inputs) {
    Tensor* tensor = find_tensor(shorter, schema.name);
    if (tensor == nullptr || !facts(tensor->dtype).is_float || schema.shape.empty()) continue;
    const std::vector<std::int64_t>& shape = tensor->view.shape;
    std::int64_t inner = tensor->elements();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      inner /= std::max<std::int64_t>(1, shape[d]);
      const std::string axis = schema.shape[d].text();
      const bool kept = std::any_of(
          subject.op.outputs.begin(), subject.op.outputs.end(), [&](const TensorSchema& output) {
            return d + 1 != schema.shape.size() && axis_dimension(output, axis).has_value();
          });
      if (kept || shape[d] < 2) continue;
      for (std::int64_t i = 0; i < tensor->elements(); ++i) {
        if (i / inner % shape[d] == shape[d] - 1) tensor->set(i, 0);
      }
      any = true;
    }
  }
  if (!any) return false;
  const std::optional<Expected> truncated = subject.reference(shorter);
  return truncated && put_all(outputs, *truncated, [](const Tensor&, std::int64_t i) { return i; });
}

bool other_seed(Outputs& outputs, const NullSubject& subject) {
  return subject.other_seed &&
         put_all(outputs, *subject.other_seed, [](const Tensor&, std::int64_t i) { return i; });
}

/// Whether a null output is the right one after all: then there is nothing to reject.
bool equals_reference(const Outputs& outputs, const Expected& expected) {
  return std::all_of(outputs.begin(), outputs.end(), [&](const Tensor& output) {
    const ExpectedTensor* want = want_of(expected, output.name);
    if (want == nullptr) return false;
    Tensor right = output;
    for (std::int64_t i = 0; i < output.elements(); ++i) {
      put(right, i, *want, i);
      const bool both_nan = std::isnan(right.at(i)) && std::isnan(output.at(i));
      if (!both_nan && right.at(i) != output.at(i)) return false;
    }
    return true;
  });
}

}  // namespace

const std::vector<NullKernel>& all_null_kernels() {
  static const std::vector<NullKernel> kernels = {
      {"zeros", zeros},
      {"poison", poison_left},
      {"constant", constant},
      {"copy_of_input", copy_of_input},
      {"previous_output", previous_output},
      {"rows_permuted", rows_permuted},
      {"sign_flipped", sign_flipped},
      {"last_terms_dropped", last_terms_dropped},
      {"other_seed", other_seed},
  };
  return kernels;
}

NullVerdict try_null_kernel(const NullKernel& kernel, const NullSubject& subject,
                            const Judging& judging) {
  Outputs outputs;
  for (const Tensor& tensor : subject.inputs.tensors) {
    if (tensor.role != Role::output && tensor.role != Role::inout) continue;
    outputs.push_back(
        make_tensor(tensor.name, Role::output, tensor.dtype, contiguous_view(tensor.view.shape)));
  }
  if (outputs.empty() || !kernel.fill(outputs, subject)) return NullVerdict::not_applicable;
  if (equals_reference(outputs, subject.expected)) return NullVerdict::equals_reference;
  Outcome outcome;
  outcome.after = std::move(outputs);
  const Verdict verdict = judge({judging, outcome});
  return colour(verdict.kind) == Colour::red ? NullVerdict::rejected : NullVerdict::survived;
}

}  // namespace gate
