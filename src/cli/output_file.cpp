#include "opbench/cli/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "opbench/base/file.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

Error not_writable(const std::string& path, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput, "cannot write \"" + path + "\""}.with("reason", reason);
}

/// Tries to make a file beside `path`, as an atomic replacement will have to.
int probe_folder(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::string probe = (folder / ".opbench-XXXXXX").string();
  const int descriptor = mkstemp(probe.data());
  if (descriptor < 0) return errno;
  close(descriptor);
  unlink(probe.c_str());
  return 0;
}

}  // namespace

Result<void> check_writable(const std::string& path, const std::string& option) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return not_writable(path, "it is a folder").with("for", option);
  }
  int error = 0;
  if (fs::exists(path, ignored)) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
      error = errno;
    } else {
      close(descriptor);
    }
  }
  if (error == 0 && (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored))) {
    error = probe_folder(path);
  }
  if (error != 0) return not_writable(path, std::strerror(error)).with("for", option);
  return {};
}

Result<void> write_output(const std::string& path, std::string_view content) {
  std::error_code ignored;
  if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored)) {
    return write_file(path, content);
  }
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) return Error{ErrorCode::kSystem, "cannot write \"" + path + "\""};
  return {};
}

}  // namespace opbench
