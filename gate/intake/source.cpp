// Reading a source: see the header. Types by name, and the choice of the language.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/source.h"

#include <map>

namespace gate {

std::optional<SourceType> source_type(const std::string& name) {
  static const std::map<std::string, SourceType> types = {
      {"float", {DType::f32}},
      {"double", {DType::f64}},
      {"half", {DType::f16}},
      {"__half", {DType::f16}},
      {"Half", {DType::f16}},
      {"__nv_bfloat16", {DType::bf16}},
      {"nv_bfloat16", {DType::bf16}},
      {"bfloat16", {DType::bf16}},
      {"BFloat16", {DType::bf16}},
      {"__nv_fp8_e4m3", {DType::f8e4m3}},
      {"__nv_fp8_e5m2", {DType::f8e5m2}},
      {"int", {DType::i32}},
      {"unsigned", {DType::i32}},
      {"unsigned int", {DType::i32}},
      {"int32_t", {DType::i32}},
      {"uint32_t", {DType::i32}},
      {"long", {DType::i64}},
      {"long long", {DType::i64}},
      {"long int", {DType::i64}},
      {"long long int", {DType::i64}},
      {"int64_t", {DType::i64}},
      {"uint64_t", {DType::i64}},
      {"size_t", {DType::i64}},
      {"ptrdiff_t", {DType::i64}},
      {"unsigned long", {DType::i64}},
      {"unsigned long long", {DType::i64}},
      {"int8_t", {DType::i8}},
      {"signed char", {DType::i8}},
      {"uint8_t", {DType::u8}},
      {"unsigned char", {DType::u8}},
      {"char", {DType::i8}},
      {"bool", {DType::boolean}},
      {"float2", {DType::f32, 2}},
      {"float4", {DType::f32, 4}},
      {"__half2", {DType::f16, 2}},
      {"half2", {DType::f16, 2}},
      {"__nv_bfloat162", {DType::bf16, 2}},
      {"int4", {DType::i32, 4}},
  };
  const std::size_t colon = name.rfind(':');
  const auto found = types.find(colon == std::string::npos ? name : name.substr(colon + 1));
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

std::string to_text(SourceFunction::What what) {
  switch (what) {
    case SourceFunction::What::kernel:
      return "__global__ function";
    case SourceFunction::What::launcher:
      return "extern \"C\" launcher";
    case SourceFunction::What::python:
      return "Python function";
    case SourceFunction::What::triton:
      return "Triton kernel";
    case SourceFunction::What::module:
      return "module class";
  }
  return {};
}

Result<SourceReading> read_source(const std::string& text, const std::filesystem::path& file) {
  SourceReading reading;
  reading.file = file;
  reading.python = file.extension() == ".py";
  auto functions =
      reading.python ? read_python_functions(text, file) : read_cpp_functions(text, file);
  if (!functions) return functions.failure();
  reading.functions = std::move(*functions);
  reading.constants = mine_tiles(text);
  bool callable = false;
  for (const SourceFunction& function : reading.functions) {
    callable = callable || function.what != SourceFunction::What::triton;
  }
  if (callable) return reading;
  const Place place{file.string(), 0, 0};
  if (!reading.functions.empty()) {
    const SourceFunction& first = reading.functions.front();
    return user_failure("the Triton kernel " + first.name + " has no function that launches it",
                        "add a function of tensors that allocates the output and launches it",
                        {file.string(), first.line, 0});
  }
  return reading.python ? user_failure("no top-level function and no class ModelNew", "", place)
                        : user_failure("no __global__ function and no extern \"C\" function",
                                       "mark what the gate shall call with one of them", place);
}

}  // namespace gate
