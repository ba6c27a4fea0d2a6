#include "engines/client/engine_process.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>

#include "base/errors/suggestion.h"
#include "engines/client/spawn.h"
#include "engines/client/time_limits.h"

namespace opbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGrace{200};
constexpr size_t kLongestReply = size_t{1} << 28;

tl::unexpected<Failure> failure(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

/// `killed by signal 11 (SIGSEGV)`, `ended with exit code 3`
std::string status_text(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  const char* name = ::sigabbrev_np(WTERMSIG(status));
  return fmt::format("killed by signal {} (SIG{})", WTERMSIG(status), name == nullptr ? "?" : name);
}

/// The last five lines of the log, joined by " | ", at most 2000 bytes.
std::string log_tail(const std::filesystem::path& path) {
  constexpr std::streamoff kMost = 2000;
  std::ifstream log(path, std::ios::binary | std::ios::ate);
  if (!log) return {};
  const std::streamoff size = log.tellg();
  log.seekg(std::max<std::streamoff>(0, size - kMost));
  std::vector<std::string> lines;
  for (std::string line; std::getline(log, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > 5) lines.erase(lines.begin(), lines.end() - 5);
  return join(lines, " | ");
}

bool is_true(const std::atomic<bool>* cancel) { return cancel != nullptr && *cancel; }

/// Waits until `fd` is ready for `events`. False at the deadline, and when cancelled.
bool wait_ready(int fd, int16_t events, Clock::time_point deadline,
                const std::atomic<bool>* cancel) {
  const int64_t longest = cancel != nullptr ? 50 : 1000 * 1000;
  while (!is_true(cancel)) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{fd, events, 0};
    const auto most = std::clamp<int64_t>(left, 0, longest);
    const int ready = ::poll(&entry, 1, static_cast<int>(most));
    if (ready > 0) return true;
    if (ready == 0 && left <= most) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

/// write(2), but a closed pipe is EPIPE without the signal, whatever the program does with it.
ssize_t write_without_signal(int fd, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t before;
  ::sigemptyset(&pipe_signal);
  ::sigaddset(&pipe_signal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && ::sigismember(&before, SIGPIPE) == 0) {
    const timespec at_once{};
    ::sigtimedwait(&pipe_signal, nullptr, &at_once);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

bool has_ended(int pid) {
  siginfo_t info{};
  const int result = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return result != 0 || info.si_pid == pid;
}

void wait_for_end(int pid, Clock::duration limit) {
  const auto deadline = Clock::now() + limit;
  while (!has_ended(pid) && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int reap(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void close_once(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

Outcome<Json> result_of(const Json& reply) {
  if (const auto error = reply.find("error"); error != reply.end() && error->is_object()) {
    return failure(parse_failure_kind(error->value("kind", "run_error")),
                   error->value("message", "the engine gave no reason"));
  }
  if (const auto result = reply.find("result"); result != reply.end()) return Json(*result);
  return failure(FailureKind::kRunError, "the engine's reply has neither result nor error");
}

}  // namespace

Result<std::unique_ptr<EngineProcess>> EngineProcess::start(EngineCommand command) {
  OPBENCH_TRY(const SpawnedEngine spawned, spawn_engine(command));
  std::unique_ptr<EngineProcess> engine(new EngineProcess);
  engine->pid_ = spawned.pid;
  engine->guard_ = spawned.guard;
  engine->lifeline_ = spawned.lifeline;
  engine->requests_ = spawned.requests;
  engine->replies_ = spawned.replies;
  engine->log_ = std::move(command.log);
  return engine;
}

EngineProcess::~EngineProcess() {
  close_once(requests_);
  if (pid_ >= 0) wait_for_end(pid_, kGrace);
  end();
}

void EngineProcess::limit_memory(uint64_t bytes) {
  if (pid_ < 0) return;
  const rlimit limit{bytes, bytes};
  ::prlimit(pid_, RLIMIT_AS, &limit, nullptr);
  std::ofstream score(fmt::format("/proc/{}/oom_score_adj", pid_));
  score << 1000;
}

void EngineProcess::pause() {
  if (pid_ >= 0) ::kill(pid_, SIGSTOP);
}

void EngineProcess::resume() {
  if (pid_ >= 0) ::kill(pid_, SIGCONT);
}

bool EngineProcess::is_alive() const { return pid_ >= 0 && !has_ended(pid_); }

/// Kills what is left of the group and returns the engine's wait status. The guard goes first: once
/// the engine has been waited for, its group's number may be another's.
int EngineProcess::end() {
  close_once(requests_);
  close_once(replies_);
  if (pid_ < 0) return 0;
  ::kill(-pid_, SIGKILL);
  ::kill(guard_, SIGKILL);
  reap(std::exchange(guard_, -1));
  close_once(lifeline_);
  return reap(std::exchange(pid_, -1));
}

/// An engine may use a polite signal to say where it hangs.
Failure EngineProcess::time_out(const std::string& method, Seconds limit) {
  ::kill(pid_, SIGTERM);
  wait_for_end(pid_, kGrace);
  end();
  std::string text = fmt::format("no answer to \"{}\" within {:.3g} s", method, limit.count());
  if (const std::string tail = log_tail(log_); !tail.empty()) text += "; its log ends: " + tail;
  return {FailureKind::kRunTimeout, text};
}

Failure EngineProcess::lost(const std::string& why) {
  end();
  return {FailureKind::kRunError, why};
}

Failure EngineProcess::death(const std::string& method) {
  wait_for_end(pid_, kGrace);
  const bool ended = has_ended(pid_);
  const int status = end();
  std::string text =
      ended ? status_text(status) : std::string("closed its descriptor 4 without ending");
  text += fmt::format(" during \"{}\"", method);
  if (const std::string tail = log_tail(log_); !tail.empty()) text += "; its log ends: " + tail;
  return {FailureKind::kRunError, text};
}

/// Failure kRunTimeout or kRunError without a text: the caller knows the method.
Outcome<void> EngineProcess::send(std::string_view line, Deadline deadline) {
  while (!line.empty()) {
    const ssize_t written = write_without_signal(requests_, line);
    if (written >= 0) {
      line.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      if (!wait_ready(requests_, POLLOUT, deadline.time, deadline.cancel)) {
        return failure(FailureKind::kRunTimeout, "");
      }
    } else if (errno != EINTR) {
      return failure(FailureKind::kRunError, "");
    }
  }
  return {};
}

/// The next line. Failures as for `send`; kInvalidConfig for a reply without end.
Outcome<std::string> EngineProcess::receive(Deadline deadline) {
  size_t searched = 0;
  std::string chunk(size_t{1} << 16, '\0');
  for (;;) {
    if (const size_t end = unread_.find('\n', searched); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    searched = unread_.size();
    if (searched > kLongestReply) return failure(FailureKind::kInvalidConfig, "");
    if (!wait_ready(replies_, POLLIN, deadline.time, deadline.cancel)) {
      return failure(FailureKind::kRunTimeout, "");
    }
    const ssize_t got = ::read(replies_, chunk.data(), chunk.size());
    if (got > 0) unread_.append(chunk, 0, static_cast<size_t>(got));
    if (got == 0) return failure(FailureKind::kRunError, "");
    if (got < 0 && errno != EINTR && errno != EAGAIN) return failure(FailureKind::kRunError, "");
  }
}

Outcome<Json> EngineProcess::call(const std::string& method, const Json& params, Seconds usual,
                                  const std::atomic<bool>* cancel) {
  if (pid_ < 0) return failure(FailureKind::kRunError, "the engine is not running");
  const auto scaled = scaled_limit(usual);
  if (!scaled) return tl::make_unexpected(scaled.error());
  const Seconds limit = *scaled;
  const Deadline deadline{
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(limit, Seconds(1e8))),
      cancel};
  const int64_t id = next_id_++;
  const Json request = {{"id", id}, {"method", method}, {"params", params}};
  const auto sent =
      send(request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n", deadline);
  auto line = sent ? receive(deadline) : tl::make_unexpected(sent.error());
  if (!line) {
    if (line.error().kind == FailureKind::kRunTimeout) {
      if (is_true(cancel)) {
        const Failure ended = lost("interrupted during \"" + method + "\"");
        return failure(FailureKind::kCancelled, ended.text);
      }
      return tl::make_unexpected(time_out(method, limit));
    }
    if (line.error().kind == FailureKind::kInvalidConfig) {
      return tl::make_unexpected(lost("the engine's reply to \"" + method + "\" has no end"));
    }
    return tl::make_unexpected(death(method));
  }
  const Json reply = Json::parse(*line, nullptr, false);
  if (!reply.is_object() || !reply.contains("id") || reply["id"] != id) {
    return tl::make_unexpected(
        lost(fmt::format("the engine answered \"{}\" with \"{}\"", method, line->substr(0, 60))));
  }
  try {
    Outcome<Json> result = result_of(reply);
    // Its device's context has ended, and with it all that the process could do.
    if (!result && result.error().kind == FailureKind::kDeviceLost) end();
    return result;
  } catch (const nlohmann::json::exception& exception) {
    return failure(FailureKind::kRunError, exception.what());
  }
}

}  // namespace opbench
