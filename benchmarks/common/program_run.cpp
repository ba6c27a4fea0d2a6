#include "benchmarks/common/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/files/file.h"

namespace opbench {
namespace {

constexpr int kReadEveryMs = 5;
constexpr int kNotStarted = 127;

using ProgramRunClock = std::chrono::steady_clock;

double program_run_seconds_since(ProgramRunClock::time_point start) {
  return std::chrono::duration<double>(ProgramRunClock::now() - start).count();
}

/// Does not return. The files take what the program prints.
[[noreturn]] void become(const ProgramCommand& command, const std::string& out,
                         const std::string& err) {
  std::vector<char*> argv;
  for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (!command.cpus.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : command.cpus) CPU_SET(static_cast<size_t>(cpu), &set);
    if (::sched_setaffinity(0, sizeof(set), &set) != 0) ::_exit(kNotStarted);
  }
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
  ::execv(argv[0], argv.data());
  ::_exit(kNotStarted);
}

/// VmHWM: the kernel's own mark of the process's highest resident memory; 0 once it has ended.
/// (What wait4 tells includes the processes that it waited for.)
int64_t peak_bytes_of(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  for (std::string word; status >> word;) {
    int64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  return 0;
}

/// Waits until the process has ended, false at its limit; `peak_bytes` is read on the way.
bool wait_for_end(int descriptor, pid_t pid, double limit_s, int64_t& peak_bytes) {
  const auto start = ProgramRunClock::now();
  while (program_run_seconds_since(start) < limit_s) {
    pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&ended, 1, kReadEveryMs) > 0) return true;
    peak_bytes = std::max(peak_bytes, peak_bytes_of(pid));
  }
  return false;
}

}  // namespace

Result<ProgramRun> run_to_end(const ProgramCommand& command) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string out = folder.path() / "out";
  const std::string err = folder.path() / "err";
  const auto start = ProgramRunClock::now();
  const pid_t pid = ::fork();
  if (pid == 0) become(command, out, err);
  const int descriptor = pid < 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) {
    return Error{ErrorCode::kSystem,
                 fmt::format("cannot start \"{}\": {}", command.argv[0], std::strerror(errno))};
  }
  ProgramRun run;
  const bool ended = wait_for_end(descriptor, pid, command.limit_s, run.peak_bytes);
  run.wall_s = program_run_seconds_since(start);
  ::close(descriptor);
  if (!ended) ::kill(pid, SIGTERM);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!ended) {
    return Error{ErrorCode::kTimeBudget,
                 fmt::format("\"{}\" took more than {} s", command.argv[0], command.limit_s)};
  }
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (run.exit_code == kNotStarted) {
    return Error{ErrorCode::kEnvironment, fmt::format("cannot run \"{}\"", command.argv[0])};
  }
  run.out = read_file(out).value_or("");
  run.err = read_file(err).value_or("");
  return run;
}

std::string opbench_path() { return executable_folder() / "opbench"; }

}  // namespace opbench
