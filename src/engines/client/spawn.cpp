#include "engines/client/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engines/client/nothing.h"

namespace opbench {
namespace {

constexpr int kRequests = 3;
constexpr int kReplies = 4;

/// Closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Error system_error(const std::string& action) {
  return {ErrorCode::kSystem, fmt::format("cannot {}: {}", action, std::strerror(errno))};
}

/// A number above those that the child gives new meanings to.
Descriptor moved_up(Descriptor fd) {
  Descriptor moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 10));
  if (moved.get() < 0 && errno == EINVAL) errno = EMFILE;  // the limit lies below
  return moved;
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("create a pipe");
  Pipe pipe{moved_up(Descriptor(ends[0])), moved_up(Descriptor(ends[1]))};
  if (pipe.read.get() < 0 || pipe.write.get() < 0) return system_error("create a pipe");
  return pipe;
}

Result<Descriptor> open_log(const std::filesystem::path& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC;
  Descriptor log =
      moved_up(Descriptor(path.empty() ? open_nothing() : ::open(path.c_str(), kFlags, 0644)));
  if (log.get() < 0) {
    return system_error(fmt::format("write the engine's log \"{}\"", path.string()));
  }
  return log;
}

std::vector<std::string> environment_of(const EngineCommand& command) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!command.environment.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : command.environment) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

enum class Step : int { kCpus, kDescriptors, kExec, kGuard };

struct StepError {
  Step step;
  int error;
};

/// All that the child needs, made before the fork: after it only async-signal-safe calls are
/// allowed.
struct ChildPlan {
  char** argv;
  char** environment;
  bool has_cpus = false;
  cpu_set_t cpus;
  pid_t parent;
  int requests;
  int replies;
  int log;
  int errors;
  bool has_own_session;
};

[[noreturn]] void give_up(int errors, Step step) {
  const StepError error{step, errno};
  const ssize_t ignored = ::write(errors, &error, sizeof error);
  static_cast<void>(ignored);
  ::_exit(127);
}

void reset_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_DFL);
}

[[noreturn]] void run_child(const ChildPlan& plan) {
  plan.has_own_session ? ::setsid() : ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // the parent ended before the line above
  reset_signals();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (plan.has_cpus && ::sched_setaffinity(0, sizeof plan.cpus, &plan.cpus) != 0) {
    give_up(plan.errors, Step::kCpus);
  }
  const int nothing = open_nothing();
  if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(plan.log, 1) < 0 || ::dup2(plan.log, 2) < 0 ||
      ::dup2(plan.requests, kRequests) < 0 || ::dup2(plan.replies, kReplies) < 0) {
    give_up(plan.errors, Step::kDescriptors);
  }
  ::close_range(kReplies + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execvpe(plan.argv[0], plan.argv, plan.environment);
  give_up(plan.errors, Step::kExec);
}

/// A shell that waits for the lifeline's end, in a group of its own so that it outlives a Ctrl-C.
[[noreturn]] void run_guard(int lifeline, int errors, const char* script) {
  ::setpgid(0, 0);
  reset_signals();
  const int nothing = open_nothing();
  if (::dup2(lifeline, 0) >= 0 && ::dup2(nothing, 1) >= 0 && ::dup2(nothing, 2) >= 0) {
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execl("/bin/sh", "sh", "-c", script, nullptr);
  }
  give_up(errors, Step::kGuard);
}

std::string cpus_text(const std::vector<int>& cpus) {
  return fmt::format("{}", fmt::join(cpus, ","));
}

Error start_error(const EngineCommand& command, StepError error) {
  const std::string reason = std::strerror(error.error);
  if (error.step == Step::kCpus) {
    return {ErrorCode::kEnvironment,
            fmt::format("cannot run an engine on CPUs {}: {}", cpus_text(command.cpus), reason)};
  }
  if (error.step == Step::kDescriptors) {
    return {ErrorCode::kSystem, fmt::format("cannot set up an engine's descriptors: {}", reason)};
  }
  if (error.step == Step::kGuard) {
    return {ErrorCode::kSystem, fmt::format("cannot start \"/bin/sh\": {}", reason)};
  }
  return {ErrorCode::kEnvironment,
          fmt::format("cannot start the engine \"{}\": {}", command.argv[0], reason)};
}

/// The error that a child met before or at exec; false once every exec has closed the pipe.
bool read_step_error(int fd, StepError& error) {
  ssize_t got = 0;
  do {
    got = ::read(fd, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof error);
}

Result<cpu_set_t> cpu_set_of(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) {
      return Error{ErrorCode::kInvalidInput, fmt::format("no CPU has the number {}", cpu)};
    }
    CPU_SET(static_cast<size_t>(cpu), &set);
  }
  return set;
}

pid_t start_guard(pid_t group, int lifeline, int errors) {
  const std::string script = fmt::format("read -r _; kill -s KILL -- -{}", group);
  const pid_t guard = ::fork();
  if (guard == 0) run_guard(lifeline, errors, script.c_str());
  return guard;
}

void kill_and_wait(pid_t pid) {
  if (pid < 0) return;
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<SpawnedEngine> spawn_engine(const EngineCommand& command) {
  if (command.argv.empty()) return Error{ErrorCode::kInvalidInput, "an engine has no command"};
  OPBENCH_TRY(const cpu_set_t cpus, cpu_set_of(command.cpus));
  OPBENCH_TRY(Pipe requests, make_pipe());
  OPBENCH_TRY(Pipe replies, make_pipe());
  OPBENCH_TRY(Pipe errors, make_pipe());
  OPBENCH_TRY(Pipe lifeline, make_pipe());
  OPBENCH_TRY(const Descriptor log, open_log(command.log));
  std::vector<std::string> arguments = command.argv;
  std::vector<std::string> environment = environment_of(command);
  std::vector<char*> argv = pointers_to(arguments);
  std::vector<char*> envp = pointers_to(environment);
  const ChildPlan plan{argv.data(),
                       envp.data(),
                       !command.cpus.empty(),
                       cpus,
                       ::getpid(),
                       requests.read.get(),
                       replies.write.get(),
                       log.get(),
                       errors.write.get(),
                       command.has_own_session};
  const pid_t pid = ::fork();
  if (pid < 0) return system_error("start a process");
  if (pid == 0) run_child(plan);
  if (!command.has_own_session) ::setpgid(pid, pid);  // else it could begin no session
  const pid_t guard = start_guard(pid, lifeline.read.get(), errors.write.get());
  StepError error{Step::kGuard, errno};
  errors.write = Descriptor();
  if (guard < 0 || read_step_error(errors.read.get(), error)) {
    kill_and_wait(guard);
    kill_and_wait(pid);
    return start_error(command, error);
  }
  ::fcntl(requests.write.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(replies.read.get(), F_SETFL, O_NONBLOCK);
  return SpawnedEngine{pid, guard, lifeline.write.release(), requests.write.release(),
                       replies.read.release()};
}

}  // namespace opbench
