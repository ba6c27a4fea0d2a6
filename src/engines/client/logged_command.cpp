#include "engines/client/logged_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "engines/client/nothing.h"

namespace opbench {
namespace {

constexpr std::chrono::milliseconds kPause(20);

Error cannot_start(const std::string& program, int error) {
  return Error{ErrorCode::kSystem, fmt::format("cannot run \"{}\"", program)}.with(
      "reason", std::strerror(error));
}

Result<pid_t> spawn(const LoggedCommand& command) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  const int nothing = open_nothing();
  ::posix_spawn_file_actions_adddup2(&actions, nothing, STDIN_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, command.output.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  if (!command.folder.empty()) {
    ::posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  }
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> argv;
  for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  if (nothing >= 0) ::close(nothing);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return cannot_start(command.argv.front(), error);
  return child;
}

}  // namespace

Result<int> run_logged(const LoggedCommand& command) {
  OPBENCH_TRY(const pid_t child, spawn(command));
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (command.cancel != nullptr && *command.cancel) {
      ::kill(-child, SIGTERM);
      ::waitpid(child, &status, 0);
      return Error{ErrorCode::kInterrupted,
                   fmt::format("interrupted while \"{}\" ran", command.argv.front())};
    }
    if (command.wait) command.wait();
    std::this_thread::sleep_for(kPause);
  }
  constexpr int kSignal = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignal + WTERMSIG(status);
}

}  // namespace opbench
