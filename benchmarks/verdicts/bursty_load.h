#pragma once

#include <memory>

namespace opbench {

/// Threads, one a CPU, that work on memory for a while and sleep for a while, until destroyed:
/// 0.1 s at work and 0.4 s idle on average, at random.
class BurstyLoad {
 public:
  BurstyLoad();
  BurstyLoad(const BurstyLoad&) = delete;
  BurstyLoad& operator=(const BurstyLoad&) = delete;
  ~BurstyLoad();

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace opbench
