#include "machine/settings/setting_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/files/file.h"
#include "base/json/json.h"
#include "machine/settings/setting_steps.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStepKinds[] = {"write", "folder", "enter"};

Json step_json(const SettingStep& step) {
  return {{"kind", kStepKinds[static_cast<size_t>(step.kind)]},
          {"path", step.path},
          {"before", step.before},
          {"after", step.after}};
}

SettingStep step_of(const Json& json) {
  const auto* const kind = std::ranges::find(kStepKinds, json.at("kind").get<std::string>());
  SettingStep step{.kind = static_cast<SettingStep::Kind>(kind - std::begin(kStepKinds)),
                   .path = json.at("path"),
                   .before = json.at("before"),
                   .after = json.at("after")};
  if (kind == std::end(kStepKinds) || !is_of_settings(step)) {
    throw std::invalid_argument("\"" + step.path + "\" is no step of a setting");
  }
  return step;
}

Json held_json(const HeldSetting& held) {
  Json steps = Json::array();
  for (const SettingStep& step : held.steps) steps.push_back(step_json(step));
  return {{"process", held.owner.process}, {"start", held.owner.start}, {"boot", held.owner.boot},
          {"setting", held.setting},       {"before", held.before},     {"value", held.value},
          {"steps", std::move(steps)}};
}

HeldSetting held_of(const Json& json) {
  HeldSetting held{
      .owner = {.process = json.at("process"), .start = json.at("start"), .boot = json.at("boot")},
      .setting = json.at("setting"),
      .before = json.at("before"),
      .value = json.at("value")};
  for (const Json& step : json.at("steps")) held.steps.push_back(step_of(step));
  return held;
}

/// As write_file() does, by a name that a killed writer leaves for the next one.
Result<void> replace_journal(const fs::path& path, const std::string& text) {
  const std::string fresh = path.string() + ".new";
  constexpr mode_t kMode = 0644;
  const int fd =
      ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kMode);
  const bool is_written = fd >= 0 && ::write(fd, text.data(), text.size()) == std::ssize(text) &&
                          (::fsync(fd) == 0 || errno == EINVAL);
  int reason = errno;
  if (fd >= 0) ::close(fd);
  if (is_written && ::rename(fresh.c_str(), path.c_str()) == 0) return {};
  if (is_written) reason = errno;
  return Error{ErrorCode::kSystem,
               fmt::format("cannot write \"{}\": {}", path.string(), std::strerror(reason))};
}

/// A file that this user, or root, has written.
bool is_trusted(const struct stat& info) {
  return S_ISREG(info.st_mode) && (info.st_uid == ::geteuid() || info.st_uid == 0);
}

/// Empty where there is no journal, or one that another user may have written.
Result<std::string> journal_text(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == ELOOP)) return std::string();
  if (fd < 0) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("cannot read \"{}\": {}", path.string(), std::strerror(errno))};
  }
  // The open file is asked: its name may be that of another file by now.
  struct stat info {};
  const bool is_ours = ::fstat(fd, &info) == 0 && is_trusted(info);
  Result<std::string> text;
  if (is_ours) text = read_file(fmt::format("/proc/self/fd/{}", fd));
  ::close(fd);
  return text;
}

std::vector<fs::path> journal_folders(const SettingFiles& files) {
  std::vector<fs::path> folders = {files.place("run/opbench")};
  if (files.root() == "/") folders.push_back(cache_folder() / "settings");
  return folders;
}

bool has_journal(const fs::path& folder) {
  struct stat info {};
  return ::lstat((folder / "settings.jsonl").c_str(), &info) == 0 && is_trusted(info);
}

/// The first folder that can be written in; made if it is not there.
Result<fs::path> first_writable(const SettingFiles& files) {
  Result<void> made;
  for (const fs::path& folder : journal_folders(files)) {
    made = make_writable_folder(folder);
    if (made) return folder;
  }
  return Error(made.error());
}

void add(HealedSettings& all, HealedSettings more) {
  for (auto& held : more.restored) all.restored.push_back(std::move(held));
  for (auto& left : more.left) all.left.push_back(std::move(left));
}

}  // namespace

/// One process at a time reads or changes the journal and what it speaks of.
class SettingJournal::Lock {
 public:
  explicit Lock(const fs::path& folder) {
    const std::string path = (folder / "settings.lock").string();
    constexpr mode_t kMode = 0644;
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode);
    if (fd_ < 0) fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  int fd_ = -1;
};

