// gate schema: what is generated for one kernel: printed, written beside it, or compared with what
// was committed.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/schema_text.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

struct SchemaOptions {
  std::string device, profile;  // empty: as the committed form, else the defaults
  bool write = false, check = false;
};

/// A committed schema is of one device, the same on every machine: emu where nobody says which.
std::string device_for_schema(const KernelSpec& kernel, const SchemaOptions& options) {
  const bool committed = options.write || options.check;
  const std::string fallback = committed ? "emu" : "auto";
  const std::string& wanted = options.device.empty() ? fallback : options.device;
  return device_of(kernel, resolve_device(wanted));
}

Result<std::string> text_for(const Catalogue& catalogue, const KernelSpec& kernel,
                             const SchemaOptions& options) {
  const std::string profile = options.profile.empty() ? "pr" : options.profile;
  const auto found = catalogue.config.profiles.find(profile);
  if (found == catalogue.config.profiles.end()) {
    return user_failure("unknown profile: " + profile, "pr or nightly");
  }
  return schema_text({*find_op(catalogue, kernel.op), kernel, device_for_schema(kernel, options),
                      profile, found->second});
}

std::string refresh_hint(const KernelSpec& kernel) {
  return fmt::format("`gate schema {} --write` refreshes it", shown_path(kernel.file).string());
}

/// The first line that differs, as a place and a text.
Problem difference(const std::string& committed, const std::string& now, const KernelSpec& kernel) {
  const std::vector<std::string> old_lines = split(committed, '\n'), lines = split(now, '\n');
  std::size_t at = 0;
  while (at < old_lines.size() && at < lines.size() && old_lines[at] == lines[at]) ++at;
  const std::string fresh = at < lines.size() ? std::string(trim(lines[at])) : "nothing";
  constexpr std::size_t shown_max = 120;
  return {{shown_path(schema_file(kernel)).string(), static_cast<int>(at) + 1, 0},
          "this schema is stale; now here: " + clean_text(fresh, shown_max),
          refresh_hint(kernel)};
}

class CheckSchemas {
 public:
  CheckSchemas(const Catalogue& catalogue, const SchemaOptions& options, std::ostream& out)
      : catalogue_(catalogue), options_(options), out_(out) {}

  Result<int> run() {
    for (const KernelSpec& kernel : catalogue_.kernels) {
      const Result<Done> checked = check(kernel);
      if (!checked) return checked.failure();
    }
    if (compared_ == 0 && problems_.empty()) add_missing();
    for (const Problem& problem : problems_)
      out_ << to_text(Failure{Fault::user, {problem}}) << "\n";
    out_ << fmt::format("{} committed schemas compared, {} problems, {} kernels without one\n",
                        compared_, problems_.size(), catalogue_.kernels.size() - compared_);
    return problems_.empty() ? 0 : 1;
  }

 private:
  Result<Done> check(const KernelSpec& kernel) {
    const fs::path file = schema_file(kernel);
    std::error_code error;
    if (!fs::exists(file, error)) return Done{};
    ++compared_;
    const Result<std::string> committed = read_file(file);
    if (!committed) return committed.failure();
    SchemaOptions options = options_;
    const SchemaHead head = schema_head(*committed);
    if (options.device.empty()) options.device = head.device;
    if (options.profile.empty()) options.profile = head.profile;
    const Result<std::string> now = text_for(catalogue_, kernel, options);
    if (!now) {
      problems_.push_back({{shown_path(file).string(), 0, 0},
                           "its head does not name a profile of this gate.toml",
                           refresh_hint(kernel)});
    } else if (*now != *committed) {
      problems_.push_back(difference(*committed, *now, kernel));
    }
    return Done{};
  }

  /// Asked to compare, and nothing is there to compare with.
  void add_missing() {
    for (const KernelSpec& kernel : catalogue_.kernels) {
      problems_.push_back(
          {{shown_path(schema_file(kernel)).string(), 0, 0},
           "no schema is committed for this kernel",
           fmt::format("`gate schema {} --write` writes it", shown_path(kernel.file).string())});
    }
  }

  const Catalogue& catalogue_;
  const SchemaOptions& options_;
  std::ostream& out_;
  std::vector<Problem> problems_;
  std::size_t compared_ = 0;
};

Result<int> write_schemas(const Catalogue& catalogue, const SchemaOptions& options,
                          std::ostream& out) {
  for (const KernelSpec& kernel : catalogue.kernels) {
    const Result<std::string> text = text_for(catalogue, kernel, options);
    if (!text) return text.failure();
    const fs::path file = schema_file(kernel);
    const Result<std::string> before = read_file(file);
    const bool same = before && *before == *text;
    if (!same) {
      const Result<Done> written = write_file(file, *text);
      if (!written) return written.failure();
    }
    out << (same ? "unchanged  " : "wrote      ") << shown_path(file).string() << "\n";
  }
  return 0;
}

Result<int> print_schemas(const Catalogue& catalogue, const SchemaOptions& options,
                          std::ostream& out) {
  std::string_view gap;
  for (const KernelSpec& kernel : catalogue.kernels) {
    const Result<std::string> text = text_for(catalogue, kernel, options);
    if (!text) return text.failure();
    out << std::exchange(gap, "\n") << *text;
  }
  return 0;
}

Result<int> with_catalogue(const std::vector<std::string>& names, const SchemaOptions& options,
                           std::ostream& out) {
  const Result<Catalogue> catalogue = open_catalogue({names.begin(), names.end()}, false);
  if (!catalogue) return catalogue.failure();
  if (options.check) return CheckSchemas(*catalogue, options, out).run();
  if (options.write) return write_schemas(*catalogue, options, out);
  return print_schemas(*catalogue, options, out);
}

}  // namespace

int schema_verb(const Invocation& invocation) {
  std::vector<std::string> names;
  SchemaOptions options;
  Arguments flags;
  flags.positional("KERNEL", names);
  flags.option("--device", options.device);
  flags.option("--profile", options.profile);
  flags.flag("--write", options.write);
  flags.flag("--check", options.check);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (names.empty()) {
    return report_failure(user_failure("schema takes a kernel's .toml or source"), invocation.err);
  }
  if (options.write && options.check) {
    return report_failure(user_failure("--write and --check exclude each other"), invocation.err);
  }
  const Result<int> code = with_catalogue(names, options, invocation.out);
  return code ? *code : report_failure(code.failure(), invocation.err);
}

}  // namespace gate
