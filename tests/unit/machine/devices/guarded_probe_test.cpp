#include "machine/devices/guarded_probe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace opbench {
namespace {

using namespace std::chrono_literals;

TEST(GuardedProbe, GivesTheAnswerHoweverLong) {
  const std::string answer(1 << 20, 'x');
  EXPECT_EQ(probe_in_child([&] { return answer; }, 10s).value(), answer);
}

TEST(GuardedProbe, SaysThatADriverCrashed) {
  const auto answer = probe_in_child(
      []() -> std::string {
        ::raise(SIGSEGV);
        return "survived";
      },
      10s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kEnvironment);
  EXPECT_EQ(answer.error().message, "its driver crashed: signal 11");
}

TEST(GuardedProbe, EndsADriverThatDoesNotAnswer) {
  const auto answer = probe_in_child(
      []() -> std::string {
        for (;;) ::pause();
      },
      20ms);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "its driver did not answer within 20 ms");
}

TEST(GuardedProbe, SaysThatADriverEndedTheProcess) {
  const auto answer = probe_in_child([]() -> std::string { ::_exit(3); }, 10s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "its driver ended the process");
}

TEST(GuardedProbe, KeepsWhatADriverPrintsToItself) {
  ::testing::internal::CaptureStdout();
  const auto answer = probe_in_child(
      [] {
        std::printf("a driver's greeting\n");
        std::fflush(stdout);
        return std::string("answer");
      },
      10s);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(answer.value(), "answer");
}

}  // namespace
}  // namespace opbench