SettingJournal::SettingJournal(SettingFiles& files) : files_(files) {}

Result<std::vector<HeldSetting>> SettingJournal::read() const {
  std::vector<HeldSetting> all;
  OPBENCH_TRY(const std::string text, journal_text(file()));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    try {
      all.push_back(held_of(Json::parse(line)));
    } catch (const std::exception& exception) {
      return Error{ErrorCode::kEnvironment,
                   fmt::format("the journal of settings \"{}\" cannot be read", file().string())}
          .with("reason", exception.what())
          .with("then", "look whether settings are as you want them, and delete the file");
    }
  }
  return all;
}

Result<void> SettingJournal::write(const std::vector<HeldSetting>& held) const {
  if (held.empty()) {
    if (::unlink(file().c_str()) == 0 || errno == ENOENT) return {};
    return Error{ErrorCode::kSystem, fmt::format("cannot remove \"{}\"", file().string())};
  }
  std::string text;
  for (const HeldSetting& one : held) text += held_json(one).dump() + "\n";
  return replace_journal(file(), text);
}

HealedSettings SettingJournal::heal_in(std::vector<HeldSetting>& held) {
  HealedSettings healed;
  const std::string boot = this_process().boot;
  std::vector<HeldSetting> kept;
  for (auto one = held.rbegin(); one != held.rend(); ++one) {
    if (is_alive(one->owner)) {
      kept.push_back(*one);
      continue;
    }
    if (one->owner.boot != boot) continue;  // the boot has put all back
    const Result<void> undone = undo_steps(files_, one->steps);
    if (undone) {
      healed.restored.push_back(*one);
    } else {
      healed.left.emplace_back(*one, undone.error().message);
      kept.push_back(*one);
    }
  }
  std::ranges::reverse(kept);
  held = std::move(kept);
  return healed;
}

Result<HealedSettings> SettingJournal::heal() {
  HealedSettings all;
  for (const fs::path& folder : journal_folders(files_)) {
    if (!has_journal(folder)) continue;
    folder_ = folder;
    const Lock lock(folder);
    OPBENCH_TRY(std::vector<HeldSetting> held, read());
    const size_t before = held.size();
    add(all, heal_in(held));
    if (held.size() != before) OPBENCH_CHECK(write(held));
  }
  return all;
}

Result<HeldSetting> SettingJournal::hold(const SettingDef& setting, const std::string& value,
                                         Prepare prepare) {
  OPBENCH_CHECK(heal());
  OPBENCH_TRY(folder_, first_writable(files_));
  const Lock lock(folder_);
  OPBENCH_TRY(std::vector<HeldSetting> held, read());
  const SettingOwner owner = this_process();
  for (const HeldSetting& one : held) {
    const bool is_other = one.owner != owner && are_one(setting, one.setting);
    if (!is_other || !is_alive(one.owner)) continue;
    return Error{ErrorCode::kEnvironment,
                 fmt::format("{} is set to \"{}\" for another run", one.setting, one.value)}
        .with("process", std::to_string(one.owner.process))
        .with("then", "wait for its end; it puts the setting back");
  }
  OPBENCH_TRY(HeldSetting mine, prepare(setting, setting_place(files_), value));
  mine.owner = owner;
  held.push_back(mine);
  OPBENCH_CHECK(write(held));
  return mine;
}

bool SettingJournal::holds_of(const SettingOwner& owner) {
  for (const fs::path& folder : journal_folders(files_)) {
    if (!has_journal(folder)) continue;
    folder_ = folder;
    const Lock lock(folder);
    const auto held = read();
    if (held && std::ranges::find(*held, owner, &HeldSetting::owner) != held->end()) return true;
  }
  return false;
}

Result<void> SettingJournal::release(const HeldSetting& mine) {
  const Lock lock(folder_);
  OPBENCH_TRY(std::vector<HeldSetting> held, read());
  std::erase_if(held, [&](const HeldSetting& one) {
    return one.owner == mine.owner && one.setting == mine.setting;
  });
  return write(held);
}

Result<HealedSettings> heal_settings(SettingFiles& files) { return SettingJournal(files).heal(); }

}  // namespace opbench
