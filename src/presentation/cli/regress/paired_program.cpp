#include "presentation/cli/regress/paired_program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/text/printable.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

constexpr size_t kShownOfAnswer = 60;
constexpr time_t kLongestAnswer = 3600;  ///< seconds

Error no_answer(const std::string& command, const std::string& line, const std::string& reason) {
  return invalid_input(fmt::format("\"{}\" answered \"{}\": {}", command,
                                   shortened_middle(printable(line), kShownOfAnswer), reason))
      .with("valid", R"({"log_ratio": [NUMBER, …]} or {"error": TEXT})");
}

Json question_json(const PairedQuestion& question) {
  Json json;
  (question.chain.empty() ? json["series"] : json["chain"]) =
      question.chain.empty() ? question.series : question.chain;
  json["night"] = question.night;
  json["old"] = question.old_night;
  json["new"] = question.new_night;
  json["pairs"] = question.pairs;
  json["call"] = question.call;
  return json;
}

}  // namespace

Result<std::shared_ptr<PairedProgram>> PairedProgram::start(const std::string& command) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{ErrorCode::kSystem, fmt::format("cannot run \"{}\"", command)}.with(
        "reason", std::strerror(errno));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  const timeval longest{.tv_sec = kLongestAnswer, .tv_usec = 0};
  ::setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
  std::shared_ptr<PairedProgram> started(new PairedProgram());
  started->command_ = command;
  started->pid_ = child;
  started->socket_ = ends[0];
  if (child < 0) {
    return Error{ErrorCode::kSystem, fmt::format("cannot run \"{}\"", command)}.with(
        "reason", std::strerror(errno));
  }
  return started;
}

PairedProgram::~PairedProgram() {
  if (socket_ >= 0) ::close(socket_);  // its stdin ends, and so does it
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

Error PairedProgram::ended() {
  int status = 0;
  ::close(socket_);
  socket_ = -1;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  const std::string how = WIFSIGNALED(status)
                              ? fmt::format("was ended by signal {}", WTERMSIG(status))
                              : fmt::format("ended with code {}", WEXITSTATUS(status));
  return invalid_input(fmt::format("\"{}\" {} before it answered", command_, how));
}

Result<std::string> PairedProgram::next_line() {
  while (true) {
    const size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    char bytes[1 << 14];
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return invalid_input(fmt::format("\"{}\" gave no answer for {} s", command_, kLongestAnswer))
          .with("is it held back?", "each answer is a line that is flushed at once");
    }
    if (count <= 0) return ended();
    unread_.append(bytes, static_cast<size_t>(count));
  }
}

Result<PairedAnswer> PairedProgram::ask(const PairedQuestion& question) {
  if (socket_ < 0) return invalid_input(fmt::format("\"{}\" has ended", command_));
  const std::string line = json_text(question_json(question)) + "\n";
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return ended();
    sent += static_cast<size_t>(count);
  }
  OPBENCH_TRY(const std::string answered, next_line());
  const Result<Json> json = parse_json(answered, "the answer");
  if (!json) return no_answer(command_, answered, "this is no JSON");
  if (const auto failure = text_member(*json, "error")) return PairedAnswer{.failure = *failure};
  const Json ratios = member(*json, "log_ratio");
  if (!ratios.is_array() || ratios.empty()) {
    return no_answer(command_, answered, "it has no list \"log_ratio\"");
  }
  PairedAnswer answer;
  for (const Json& ratio : ratios) {
    if (!ratio.is_number() || !std::isfinite(ratio.get<double>())) {
      return no_answer(command_, answered, "\"log_ratio\" holds something else than numbers");
    }
    answer.log_ratios.push_back(ratio.get<double>());
  }
  return answer;
}

}  // namespace opbench
