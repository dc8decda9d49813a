// Loading images and matching launch steps with their functions.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/image.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace gate {

using gate_emu::Entry;
using gate_emu::Parameter;

LoadedImage::~LoadedImage() {
  // Left open: a launcher's static objects may still refer to the runtime at exit.
}

Result<Done> LoadedImage::open(const std::string& path) {
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return machine_failure("the image cannot be loaded", dlerror());
  plain_ = static_cast<const gate_emu::Image*>(dlsym(library_, "gate_emu_image"));
  checked_ = static_cast<const gate_emu::Image*>(dlsym(library_, "gate_emu_image_checked"));
  path_ = path;
  if (plain_ == nullptr || plain_->abi != gate_emu::abi_version) {
    return machine_failure("the image was built for another version", "build it again");
  }
  return Done{};
}

const gate_emu::Image& LoadedImage::variant(bool checked) const {
  return checked && checked_ != nullptr ? *checked_ : *plain_;
}

std::string LoadedImage::place_of(const void* pc) const {
  Dl_info code{}, image{};
  if (pc == nullptr || dladdr(pc, &code) == 0 || dladdr(plain_, &image) == 0) return {};
  if (code.dli_fbase != image.dli_fbase) return {};
  if (!lines_) lines_ = SourceLines::of_image(path_);
  return lines_->find(static_cast<std::uint64_t>(static_cast<const std::byte*>(pc) -
                                                 static_cast<const std::byte*>(code.dli_fbase)));
}

namespace {

/// "T = const float*" from the compiler's spelling of the describing function.
std::string type_name(const Parameter& parameter) {
  const std::string text = parameter.type;
  const std::size_t begin = text.find("T = ");
  if (begin == std::string::npos) return text;
  const std::size_t end = text.find_last_of(']');
  return text.substr(begin + 4, end - begin - 4);
}

char element_letter(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 'd';
    case DType::f32:
      return 'f';
    case DType::f16:
      return 'h';
    case DType::bf16:
      return 'b';
    case DType::f8e4m3:
      return '4';
    case DType::f8e5m2:
      return '5';
    case DType::i8:
      return 'c';
    case DType::u8:
      return 'u';
    case DType::i32:
      return 'i';
    case DType::i64:
      return 'l';
    case DType::boolean:
      return 'o';
  }
  return '?';
}

/// Why an argument does not fit a parameter; empty if it does.
std::string misfit(const ResolvedArgument& argument, const Parameter& parameter) {
  if (argument.is_pointer || argument.is_stream) {
    if (parameter.kind == 'p') return {};
    return fmt::format("is a {}, the parameter is {}", argument.is_stream ? "stream" : "pointer",
                       type_name(parameter));
  }
  const DTypeFacts& dtype = facts(argument.dtype);
  const bool same_size = parameter.bytes == dtype.bytes;
  const bool is_float = parameter.kind == 'f';
  const bool scalar = parameter.kind == 'i' || parameter.kind == 'b' || is_float;
  if (scalar && same_size && is_float == dtype.is_float) return {};
  return fmt::format("is {}, the parameter is {}", dtype.name, type_name(parameter));
}

/// How well an overload's pointees match the tensors' dtypes.
int likeness(const Entry& entry, const std::vector<DType>& pointees) {
  int score = 0;
  for (unsigned i = 0; i < entry.count && i < pointees.size(); ++i) {
    if (entry.parameters[i].element == element_letter(pointees[i])) ++score;
  }
  return score;
}

}  // namespace

Result<const Entry*> find_entry(const gate_emu::Image& image, const ResolvedStep& step,
                                const std::vector<DType>& pointees) {
  const Entry* best = nullptr;
  std::string why = "the image has no such function";
  for (unsigned i = 0; i < image.entry_count; ++i) {
    const Entry& entry = image.entries[i];
    if (step.entry != entry.name) continue;
    if (entry.count != step.arguments.size()) {
      why = fmt::format("it takes {} arguments, the launch gives {}", entry.count,
                        step.arguments.size());
      continue;
    }
    std::string problem;
    for (unsigned a = 0; a < entry.count && problem.empty(); ++a) {
      problem = misfit(step.arguments[a], entry.parameters[a]);
      if (!problem.empty()) problem = fmt::format("argument {} {}", a + 1, problem);
    }
    if (!problem.empty()) {
      why = problem;
      continue;
    }
    if (best == nullptr || likeness(entry, pointees) > likeness(*best, pointees)) best = &entry;
  }
  if (best != nullptr) return best;
  return user_failure(fmt::format("{}: {}", step.entry, why));
}

}  // namespace gate
