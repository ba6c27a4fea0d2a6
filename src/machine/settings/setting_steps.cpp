#include "machine/settings/setting_steps.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

namespace opbench {
namespace {

namespace fs = std::filesystem;
using Kind = SettingStep::Kind;

/// A group of resctrl takes threads, one a write; the others take processes.
Result<void> enter_group(SettingFiles& files, const std::string& path) {
  const std::string process = std::to_string(::getpid());
  OPBENCH_CHECK(files.write(path, process));
  if (!path.ends_with("/tasks")) return {};
  std::error_code error;
  for (fs::directory_iterator thread("/proc/self/task", error), end; !error && thread != end;
       thread.increment(error)) {
    const std::string id = thread->path().filename().string();
    // A thread that has ended meanwhile needs no group.
    if (id != process) static_cast<void>(files.write(path, id));
  }
  return {};
}

/// Moves all processes of a group to another, those that they start meanwhile too.
Result<void> leave_group(SettingFiles& files, const SettingStep& step) {
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto text = files.read(step.path);
    if (!text) return Error(text.error());
    std::istringstream ids(*text);
    std::string id;
    if (!(ids >> id)) break;
    do {
      const auto moved = files.write(step.before, id);
      // Of a process that has just ended (ESRCH) nothing is left to move.
      if (!moved && fs::exists("/proc/" + id)) return Error(moved.error());
    } while (ids >> id);
    if (files.root() != "/") break;  // plain files keep what they were given
  }
  return {};
}

/// A group is busy for a moment after its last process has left it.
Result<void> remove_group(SettingFiles& files, const std::string& path) {
  constexpr int kAttempts = 20;
  constexpr std::chrono::milliseconds kPause(5);
  Result<void> removed = files.remove_folder(path);
  for (int attempt = 1; !removed && attempt < kAttempts; ++attempt) {
    if (removed.error().code == ErrorCode::kNoMatch) break;
    std::this_thread::sleep_for(kPause);
    removed = files.remove_folder(path);
  }
  return removed;
}

Result<void> do_step(SettingFiles& files, const SettingStep& step) {
  if (step.kind == Kind::kFolder) return files.make_folder(step.path);
  if (step.kind == Kind::kEnter) return enter_group(files, step.path);
  return files.write(step.path, step.after);
}

/// A file that refused the new text and refuses the old one still holds the old one.
bool holds_before(const SettingFiles& files, const SettingStep& step) {
  const auto text = files.read(step.path);
  return text && (*text == step.before || text->find("[" + step.before + "]") != std::string::npos);
}

Result<void> undo_step(SettingFiles& files, const SettingStep& step) {
  if (step.kind == Kind::kFolder) return remove_group(files, step.path);
  if (step.before.empty()) return {};
  if (step.kind == Kind::kEnter) return leave_group(files, step);
  Result<void> written = files.write(step.path, step.before);
  if (written || holds_before(files, step)) return {};
  return written;
}

}  // namespace

Result<void> do_steps(SettingFiles& files, const std::vector<SettingStep>& steps) {
  for (const SettingStep& step : steps) OPBENCH_CHECK(do_step(files, step));
  return {};
}

Result<void> undo_steps(SettingFiles& files, const std::vector<SettingStep>& steps) {
  Result<void> all;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const Result<void> undone = undo_step(files, *step);
    if (!undone && undone.error().code != ErrorCode::kNoMatch && all) all = undone;
  }
  return all;
}

bool is_of_settings(const SettingStep& step) {
  const auto is_path = [](const std::string& path) {
    return path.starts_with("sys/") && path.find("..") == std::string::npos;
  };
  const bool is_group = step.kind != Kind::kWrite;
  if (!is_path(step.path)) return false;
  if (is_group && step.path.find("/" + std::string(kSettingGroup)) == std::string::npos) {
    return false;
  }
  return step.kind != Kind::kEnter || step.before.empty() || is_path(step.before);
}

}  // namespace opbench
