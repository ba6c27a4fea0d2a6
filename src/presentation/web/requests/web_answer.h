#pragma once

#include <string>

namespace opbench {

/// What a request of a view is answered with.
struct WebAnswer {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string body;
};

}  // namespace opbench
