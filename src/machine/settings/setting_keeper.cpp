#include "machine/settings/setting_keeper.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "base/files/file.h"
#include "machine/settings/setting_journal.h"

extern char** environ;  // NOLINT

namespace opbench {
namespace {

/// Its input closes a moment before the other process counts as ended.
constexpr std::chrono::milliseconds kLook(5);
constexpr int kLooks = 200;

/// Signals that end a run and not its keeper, from its first moment on.
sigset_t keeper_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  return signals;
}

}  // namespace

std::unique_ptr<SettingKeeper> SettingKeeper::start() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
  std::string program = (executable_folder() / "opbench").string();
  std::string command = kSettingKeeperCommand;
  const std::array<char*, 3> argv = {program.data(), command.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // A reader of this program's output shall not wait for the keeper.
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  const sigset_t kept = keeper_signals();
  ::posix_spawnattr_setsigmask(&attributes, &kept);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = -1;
  const int refused =
      ::posix_spawn(&process, program.c_str(), &actions, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (refused == 0) return std::unique_ptr<SettingKeeper>(new SettingKeeper(process, ends[1]));
  ::close(ends[1]);
  return nullptr;
}

SettingKeeper::~SettingKeeper() {
  ::close(pipe_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void keep_settings() {
  const SettingOwner parent = owner_of(::getppid());
  char byte = 0;
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  SettingFiles files = SettingFiles::of_machine();
  SettingJournal journal(files);
  for (int i = 0; i < kLooks && journal.holds_of(parent) && is_alive(parent); ++i) {
    std::this_thread::sleep_for(kLook);
  }
  static_cast<void>(heal_settings(files));
}

}  // namespace opbench
