// Where the base's files come from: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/base_tree.h"

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/text.h"
#include "gate/policy/git_objects.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

bool names_folder(const std::string& from) {
  return from == "." || from == ".." || from.starts_with("/") || from.starts_with("./") ||
         from.starts_with("../");
}

bool is_policy(const fs::path& file) {
  return file.extension() == ".toml" || file.filename() == "reference.cpp";
}

bool holds_policy(const fs::path& folder) {
  const std::vector<fs::path> files = find_files(folder, "");
  return std::any_of(files.begin(), files.end(), is_policy);
}

/// As with a revision: a link where policy stands may lead to what the head brings along.
Result<Done> refuse_policy_links(const fs::path& folder) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (at->path().filename() == ".git") at.disable_recursion_pending();
    std::error_code unknown;
    if (!at->is_symlink(unknown)) continue;
    const bool leads_to_folder = fs::is_directory(at->path(), unknown);
    if (!is_policy(at->path()) && !(leads_to_folder && holds_policy(at->path()))) continue;
    return machine_failure(
        "the base has policy behind a link: " + at->path().lexically_relative(folder).string(),
        "links are not followed; commit a regular file or folder");
  }
  if (error) return machine_failure("the base cannot be read: " + error.message());
  return Done{};
}

Result<BaseTree> open_folder(const std::string& from) {
  std::error_code error;
  const fs::path folder = fs::canonical(from, error);
  if (error || !fs::is_directory(folder, error)) {
    return machine_failure("--policy-from: there is no folder " + clean_text(from, 300),
                           "it has to hold a checkout of the base revision");
  }
  const Result<Done> linked = refuse_policy_links(folder);
  if (!linked) return linked.failure();
  return BaseTree{folder, "", std::nullopt};
}

Result<BaseTree> open_revision(const std::string& from, const fs::path& repository) {
  const Result<std::string> commit = resolve_commit(repository, from);
  if (!commit) return commit.failure();
  Result<TemporaryFolder> folder = TemporaryFolder::create("gate-base-");
  if (!folder) return folder.failure();
  const Result<Done> written = write_tree(repository, *commit, folder->path());
  if (!written) return written.failure();
  std::error_code error;
  const fs::path place = fs::canonical(folder->path(), error);
  return BaseTree{place, *commit, std::move(*folder)};
}

}  // namespace

fs::path repository_root(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  const fs::path first = fs::is_directory(whole, error) ? whole : whole.parent_path();
  for (fs::path folder = first; folder != folder.root_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder;
  }
  const fs::path here = fs::current_path(error);
  const fs::path relative = first.lexically_relative(here);
  const bool below = !error && !relative.empty() && *relative.begin() != "..";
  return below ? here : first;
}

Result<BaseTree> open_base(const std::string& from, const fs::path& repository) {
  return names_folder(from) ? open_folder(from) : open_revision(from, repository);
}

}  // namespace gate
