#pragma once

#include <cstdlib>
#include <string>

namespace opbench {

/// While it lives, $OPBENCH_CPU names this processor, or none where it is empty.
class CapForTest {
 public:
  explicit CapForTest(const std::string& processor) {
    const char* before = std::getenv("OPBENCH_CPU");
    before_ = before == nullptr ? "" : before;
    set(processor);
  }
  ~CapForTest() { set(before_); }
  CapForTest(const CapForTest&) = delete;
  CapForTest& operator=(const CapForTest&) = delete;

 private:
  static void set(const std::string& processor) { ::setenv("OPBENCH_CPU", processor.c_str(), 1); }

  std::string before_;
};

}  // namespace opbench
