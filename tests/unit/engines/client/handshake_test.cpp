#include "engines/client/handshake.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace opbench {
namespace {

EngineCall answers(const Json& reply) {
  return [reply](const std::string&, const Json&) -> Outcome<Json> { return reply; };
}

TEST(Handshake, TellsThreadsAndCpus) {
  Json told;
  std::string method;
  const EngineCall call = [&](const std::string& name, const Json& params) -> Outcome<Json> {
    method = name;
    told = params;
    return Json{{"protocol", kProtocolVersion}};
  };
  ASSERT_TRUE(say_hello(call, {2, {3, 5}}));
  EXPECT_EQ(method, "hello");
  EXPECT_EQ(told.dump(), R"({"protocol":1,"threads":2,"cpus":[3,5]})");
}

TEST(Handshake, ReturnsTheReply) {
  const auto reply = say_hello(answers({{"protocol", 1}, {"version", "7"}}), {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->at("version"), "7");
  EXPECT_TRUE(say_hello(answers({{"engine", "silent about its protocol"}}), {}));
}

TEST(Handshake, RefusesAnotherVersion) {
  for (const Json& other : {Json(2), Json("1"), Json()}) {
    const auto reply = say_hello(answers({{"protocol", other}}), {});
    ASSERT_FALSE(reply) << other.dump();
    EXPECT_EQ(reply.error().kind, FailureKind::kUnsupported);
    EXPECT_EQ(reply.error().text, "the engine speaks protocol " + other.dump() + ", not 1");
  }
}

TEST(Handshake, PassesAFailureOn) {
  const EngineCall call = [](const std::string&, const Json&) -> Outcome<Json> {
    return tl::make_unexpected(Failure{FailureKind::kRunTimeout, "slow"});
  };
  const auto reply = say_hello(call, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, FailureKind::kRunTimeout);
}

}  // namespace
}  // namespace opbench
