#include "engines/protocol/server.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

namespace opbench {
namespace {

Outcome<Json> handle(const std::string& method, const Json& params) {
  if (method == "echo") return params;
  if (method == "throw") throw std::runtime_error("thrown");
  if (method == "throw 5") throw 5;
  return tl::make_unexpected(
      Failure{FailureKind::kUnsupported, "unknown method \"" + method + "\""});
}

struct Served {
  std::string replies;
  int status = 0;
};

/// What a process that serves `handle` answers to `requests`.
Served serve_text(const std::string& requests) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0) return {};
  const int server = ::fork();
  if (server == 0) {
    const int from = ::dup(in[0]);
    const int to = ::dup(out[1]);
    for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
    ::dup2(from, 3);
    ::dup2(to, 4);
    ::_exit(serve(handle));
  }
  ::close(in[0]);
  ::close(out[1]);
  EXPECT_EQ(::write(in[1], requests.data(), requests.size()),
            static_cast<ssize_t>(requests.size()));
  ::close(in[1]);
  Served served;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0; (got = ::read(out[0], chunk.data(), chunk.size())) > 0;) {
    served.replies.append(chunk.data(), static_cast<size_t>(got));
  }
  ::close(out[0]);
  ::waitpid(server, &served.status, 0);
  return served;
}

TEST(Server, AnswersEachRequestInOrderAndEndsWithCodeZero) {
  const Served served = serve_text(
      "{\"id\": 1, \"method\": \"echo\", \"params\": {\"b\": 1, \"a\": [2]}}\n"
      "{\"id\": \"x\", \"method\": \"echo\"}\n");
  EXPECT_EQ(served.replies,
            "{\"id\":1,\"result\":{\"b\":1,\"a\":[2]}}\n{\"id\":\"x\",\"result\":{}}\n");
  EXPECT_EQ(served.status, 0);
}

TEST(Server, AnswersFailuresWithTheirKind) {
  EXPECT_EQ(serve_text("{\"id\": 1, \"method\": \"fly\"}\n").replies,
            "{\"id\":1,\"error\":{\"kind\":\"unsupported\",\"message\":\"unknown method "
            "\\\"fly\\\"\"}}\n");
}

TEST(Server, TurnsExceptionsIntoRunErrorsAndGoesOn) {
  EXPECT_EQ(serve_text("{\"id\": 1, \"method\": \"throw\"}\n{\"id\": 2, \"method\": \"throw 5\"}\n"
                       "{\"id\": 3, \"method\": \"echo\"}\n")
                .replies,
            "{\"id\":1,\"error\":{\"kind\":\"run_error\",\"message\":\"thrown\"}}\n"
            "{\"id\":2,\"error\":{\"kind\":\"run_error\",\"message\":\"unknown exception\"}}\n"
            "{\"id\":3,\"result\":{}}\n");
}

TEST(Server, RefusesWhatIsNotARequest) {
  const Served served = serve_text("garbage\n{\"id\": 4}\n{\"id\": 5, \"method\": \"echo\"}\n");
  EXPECT_NE(served.replies.find("{\"id\":null,\"error\":{\"kind\":\"run_error\""),
            std::string::npos);
  EXPECT_NE(served.replies.find("{\"id\":4,\"error\":{\"kind\":\"run_error\""), std::string::npos);
  EXPECT_NE(served.replies.find("{\"id\":5,\"result\":{}}"), std::string::npos);
}

RequestHandler greeting_handler() {
  const auto answer = [](const Json& params) -> Outcome<Json> {
    const auto greeting = read_greeting(params);
    if (!greeting) return tl::make_unexpected(greeting.error());
    return Json{{"threads", greeting->threads}, {"cpus", greeting->cpus}};
  };
  const auto refuse = [](const Json&) -> Outcome<Json> {
    throw RequestFailure(FailureKind::kUnsupported, "no such kernel");
  };
  return handler_of({{"hello", answer}, {"prepare", refuse}});
}

TEST(HandlerOf, AsksForHelloFirstAndOnce) {
  const RequestHandler handler = greeting_handler();
  EXPECT_EQ(handler("prepare", {}).error(), (Failure{FailureKind::kRunError, "say hello first"}));
  EXPECT_EQ(handler("fly", {}).error(),
            (Failure{FailureKind::kUnsupported, "unknown method \"fly\""}));
  EXPECT_FALSE(handler("hello", {{"threads", 0}})) << "it may be said again";
  EXPECT_EQ(*handler("hello", {{"threads", 2}, {"cpus", {3, 5}}}),
            Json::parse(R"({"threads": 2, "cpus": [3, 5]})"));
  EXPECT_EQ(handler("hello", Json::object()).error(),
            (Failure{FailureKind::kRunError, "hello was said already"}));
  EXPECT_THROW(handler("prepare", {}), RequestFailure);
}

TEST(ReadGreeting, RefusesWhatItCannotKeep) {
  EXPECT_EQ(read_greeting({{"protocol", 2}}).error(),
            (Failure{FailureKind::kUnsupported, "protocol 2; this engine speaks 1"}));
  EXPECT_EQ(read_greeting({{"threads", -1}}).error(),
            (Failure{FailureKind::kInvalidConfig, "threads is -1; it is at least 1"}));
  EXPECT_EQ(read_greeting(Json::object())->threads, 1);
}

}  // namespace
}  // namespace opbench
