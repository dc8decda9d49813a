// Source to image: g++ -E, the translator, g++.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/build.h"

#include <fmt/format.h>

#include <filesystem>

#include "gate/base/files.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/device/emu/compiler.h"
#include "gate/device/emu/entries.h"
#include "gate/device/emu/include/gate_emu/abi.h"
#include "gate/device/emu/translation.h"
#include "gate/device/emu/unsupported.h"

namespace gate {

namespace {

constexpr std::size_t message_bytes_max = 4000;

BuildReply reply(Kind kind, const std::string& text) {
  return {kind, clean_text(text, message_bytes_max), false};
}

BuildReply environment(const Failure& failure) {
  return reply(Kind::environment, to_text(failure));
}

std::string include_folder() { return (runtime_folder() / "gate/device/emu/include").string(); }

/// "file:12" of a compiler message "…/file:12:5: …".
std::string place_of(std::string_view line) {
  const std::vector<std::string> parts = split(line, ':');
  if (parts.size() < 2) return {};
  return std::filesystem::path(parts[0]).filename().string() + ":" + parts[1];
}

/// A header that is not there may belong to a library the emulator does not have.
BuildReply preprocess_problem(const std::string& errors) {
  constexpr std::string_view fatal = "fatal error: ", missing = ": No such file or directory";
  for (const std::string& line : split(errors, '\n')) {
    const std::size_t begin = line.find(fatal), end = line.find(missing);
    if (begin == std::string::npos || end == std::string::npos) continue;
    const std::string header = line.substr(begin + fatal.size(), end - begin - fatal.size());
    const std::string library = unsupported_library(header);
    if (!library.empty()) {
      return reply(Kind::unsupported,
                   fmt::format("{} (<{}>) at {}", library, header, place_of(line)));
    }
  }
  return reply(Kind::build_failed, errors);
}

BuildReply compile(const Translation& translation, const std::string& table,
                   const BuildRequest& request) {
  auto folder = TemporaryFolder::create("gate-emu");
  if (!folder) return environment(folder.failure());
  const std::string source = (folder->path() / "translated.ii").string();
  if (auto written = write_file(source, translation.text + table); !written) {
    return environment(written.failure());
  }
  const auto ended = run_compiler(compile_arguments(source, request.output));
  if (!ended) return environment(ended.failure());
  if (ended->timed_out) return reply(Kind::build_failed, "the compiler did not end in time");
  if (ended->exit_code != 0) return reply(Kind::build_failed, ended->errors);
  BuildReply built = reply(Kind::pass, {});
  built.uses_shared_or_atomics = translation.facts.shared_or_atomics;
  return built;
}

}  // namespace

BuildReply build_emu_image(const BuildRequest& request) {
  const auto preprocessed = run_compiler(preprocess_arguments(request, include_folder()));
  if (!preprocessed) return environment(preprocessed.failure());
  if (preprocessed->exit_code != 0) return preprocess_problem(preprocessed->errors);
  const Translation translation = translate(preprocessed->output);
  if (!translation.unsupported.empty()) {
    return reply(Kind::unsupported, join(translation.unsupported, "; "));
  }
  const auto table = entry_table(translation, request);
  if (!table) return reply(Kind::build_failed, table.failure().problems.front().text);
  return compile(translation, *table, request);
}

std::string emu_build_identity() {
  const auto version = compiler_version();
  return fmt::format("{} {} {}", version ? *version : "no compiler", join(instruction_flags(), " "),
                     gate_emu::abi_version);
}

std::string emu_facts() {
  const auto version = compiler_version();
  return fmt::format(R"({{"name": "emulated CUDA device", "compiler": "{}", "flags": "{}"}})",
                     version ? *version : "none", join(instruction_flags(), " "));
}

}  // namespace gate
