// [contract] of op.toml.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/spec/op_parts.h"

namespace gate {
namespace {

void check_laws(OpReading& reading, TableReader& table, const std::vector<std::string>& laws) {
  const std::vector<std::string>& known = reading.known.laws;
  for (const std::string& law : laws) {
    const TomlValue& where = *table.find("laws");
    if (!is_identifier(law)) {
      reading.problems.add(where, fmt::format("contract.laws: \"{}\" is not a name", law));
    } else if (!known.empty() && std::find(known.begin(), known.end(), law) == known.end()) {
      reading.problems.add(where, fmt::format("contract.laws: there is no law \"{}\"", law),
                           word_hint(law, known));
    }
  }
}

/// Where sums are kept, and how values between two steps are stored.
void read_precision(OpReading& reading, TableReader& table) {
  Contract& contract = reading.schema.contract;
  contract.accumulate = table.dtype("accumulate");
  const auto accumulate = contract.accumulate.value_or(DType::f32);
  if (!facts(accumulate).is_float && accumulate != DType::i32 && accumulate != DType::i64) {
    reading.problems.add(*table.find("accumulate"),
                         "contract.accumulate must be a float dtype, i32 or i64");
  }
  const TomlValue* intermediate = table.find("intermediate");
  const auto* word = intermediate ? std::get_if<std::string>(&intermediate->content) : nullptr;
  if (word && *word == "input") {
    contract.intermediate_as_input = true;
    return;
  }
  contract.intermediate = table.dtype("intermediate");
  if (contract.intermediate && !facts(*contract.intermediate).is_float) {
    reading.problems.add(*intermediate, "contract.intermediate must be a float dtype or \"input\"");
  }
}

}  // namespace

void read_contract(OpReading& reading, TableReader& root) {
  const TomlValue* value = root.table("contract");
  if (!value) return;
  TableReader table(reading.problems, *value, "contract");
  Contract& contract = reading.schema.contract;
  contract.nan = table.word("nan", {"parity", "any"}).value_or("parity");
  read_precision(reading, table);
  for (auto [key, field] :
       {std::pair{"fast_math", &contract.fast_math},
        std::pair{"flush_to_zero", &contract.flush_to_zero}, std::pair{"tf32", &contract.tf32},
        std::pair{"saturate", &contract.saturate},
        std::pair{"truncating_store", &contract.truncating_store},
        std::pair{"signed_zero", &contract.signed_zero}}) {
    *field = table.boolean(key).value_or(false);
  }
  contract.determinism =
      table.word("determinism", {"bitwise", "within_envelope"}).value_or("bitwise");
  contract.laws = table.texts("laws");
  check_laws(reading, table, contract.laws);
  contract.constraints = table.expressions("constraints", expression_names(reading.schema));
  contract.magnitude_max = table.number("magnitude_max").value_or(0);
  if (!(contract.magnitude_max >= 0) || std::isinf(contract.magnitude_max)) {
    reading.problems.add(*table.find("magnitude_max"),
                         "contract.magnitude_max must be a finite number, at least 0");
  }
  table.finish();
}

}  // namespace gate
