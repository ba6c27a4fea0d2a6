#include "presentation/cli/output/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/files/file.h"
#include "base/files/outside_wait.h"

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

/// The place that a write to `path` ends up at, whether or not a file is there yet.
fs::path output_file_place_of(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path canonical = fs::canonical(folder, error);
  return error ? path.lexically_normal() : canonical / path.filename();
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (!fs::exists(a, ignored) || !fs::exists(b, ignored))
    return output_file_place_of(a) == output_file_place_of(b);
  return fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored);
}

/// The file in FILE, NAME=FILE, @FILE or FILE:LINE.
fs::path file_in(const std::string& text) {
  std::error_code ignored;
  if (fs::exists(text, ignored)) return text;
  if (text.starts_with('@')) return text.substr(1);
  const size_t equals = text.find('=');
  if (equals != std::string::npos) return text.substr(equals + 1);
  return text.substr(0, text.rfind(':'));
}

}  // namespace

Result<void> check_outputs(const std::vector<FileArgument>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].use != FileUse::kWritten) continue;
    for (size_t k = 0; k < files.size(); ++k) {
      const bool is_output = files[k].use == FileUse::kWritten;
      if (k == i || (is_output && k < i)) continue;
      const fs::path other = is_output ? fs::path(files[k].path) : file_in(files[k].path);
      if (!is_same_file(files[i].path, other)) continue;
      const std::string message = is_output ? " and " + files[k].argument + " name the same file \""
                                            : " would overwrite what is read, \"";
      return Error{ErrorCode::kInvalidInput, files[i].argument + message + files[i].path + "\""}
          .with(files[k].argument, files[k].path);
    }
  }
  return {};
}

Result<void> check_writable(const std::string& path, const std::string& option) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return not_writable(path, "it is a folder").with("for", option);
  }
  int error = 0;
  if (fs::is_fifo(path, ignored)) {
    // Opened and closed again, a pipe would look to its reader as if all had been written.
    error = access(path.c_str(), W_OK) == 0 ? 0 : errno;
  } else if (fs::exists(path, ignored)) {
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
  const OutsideWait wait(path);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) return Error{ErrorCode::kSystem, "cannot write \"" + path + "\""};
  return {};
}

}  // namespace opbench
