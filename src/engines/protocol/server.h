#pragma once

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"

namespace opbench {

/// Answers one method of the engine protocol: the `result`, or a failure.
using RequestHandler = std::function<Outcome<Json>(const std::string& method, const Json& params)>;

/// Serves the engine protocol on descriptors 3 and 4 until the requests end: the main loop of an
/// engine written in C++. Returns the process's exit code.
int serve(const RequestHandler& handler);

/// The handlers of an engine by the names of their methods. Other names are answered with
/// `unsupported`; before `hello` has a result, all but it with `run_error`, and so is a second one.
RequestHandler handler_of(std::map<std::string, std::function<Outcome<Json>(const Json&)>> methods);

/// What `hello` says.
struct Greeting {
  int threads = 1;        ///< that a call may use, the calling one included
  std::vector<int> cpus;  ///< where they run, the first for the calling one; may be empty
};

/// `unsupported` for another protocol than 1, `invalid_config` for fewer threads than 1.
Outcome<Greeting> read_greeting(const Json& params);

/// Thrown inside a handler: its failure is the answer.
class RequestFailure : public std::exception {
 public:
  RequestFailure(FailureKind kind, std::string text) : failure_{kind, std::move(text)} {}
  const Failure& failure() const { return failure_; }
  const char* what() const noexcept override { return failure_.text.c_str(); }

 private:
  Failure failure_;
};

}  // namespace opbench
