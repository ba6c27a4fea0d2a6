#include "engines/client/process_use.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace opbench {

std::optional<ProcessUse> process_use(int pid) {
  const std::filesystem::path folder = std::filesystem::path("/proc") / std::to_string(pid);
  std::ifstream file(folder / "statm");
  double pages = 0, resident_pages = 0;
  if (!(file >> pages >> resident_pages)) return {};
  ProcessUse use;
  use.resident_bytes = resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::error_code failed;
  constexpr double kNanoseconds = 1e-9;
  std::filesystem::directory_iterator task(folder / "task", failed);
  for (; task != std::filesystem::directory_iterator(); task.increment(failed)) {
    ++use.threads;
    std::ifstream times(task->path() / "schedstat");
    double ran_ns = 0;
    if (times >> ran_ns) use.cpu_s += kNanoseconds * ran_ns;
  }
  return use;
}

}  // namespace opbench
