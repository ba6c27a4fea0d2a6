#include "engines/protocol/server.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

namespace opbench {
namespace {

constexpr int kRequests = 3;
constexpr int kReplies = 4;

Json error_reply(FailureKind kind, const std::string& message) {
  return {{"kind", name_of(kind)}, {"message", message}};
}

Outcome<Json> answer(const RequestHandler& handler, const Json& request) {
  try {
    return handler(request.at("method").get<std::string>(),
                   request.value("params", Json::object()));
  } catch (const RequestFailure& exception) {
    return tl::make_unexpected(exception.failure());
  } catch (const std::bad_alloc&) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "out of memory"});
  } catch (const std::exception& exception) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, exception.what()});
  } catch (...) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "unknown exception"});
  }
}

std::string reply_to(const RequestHandler& handler, const std::string& line) {
  const Json request = Json::parse(line, nullptr, false);
  Json reply = {{"id", nullptr}};
  if (!request.is_object()) {
    reply["error"] = error_reply(FailureKind::kRunError, "the request is not a JSON object");
  } else {
    reply["id"] = request.value("id", Json());
    const auto result = answer(handler, request);
    if (result) {
      reply["result"] = *result;
    } else {
      reply["error"] = error_reply(result.error().kind, result.error().text);
    }
  }
  return reply.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(kReplies, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

tl::unexpected<Failure> failed(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

}  // namespace

RequestHandler handler_of(
    std::map<std::string, std::function<Outcome<Json>(const Json&)>> methods) {
  return [methods = std::move(methods), is_greeted = false](
             const std::string& method, const Json& params) mutable -> Outcome<Json> {
    const auto found = methods.find(method);
    if (found == methods.end()) {
      return failed(FailureKind::kUnsupported, "unknown method \"" + method + "\"");
    }
    const bool is_hello = method == "hello";
    if (is_hello == is_greeted) {
      return failed(FailureKind::kRunError,
                    is_hello ? "hello was said already" : "say hello first");
    }
    Outcome<Json> result = found->second(params);
    is_greeted = is_greeted || result.has_value();
    return result;
  };
}

Outcome<Greeting> read_greeting(const Json& params) {
  const Json protocol = params.value("protocol", Json(1));
  if (protocol != 1) {
    return failed(FailureKind::kUnsupported,
                  "protocol " + protocol.dump() + "; this engine speaks 1");
  }
  const Greeting greeting{params.value("threads", 1), params.value("cpus", std::vector<int>())};
  if (greeting.threads < 1) {
    return failed(FailureKind::kInvalidConfig,
                  "threads is " + std::to_string(greeting.threads) + "; it is at least 1");
  }
  return greeting;
}

int serve(const RequestHandler& handler) {
  if (::fcntl(kRequests, F_GETFD) < 0 || ::fcntl(kReplies, F_GETFD) < 0) {
    std::fputs("an engine is started by opbench, with requests on descriptor 3\n", stderr);
    return 2;
  }
  std::string unread;
  std::string chunk(size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(kRequests, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0 ? 0 : 1;
    unread.append(chunk, 0, static_cast<size_t>(got));
    size_t begin = 0;
    for (size_t end = 0; (end = unread.find('\n', begin)) != std::string::npos; begin = end + 1) {
      if (!write_all(reply_to(handler, unread.substr(begin, end - begin)))) return 1;
    }
    unread.erase(0, begin);
  }
}

}  // namespace opbench
