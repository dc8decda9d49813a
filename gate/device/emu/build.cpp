// Source to image: g++ -E, the translator, g++.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/build.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "gate/base/files.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/device/emu/assembly.h"
#include "gate/device/emu/checked_hooks.h"
#include "gate/device/emu/compiler.h"
#include "gate/device/emu/entries.h"
#include "gate/device/emu/include/gate_emu/abi.h"
#include "gate/device/emu/translation.h"
#include "gate/device/emu/unsupported.h"
#include "gate/worker/build_time.h"

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

/// A step of the build: nothing if it went well.
std::optional<BuildReply> step(const Result<ProcessResult>& ended, const char* what) {
  if (!ended) return environment(ended.failure());
  if (ended->timed_out) return out_of_time(*ended, what, compile_ms_max);
  if (ended->exit_code == 0) return std::nullopt;
  const std::vector<std::string> names = unsupported_names(ended->errors);
  if (!names.empty()) return reply(Kind::unsupported, join(names, "; "));
  return reply(Kind::build_failed, ended->errors);
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), with);
    at += with.size();
  }
  return text;
}

/// The two words of a translated source in which the variants differ.
std::string variant_text(const std::string& text, bool checked) {
  constexpr std::string_view unchecked = "__attribute__((no_sanitize(\"thread\"), noinline))";
  return replaced(replaced(text, "__gate_unchecked", checked ? unchecked : ""), "__gate_checked",
                  checked ? "true" : "false");
}

class ImageBuild {
 public:
  ImageBuild(std::string text, const BuildRequest& request, std::filesystem::path folder)
      : text_(std::move(text)), request_(request), folder_(std::move(folder)) {}

  /// Plain and checked: lost updates need neither shared memory nor atomics, so every kernel is
  /// watched at times.
  std::optional<BuildReply> run() {
    if (auto problem = compile("plain", variant_text(text_, false), {})) return problem;
    if (auto problem = add_checked()) return problem;
    return step(
        run_compiler({"-shared", "-o", request_.output, file("plain.o"), file("checked-local.o")}),
        "linking");
  }

 private:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  std::optional<BuildReply> compile(const std::string& name, const std::string& text,
                                    const std::vector<std::string>& extra) {
    const std::string source = file(name + ".ii");
    if (auto written = write_file(source, text); !written) return environment(written.failure());
    const std::string assembly = file(name + ".s");
    if (auto problem =
            step(run_compiler(compile_arguments(source, assembly, extra)), "compiling")) {
      return problem;
    }
    const auto made = read_file(assembly);
    if (!made) return environment(made.failure());
    if (auto written = write_file(assembly, with_saturating_conversions(*made)); !written) {
      return environment(written.failure());
    }
    return step(run_compiler({"-c", assembly, "-o", file(name + ".o")}), "assembling");
  }

  /// The same source once more with hooks; its symbols become local, so that both fit one image.
  std::optional<BuildReply> add_checked() {
    const std::string text = variant_text(text_, true) + checked_hooks();
    const std::vector<std::string> flags(std::begin(checked_flags), std::end(checked_flags));
    if (auto problem = compile("checked", text, flags)) return problem;
    const std::string merged = file("checked-merged.o");
    if (auto problem = step(
            run_tool({"ld", "-r", "--force-group-allocation", "-o", merged, file("checked.o")}),
            "linking")) {
      return problem;
    }
    return step(
        run_tool({"objcopy", "--redefine-sym", "gate_emu_image=gate_emu_image_checked",
                  "--keep-global-symbol=gate_emu_image_checked", merged, file("checked-local.o")}),
        "objcopy");
  }

  std::string text_;
  const BuildRequest& request_;
  std::filesystem::path folder_;
};

BuildReply build_translated(const Translation& translation, const BuildRequest& request) {
  const auto table = entry_table(translation, request);
  if (!table) return reply(Kind::build_failed, table.failure().problems.front().text);
  auto folder = TemporaryFolder::create("gate-emu");
  if (!folder) return environment(folder.failure());
  const SourceFacts& facts = translation.facts;
  ImageBuild build(translation.text + *table, request, folder->path());
  if (auto problem = build.run()) return *problem;
  BuildReply built = reply(Kind::pass, {});
  built.uses_shared_or_atomics = facts.shared_or_atomics;
  return built;
}

}  // namespace

BuildReply build_emu_image(const BuildRequest& request) {
  const auto preprocessed = run_compiler(preprocess_arguments(request, include_folder()));
  if (!preprocessed) return environment(preprocessed.failure());
  if (preprocessed->exit_code != 0) return preprocess_problem(preprocessed->errors);
  const Translation translation = translate(preprocessed->output, true);
  if (!translation.unsupported.empty()) {
    return reply(Kind::unsupported, join(translation.unsupported, "; "));
  }
  BuildReply built = build_translated(translation, request);
  if (built.kind == Kind::build_failed && translation.marked) {
    // The marks are ours, so the source gets its say without them.
    built = build_translated(translate(preprocessed->output, false), request);
  }
  return built;
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
