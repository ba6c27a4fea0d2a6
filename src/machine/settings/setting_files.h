#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// The files below a root that settings of the machine are read from and written to. Paths are
/// relative to the root: `sys/devices/system/cpu/smt/control`. Tests have a root of their own, and
/// override what their files do.
class SettingFiles {
 public:
  explicit SettingFiles(std::filesystem::path root) : root_(std::move(root)) {}
  SettingFiles(const SettingFiles&) = default;
  SettingFiles& operator=(const SettingFiles&) = default;
  virtual ~SettingFiles() = default;

  /// Below $OPBENCH_SETTINGS_ROOT, else below /.
  static SettingFiles of_machine();

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path place(const std::string& path) const { return root_ / path; }
  /// The reverse of place().
  std::string path_of(const std::filesystem::path& place) const;

  /// The text without white space at its end. `kNoMatch`: there is no such file. `kEnvironment`
  /// with the system's reason: it cannot be read.
  virtual Result<std::string> read(const std::string& path) const;

  /// Writes the text in one piece. The codes of read().
  virtual Result<void> write(const std::string& path, const std::string& text);

  /// The codes of read(). A folder that is there already is an error.
  virtual Result<void> make_folder(const std::string& path);

  /// Removes a control group, which the kernel does with all files in it. The codes of read().
  virtual Result<void> remove_folder(const std::string& path);

  /// What writing the file would need; empty where it can be written. Writes nothing.
  virtual std::string why_unwritable(const std::string& path) const;

  /// Paths of the entries whose names begin so, in the order of their numbers.
  std::vector<std::string> entries(const std::string& folder, std::string_view start) const;

 private:
  /// Files of a kernel, which come and go with their folders.
  bool is_kernel() const { return root_ == "/"; }

  std::filesystem::path root_;
};

/// Names of the groups that runs make begin so; the process id follows.
constexpr std::string_view kSettingGroup = "opbench-";

}  // namespace opbench
