#include "base/system/cpu_wait.h"

#include <fstream>

namespace opbench {

std::optional<double> cpu_wait_s(const std::filesystem::path& root) {
  constexpr double kNanoseconds = 1e-9;
  std::error_code failed;
  std::optional<double> sum;
  std::filesystem::directory_iterator task(root / "proc/self/task", failed);
  for (; task != std::filesystem::directory_iterator(); task.increment(failed)) {
    std::ifstream file(task->path() / "schedstat");
    double ran_ns = 0, waited_ns = 0;
    if (file >> ran_ns >> waited_ns) sum = sum.value_or(0) + kNanoseconds * waited_ns;
  }
  return sum;
}

}  // namespace opbench
