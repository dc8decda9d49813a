// Files through POSIX calls: std::filesystem's streams cannot say why they failed.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace gate {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

Failure file_failure(const std::filesystem::path& path, std::string_view what) {
  return user_failure(std::string(what) + ": " + std::strerror(errno), {}, {path.string(), 0, 0});
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t bytes_max) {
  // O_NONBLOCK: opening a FIFO must not hang before we see that it is no regular file.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return file_failure(path, "cannot open file");
  struct stat state {};
  if (::fstat(file.number(), &state) != 0) return file_failure(path, "cannot inspect file");
  if (!S_ISREG(state.st_mode)) return user_failure("not a regular file", {}, {path.string(), 0, 0});
  const auto too_large = [&] {
    return user_failure("file is larger than " + std::to_string(bytes_max) + " bytes", {},
                        {path.string(), 0, 0});
  };
  if (static_cast<std::uint64_t>(state.st_size) > bytes_max) return too_large();
  std::string content(static_cast<std::size_t>(state.st_size), '\0');
  std::size_t used = 0;
  // The size is a first guess only: files under /proc say 0, others grow while they are read.
  while (true) {
    if (used == content.size()) content.resize(used + 4096);
    const ssize_t got = ::read(file.number(), content.data() + used, content.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_failure(path, "cannot read file");
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > bytes_max) return too_large();
  }
  content.resize(used);
  return content;
}

Result<Done> write_file(const std::filesystem::path& path, std::string_view text) {
  std::string temporary = path.string() + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) return file_failure(path, "cannot create file");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = write_all(file.number(), text) &&
                       ::fchmod(file.number(), 0666 & ~mask) == 0 && ::fsync(file.number()) == 0 &&
                       ::rename(temporary.c_str(), path.c_str()) == 0;
  if (written) return Done{};
  Failure failure = file_failure(path, "cannot write file");
  ::unlink(temporary.c_str());
  return failure;
}

std::vector<std::filesystem::path> find_files(const std::filesystem::path& root,
                                              std::string_view suffix) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(
      root, std::filesystem::directory_options::skip_permission_denied, error);
  const std::filesystem::recursive_directory_iterator end;
  while (!error && entry != end) {
    std::error_code unknown;
    const auto status = entry->symlink_status(unknown);
    if (std::filesystem::is_regular_file(status) &&
        entry->path().filename().string().ends_with(suffix)) {
      found.push_back(entry->path());
    }
    entry.increment(error);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
  std::error_code error;
  const auto base = std::filesystem::temp_directory_path(error);
  if (error) return machine_failure("no temporary folder: " + error.message());
  std::string name = (base / (std::string(prefix) + ".XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return machine_failure("cannot create a temporary folder: " + std::string(strerror(errno)),
                           "set TMPDIR to a folder you can write");
  }
  return TemporaryFolder(std::filesystem::path(name));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;  // nobody is left to be told
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gate
