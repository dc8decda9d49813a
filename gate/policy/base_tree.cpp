// Where the base's files come from: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/base_tree.h"

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

Result<BaseTree> open_folder(const std::string& from) {
  std::error_code error;
  const fs::path folder = fs::canonical(from, error);
  if (error || !fs::is_directory(folder, error)) {
    return machine_failure("--policy-from: there is no folder " + clean_text(from, 300),
                           "it has to hold a checkout of the base revision");
  }
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
