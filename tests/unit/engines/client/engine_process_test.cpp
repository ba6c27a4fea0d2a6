#include "engines/client/engine_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <string>

#include "base/files/file.h"

namespace opbench {
namespace {

using testing::HasSubstr;

constexpr Seconds kLong{200};  // for a busy machine, too
constexpr int kLongMs = 200'000;

/// Engines here are shell scripts: descriptors 3 and 4 are all that the protocol asks of them.
class EngineProcessTest : public testing::Test {
 protected:
  std::unique_ptr<EngineProcess> start(const std::string& script) {
    return EngineProcess::start({.argv = {"/bin/sh", "-c", script}, .log = log()}).value();
  }
  Outcome<Json> call(const std::string& script, Seconds limit = kLong) {
    return start(script)->call("hello", Json::object(), limit);
  }
  std::filesystem::path log() const { return folder_.path() / "engine.log"; }
  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

int descriptor_of(int pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

/// True once the process behind `descriptor` has ended; false if it does not within kLong.
bool ends(int descriptor) {
  pollfd entry{descriptor, POLLIN, 0};
  return ::poll(&entry, 1, kLongMs) == 1;
}

/// True once the process is in that state (proc(5)); false if it is not within kLong or so.
bool comes_to_state(int pid, char state) {
  for (int i = 0; i < kLongMs; ++i) {
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/status").value_or("");
    if (status.find(std::string("State:\t") + state) != std::string::npos) return true;
    ::usleep(1000);
  }
  return false;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

TEST_F(EngineProcessTest, HandsOverTheRequestAndReturnsTheResult) {
  const auto engine =
      start(R"(read -r l <&3; echo "$l" >&2; echo '{"id":1,"result":{"a":2}}' >&4)");
  const auto result = engine->call("hello", {{"threads", 1}}, kLong);
  ASSERT_TRUE(result) << to_text(result.error());
  EXPECT_EQ(result->at("a"), 2);
  EXPECT_EQ(read_file(log()).value(),
            "{\"id\":1,\"method\":\"hello\",\"params\":{\"threads\":1}}\n");
}

TEST_F(EngineProcessTest, ReturnsTheFailureThatTheEngineAnswers) {
  const auto result =
      call(R"(read -r l <&3; echo '{"id":1,"error":{"kind":"unsupported","message":"no"}}' >&4)");
  EXPECT_EQ(result.error(), (Failure{FailureKind::kUnsupported, "no"}));
}

TEST_F(EngineProcessTest, StaysAliveAfterAFailure) {
  const auto engine = start(R"(read -r l <&3; echo '{"id":1,"error":{}}' >&4
      read -r l <&3; echo '{"id":2,"result":{}}' >&4; read -r l <&3)");
  EXPECT_FALSE(engine->call("a", {}, kLong));
  EXPECT_TRUE(engine->call("b", {}, kLong));
  EXPECT_TRUE(engine->is_alive());
}

TEST_F(EngineProcessTest, IsEndedAfterItsDeviceWasLost) {
  const auto engine = start(
      R"(read -r l <&3; echo '{"id":1,"error":{"kind":"device_lost","message":"gone"}}' >&4
      read -r l <&3)");
  const auto result = engine->call("a", {}, kLong);
  EXPECT_EQ(result.error(), (Failure{FailureKind::kDeviceLost, "gone"}));
  EXPECT_FALSE(engine->is_alive());
}

TEST_F(EngineProcessTest, NamesTheSignalAndTheEndOfTheLogOfACrash) {
  const auto result = call("for i in 1 2 3 4 5 6 7; do echo line $i; done; kill -SEGV $$");
  EXPECT_EQ(result.error().kind, FailureKind::kRunError);
  EXPECT_EQ(result.error().text,
            "killed by signal 11 (SIGSEGV) during \"hello\"; its log ends: "
            "line 3 | line 4 | line 5 | line 6 | line 7");
}

TEST_F(EngineProcessTest, NamesTheExitCode) {
  EXPECT_EQ(call("exit 3").error(),
            (Failure{FailureKind::kRunError, "ended with exit code 3 during \"hello\""}));
}

TEST_F(EngineProcessTest, RefusesFurtherCallsOnceItsEngineHasEnded) {
  const auto engine = start("exit 0");
  EXPECT_FALSE(engine->call("a", {}, kLong));
  EXPECT_FALSE(engine->is_alive());
  EXPECT_EQ(engine->call("b", {}, kLong).error().text, "the engine is not running");
}

TEST_F(EngineProcessTest, KillsAnEngineThatHangs) {
  const auto engine = start("sleep 1000");
  const int descriptor = descriptor_of(engine->pid());
  const auto result = engine->call("measure", {}, Seconds(0.05));
  EXPECT_EQ(result.error(),
            (Failure{FailureKind::kRunTimeout, "no answer to \"measure\" within 0.05 s"}));
  EXPECT_FALSE(engine->is_alive());
  EXPECT_TRUE(ends(descriptor));
  ::close(descriptor);
}

TEST_F(EngineProcessTest, MultipliesTimeLimitsByWhatTheUserSays) {
  ::setenv("OPBENCH_TIME_LIMITS", "0.005", 1);
  EXPECT_EQ(call("sleep 1000", Seconds(10)).error(),
            (Failure{FailureKind::kRunTimeout, "no answer to \"hello\" within 0.05 s"}));
  ::setenv("OPBENCH_TIME_LIMITS", "1000", 1);
  EXPECT_TRUE(call(R"(read -r l <&3; /bin/true; echo '{"id":1,"result":{}}' >&4)", Seconds(0.02)));
  for (const char* bad : {"0", "-1", "long"}) {
    ::setenv("OPBENCH_TIME_LIMITS", bad, 1);
    EXPECT_EQ(call("sleep 1000").error(),
              (Failure{FailureKind::kRunError,
                       std::string("OPBENCH_TIME_LIMITS must be above 0, not \"") + bad + "\""}));
  }
  ::unsetenv("OPBENCH_TIME_LIMITS");
}

TEST_F(EngineProcessTest, StopsAnEngineThatSpinsWhileItIsPaused) {
  const auto engine =
      start(R"(read -r l <&3; echo '{"id":1,"result":{}}' >&4; while :; do :; done)");
  ASSERT_TRUE(engine->call("hello", Json::object(), kLong));
  ASSERT_TRUE(comes_to_state(engine->pid(), 'R'));
  engine->pause();
  EXPECT_TRUE(comes_to_state(engine->pid(), 'T'));
  EXPECT_TRUE(engine->is_alive());
  engine->resume();
  EXPECT_TRUE(comes_to_state(engine->pid(), 'R'));
  engine->pause();  // it ends all the same
}

TEST_F(EngineProcessTest, KillsAnEngineWhenTheCallIsCancelled) {
  const auto engine = start("sleep 1000");
  const int descriptor = descriptor_of(engine->pid());
  const std::atomic<bool> cancel = true;
  const auto result = engine->call("compile", {}, kLong, &cancel);
  EXPECT_EQ(result.error(), (Failure{FailureKind::kCancelled, "interrupted during \"compile\""}));
  EXPECT_TRUE(ends(descriptor));
  ::close(descriptor);
}

TEST_F(EngineProcessTest, TimesOutWhenARequestIsNotRead) {
  const auto engine = start("sleep 1000");
  const Json params = {{"text", std::string(size_t{1} << 20, 'x')}};
  EXPECT_EQ(engine->call("prepare", params, Seconds(0.05)).error().kind, FailureKind::kRunTimeout);
}

TEST_F(EngineProcessTest, RefusesAnAnswerThatIsNotJson) {
  EXPECT_EQ(
      call("echo Segmentation ok >&4; sleep 1000").error(),
      (Failure{FailureKind::kRunError, "the engine answered \"hello\" with \"Segmentation ok\""}));
}

TEST_F(EngineProcessTest, RefusesAnAnswerToAnotherRequest) {
  EXPECT_EQ(call(R"(echo '{"id":7,"result":{}}' >&4; sleep 1000)").error().kind,
            FailureKind::kRunError);
}

TEST_F(EngineProcessTest, ReadsAnswersThatComeInPieces) {
  const auto engine = start(R"(read -r l <&3; printf '{"id":1,' >&4; /bin/true
      printf '"result":{}}\n{"id":2,"result":{"b":1}}\n' >&4; read -r l <&3; read -r l <&3)");
  EXPECT_TRUE(engine->call("a", {}, kLong));
  EXPECT_EQ(engine->call("b", {}, kLong).value().at("b"), 1);
}

TEST_F(EngineProcessTest, ReadsHugeAnswers) {
  const auto result = call(R"(printf '{"id":1,"result":"' >&4
      head -c 5000000 /dev/zero | tr '\0' x >&4; printf '"}\n' >&4)");
  ASSERT_TRUE(result) << to_text(result.error());
  EXPECT_EQ(result->get<std::string>().size(), 5000000U);
}

TEST_F(EngineProcessTest, SurvivesAnEngineThatClosesItsRequests) {
  ::signal(SIGPIPE, SIG_DFL);
  const auto engine =
      start(R"(read -r l <&3; exec 3<&-; echo '{"id":1,"result":{}}' >&4; sleep 1000)");
  EXPECT_TRUE(engine->call("a", {}, kLong));
  EXPECT_EQ(engine->call("b", {}, kLong).error().kind, FailureKind::kRunError);
}

TEST_F(EngineProcessTest, NamesAnExecutableThatIsMissing) {
  const auto engine = EngineProcess::start({.argv = {"/no/such/engine"}});
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error(),
            (Error{ErrorCode::kEnvironment,
                   "cannot start the engine \"/no/such/engine\": No such file or directory"}));
  EXPECT_FALSE(has_children());
}

TEST_F(EngineProcessTest, NamesCpusThatAreMissing) {
  const auto engine = EngineProcess::start({.argv = {"/bin/true"}, .cpus = {1000}});
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().message, "cannot run an engine on CPUs 1000: Invalid argument");
}

TEST_F(EngineProcessTest, SetsAffinityAndEnvironmentAndClosesOtherDescriptors) {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<size_t>(cpu), &allowed)) ++cpu;
  const int leaked = ::open("/dev/null", O_RDONLY);
  const auto engine = EngineProcess::start(
      {.argv =
           {"/bin/sh", "-c",
            "echo $OPBENCH_TEST; grep Cpus_allowed_list /proc/self/status; exec ls /proc/self/fd"},
       .environment = {{"OPBENCH_TEST", "some text"}},
       .cpus = {cpu},
       .log = log()});
  EXPECT_FALSE(engine.value()->call("hello", {}, kLong));
  ::close(leaked);
  const std::string text = read_file(log()).value();
  EXPECT_THAT(text, HasSubstr("some text\nCpus_allowed_list:\t" + std::to_string(cpu) + "\n"));
  EXPECT_THAT(text, HasSubstr("\n0\n1\n2\n3\n4\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8) << text;  // 5 is ls's own
}

TEST_F(EngineProcessTest, EndsAnEngineByTheEndOfItsRequests) {
  auto engine = start("cat <&3 >&2; echo ended in order >&2");
  engine.reset();
  EXPECT_EQ(read_file(log()).value(), "ended in order\n");
  EXPECT_FALSE(has_children());
}

TEST_F(EngineProcessTest, KillsTheEnginesChildrenToo) {
  auto engine = start(R"(sleep 1000 & echo "{\"id\":1,\"result\":$!}" >&4; wait)");
  const int child = engine->call("hello", {}, kLong).value().get<int>();
  const int descriptor = descriptor_of(child);
  engine.reset();
  EXPECT_TRUE(ends(descriptor));
  EXPECT_FALSE(has_children());
  ::close(descriptor);
}

/// Starts an engine with a child of its own, writes both pids to `out` and waits to be killed.
[[noreturn]] void run_doomed_parent(int out) {
  auto engine = EngineProcess::start(
      {.argv = {"/bin/sh", "-c",
                R"(sleep 1000 & echo "{\"id\":1,\"result\":$!}" >&4; sleep 1000)"}});
  const std::array<int, 2> pids{engine.value()->pid(),
                                engine.value()->call("hello", {}, kLong).value().get<int>()};
  if (::write(out, pids.data(), sizeof pids) < 0) ::_exit(1);
  for (;;) ::pause();
}

TEST_F(EngineProcessTest, LeavesNothingBehindWhenThisProgramIsKilled) {
  std::array<int, 2> ends_of_pipe{};
  ASSERT_EQ(::pipe(ends_of_pipe.data()), 0);
  const int parent = ::fork();
  if (parent == 0) run_doomed_parent(ends_of_pipe[1]);
  std::array<int, 2> pids{};
  ASSERT_EQ(::read(ends_of_pipe[0], pids.data(), sizeof pids), static_cast<ssize_t>(sizeof pids));
  const int engine = descriptor_of(pids[0]);
  const int child = descriptor_of(pids[1]);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(ends(engine));
  EXPECT_TRUE(ends(child));
  for (const int fd : {engine, child, ends_of_pipe[0], ends_of_pipe[1]}) ::close(fd);
}

}  // namespace
}  // namespace opbench
