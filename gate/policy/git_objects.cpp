// Reading a revision from git's objects: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/git_objects.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <vector>

#include "gate/base/process.h"
#include "gate/base/text.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t listing_bytes_max = 256u << 20;
constexpr std::int64_t file_size_max = 16 << 20;
constexpr std::int64_t tree_size_max = std::int64_t{1} << 30;
constexpr std::int64_t batch_size_max = 32 << 20;
constexpr int git_timeout_ms = 120'000;

constexpr std::array<std::string_view, 22> extensions = {
    ".toml", ".cu",  ".cuh", ".cpp", ".cc", ".cxx", ".c",  ".h",   ".hh",    ".hpp", ".hxx",
    ".inl",  ".inc", ".ipp", ".tpp", ".py", ".ptx", ".so", ".def", ".cubin", ".ii",  ".impl"};

Result<ProcessResult> git(const fs::path& repository, std::vector<std::string> words,
                          std::string input, std::size_t output_bytes_max) {
  // The runner that checked the repository out is often another user than ours; only reading.
  std::vector<std::string> arguments = {"env"};
  for (const char* variable : {"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
                               "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
                               "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_INDEX_FILE"}) {
    arguments.insert(arguments.end(), {"-u", variable});
  }
  arguments.insert(arguments.end(), {"git", "--no-replace-objects", "-c", "safe.directory=*", "-C",
                                     repository.string()});
  arguments.insert(arguments.end(), words.begin(), words.end());
  ProcessOptions options;
  options.timeout_ms = git_timeout_ms;
  options.input = std::move(input);
  options.output_bytes_max = output_bytes_max;
  return run_process(arguments, options);
}

struct Object {
  std::string mode, hash, path;
  std::int64_t size = 0;
};

/// "100644 blob <hash>    1234\t<path>"
std::optional<Object> parse_entry(const std::string& entry) {
  const std::size_t tab = entry.find('\t');
  if (tab == std::string::npos) return std::nullopt;
  std::vector<std::string> words;
  for (const std::string& word : split(entry.substr(0, tab), ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  if (words.size() != 4) return std::nullopt;
  return Object{words[0], words[2], entry.substr(tab + 1), parse_integer(words[3]).value_or(-1)};
}

bool is_plain_path(const std::string& path) {
  const std::vector<std::string> parts = split(path, '/');
  return std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
    return !part.empty() && part != "." && part != ".." && part != ".git";
  });
}

