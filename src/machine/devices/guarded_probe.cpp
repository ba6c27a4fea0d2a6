#include "machine/devices/guarded_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace opbench {
namespace {

using ProbeClock = std::chrono::steady_clock;

[[noreturn]] void answer_and_end(const std::function<std::string()>& probe, int answer) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT}) {
    ::signal(signal, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  const std::string text = probe();
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(answer, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) done += static_cast<size_t>(written);
  }
  ::_exit(0);
}

/// Everything up to the end of the stream; false when the time is over before.
bool read_until(int stream, ProbeClock::time_point end, std::string& text) {
  std::array<char, 4096> bytes;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - ProbeClock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{.fd = stream, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t count = ::read(stream, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(bytes.data(), static_cast<size_t>(count));
  }
}

}  // namespace

Result<std::string> probe_in_child(const std::function<std::string()>& probe,
                                   std::chrono::milliseconds limit) {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCode::kSystem,
                 fmt::format("cannot look for devices: {}", std::strerror(errno))};
  }
  const auto end = ProbeClock::now() + limit;
  const pid_t child = ::fork();
  if (child == 0) answer_and_end(probe, ends[1]);
  const int failure = errno;
  ::close(ends[1]);
  std::string text;
  const bool is_answered = child > 0 && read_until(ends[0], end, text);
  ::close(ends[0]);
  if (child < 0) {
    return Error{ErrorCode::kSystem,
                 fmt::format("cannot look for devices: {}", std::strerror(failure))};
  }
  if (!is_answered) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!is_answered) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("its driver did not answer within {} ms", limit.count())};
  }
  if (WIFSIGNALED(status)) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("its driver crashed: signal {}", WTERMSIG(status))};
  }
  if (text.empty()) return Error{ErrorCode::kEnvironment, "its driver ended the process"};
  return text;
}

}  // namespace opbench
