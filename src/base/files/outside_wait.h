#pragma once

#include <filesystem>

namespace opbench {

/// While one lives, the program may wait for what other programs do: in opening, reading or writing
/// a pipe or device. No flag ends such a wait, so the first signal must end the program.
class OutsideWait {
 public:
  /// Does nothing for a regular file, or one that is not there.
  explicit OutsideWait(const std::filesystem::path& file);
  OutsideWait(const OutsideWait&) = delete;
  OutsideWait& operator=(const OutsideWait&) = delete;
  ~OutsideWait();

  /// Whether the program may wait now; can be asked in a signal handler.
  static bool is_any();

 private:
  bool is_counted_ = false;
};

}  // namespace opbench