bool is_read(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

/// Without these a contract would seem not to exist, and the head's would be taken as a new one.
bool is_policy(const std::string& path) {
  const fs::path name = fs::path(path).filename();
  return path.ends_with(".toml") || name == "reference.cpp" || name == "reference.py";
}

Result<std::vector<Object>> list_tree(const fs::path& repository, const std::string& commit) {
  const auto ran =
      git(repository, {"ls-tree", "-r", "-z", "-l", "--full-tree", commit}, {}, listing_bytes_max);
  if (!ran) return ran.failure();
  if (ran->exit_code != 0 || ran->output.size() >= listing_bytes_max) {
    return machine_failure("git cannot list the base revision: " + clean_text(ran->errors, 300),
                           "fetch its whole tree: fetch-depth: 0, or git fetch origin BASE");
  }
  std::vector<Object> objects;
  for (const std::string& entry : split(ran->output, '\0')) {
    if (entry.empty()) continue;
    const std::optional<Object> object = parse_entry(entry);
    if (!object || !is_plain_path(object->path)) {
      return machine_failure("the base revision has a file that cannot be placed: " +
                             clean_text(entry, 300));
    }
    objects.push_back(*object);
  }
  return objects;
}

/// Content of a link, as git keeps it.
std::string link_target(const fs::path& repository, const Object& link) {
  const auto ran = git(repository, {"cat-file", "blob", link.hash}, {}, 4096);
  return ran && ran->exit_code == 0 ? ran->output : std::string();
}

/// A link to a folder of the tree may stand for a whole op folder.
Result<Done> refuse_policy_links(const fs::path& repository, const std::vector<Object>& objects) {
  std::set<std::string> folders;
  for (const Object& object : objects) {
    for (fs::path at = fs::path(object.path).parent_path(); !at.empty(); at = at.parent_path()) {
      if (is_policy(object.path)) folders.insert(at.string());
    }
  }
  for (const Object& object : objects) {
    if (object.mode != "120000") continue;
    const fs::path target =
        (fs::path(object.path).parent_path() / link_target(repository, object)).lexically_normal();
    std::string place = target.string();
    if (place.ends_with("/")) place.pop_back();
    if (!is_policy(object.path) && folders.count(place) == 0) continue;
    return machine_failure("the base revision has policy behind a link: " + object.path,
                           "links are not followed; commit a regular file or folder");
  }
  return Done{};
}

/// Objects that are written; those too large for a source are left out.
Result<std::vector<Object>> choose(const std::vector<Object>& objects) {
  std::vector<Object> chosen;
  std::int64_t total = 0;
  for (const Object& object : objects) {
    if (!object.mode.starts_with("100") || !is_read(object.path)) continue;
    const bool fits = object.size >= 0 && object.size <= file_size_max;
    if (!fits && is_policy(object.path)) {
      return machine_failure("a policy file of the base revision is too large: " + object.path);
    }
    if (!fits) continue;
    total += object.size;
    chosen.push_back(object);
  }
  if (total > tree_size_max) {
    return machine_failure("the sources of the base revision are larger than 1 GiB",
                           "give --policy-from the folder of a checkout instead");
  }
  return chosen;
}

/// A submodule is an empty folder, as in a checkout without it.
Result<Done> make_submodules(const std::vector<Object>& objects, const fs::path& folder) {
  for (const Object& object : objects) {
    if (object.mode != "160000") continue;
    std::error_code error;
    fs::create_directories(folder / object.path, error);
    if (error) return machine_failure("cannot make a folder of the base: " + error.message());
  }
  return Done{};
}

/// Writes one answer of `git cat-file --batch`: "<hash> blob <size>\n<bytes>\n".
Result<Done> write_objects(const std::string& answer, const std::vector<Object>& objects,
                           const fs::path& folder) {
  std::size_t at = 0;
  for (const Object& object : objects) {
    const std::string head = object.hash + " blob " + std::to_string(object.size) + "\n";
    const auto size = static_cast<std::size_t>(object.size);
    if (answer.compare(at, head.size(), head) != 0 || answer.size() < at + head.size() + size + 1) {
      return machine_failure("git cannot read " + object.path + " of the base revision",
                             "fetch its whole tree: fetch-depth: 0, or git fetch origin BASE");
    }
    const fs::path file = folder / object.path;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::ofstream out(file, std::ios::binary);
    out.write(answer.data() + at + head.size(), object.size);
    if (!out.flush()) return machine_failure("cannot write a file of the base: " + file.string());
    at += head.size() + size + 1;
  }
  return Done{};
}

Result<Done> write_batch(const fs::path& repository, const std::vector<Object>& objects,
                         const fs::path& folder) {
  std::string wanted;
  std::size_t bytes = 0;
  for (const Object& object : objects) {
    wanted += object.hash + "\n";
    bytes += static_cast<std::size_t>(object.size) + object.hash.size() + 32;
  }
  const auto ran = git(repository, {"cat-file", "--batch"}, std::move(wanted), bytes + 1);
  if (!ran) return ran.failure();
  return write_objects(ran->output, objects, folder);
}

}  // namespace

Result<std::string> resolve_commit(const fs::path& repository, const std::string& revision) {
  const auto ran = git(
      repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"},
      {}, 4096);
  if (!ran) return ran.failure();
  const std::string hash(trim(ran->output));
  constexpr std::size_t digits_min = 40;
  if (ran->exit_code == 0 && hash.size() >= digits_min) return hash;
  return machine_failure(
      "--policy-from: this clone has no revision " + clean_text(revision, 200),
      "check out with fetch-depth: 0, or run git fetch origin BASE; a folder starts with / or ./");
}

Result<Done> write_tree(const fs::path& repository, const std::string& commit,
                        const fs::path& folder) {
  const Result<std::vector<Object>> objects = list_tree(repository, commit);
  if (!objects) return objects.failure();
  const Result<Done> linked = refuse_policy_links(repository, *objects);
  if (!linked) return linked.failure();
  const Result<std::vector<Object>> chosen = choose(*objects);
  if (!chosen) return chosen.failure();
  const Result<Done> made = make_submodules(*objects, folder);
  if (!made) return made.failure();
  std::vector<Object> batch;
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < chosen->size(); ++i) {
    batch.push_back((*chosen)[i]);
    bytes += batch.back().size;
    if (bytes < batch_size_max && i + 1 < chosen->size()) continue;
    const Result<Done> written = write_batch(repository, batch, folder);
    if (!written) return written.failure();
    batch.clear();
    bytes = 0;
  }
  return Done{};
}

}  // namespace gate
