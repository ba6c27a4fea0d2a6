#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <string>

#include "engines/client/engine_process.h"

namespace opbench {
namespace {

/// Answers one request with the number of the engine's session.
constexpr const char* kScript =
    "read -r line <&3; session=$(cut -d' ' -f6 /proc/$$/stat); "
    "printf '{\"id\": 1, \"result\": {\"session\": %s}}\\n' \"$session\" >&4; read -r line <&3";

int session_of_engine(bool has_own) {
  const auto process =
      EngineProcess::start({.argv = {"/bin/sh", "-c", kScript}, .has_own_session = has_own});
  EXPECT_TRUE(process) << to_text(process.error());
  const auto reply = (*process)->call("hello", Json::object(), Seconds(20));
  EXPECT_TRUE(reply) << to_text(reply.error());
  const int session = reply->at("session");
  EXPECT_EQ(session == (*process)->pid(), has_own);
  EXPECT_EQ(::getpgid((*process)->pid()), (*process)->pid());  // its children end with it
  return session;
}

TEST(OwnSession, IsBegunByTheEngineWhereItIsWanted) {
  EXPECT_NE(session_of_engine(true), ::getsid(0));
  EXPECT_EQ(session_of_engine(false), ::getsid(0));
}

}  // namespace
}  // namespace opbench
