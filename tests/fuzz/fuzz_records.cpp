// fuzz-records [SECONDS [SEED [FOLDER…]]]: reads damaged files of records in a process of its own,
// which a crash or a hang ends; the file that did it is kept.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "record_fuzz.h"

namespace {

using opbench::RecordFuzz;
using FuzzRecordsClock = std::chrono::steady_clock;
constexpr unsigned kFuzzRecordsHangSeconds = 20;
constexpr int64_t kLongLine = int64_t{1} << 30;

/// Runs inputs from `next` on until the time is over; the exit code is 1 if one did not hold.
int run_inputs(const RecordFuzz& fuzz, std::atomic<uint64_t>& next,
               FuzzRecordsClock::time_point end) {
  while (FuzzRecordsClock::now() < end) {
    alarm(kFuzzRecordsHangSeconds);
    const auto held = fuzz.run(fuzz.input(next));
    if (!held) {
      std::printf("input %lu: %s\n", static_cast<unsigned long>(next.load()),
                  held.error().message.c_str());
      return 1;
    }
    ++next;
  }
  return 0;
}

/// Keeps the file for a second look.
int fuzz_records_report(const RecordFuzz& fuzz, uint64_t seed, uint64_t number, int status) {
  const std::string path =
      "fuzz-records-" + std::to_string(seed) + "-" + std::to_string(number) + ".bin";
  const auto written = opbench::write_file(path, fuzz.input(number));
  if (WIFSIGNALED(status)) {
    std::printf("input %lu ended the process: %s\n", static_cast<unsigned long>(number),
                strsignal(WTERMSIG(status)));
  }
  std::printf("kept as %s\n", written ? path.c_str() : "nothing: the folder cannot be written");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::vector<std::string> folders(argv + std::min(argc, 3), argv + argc);
  const auto fuzz = RecordFuzz::make(seed, OPBENCH_TEST_FIXTURES, folders);
  if (!fuzz) {
    std::fputs(opbench::to_text(fuzz.error()).c_str(), stderr);
    return 1;
  }
  void* shared = mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  auto& next = *new (shared) std::atomic<uint64_t>(0);
  std::printf("seed %lu, %zu files to damage\n", static_cast<unsigned long>(seed), fuzz->files());
  std::fflush(stdout);
  const auto end = FuzzRecordsClock::now() + std::chrono::duration_cast<FuzzRecordsClock::duration>(
                                                 std::chrono::duration<double>(seconds));
  const pid_t child = fork();
  if (child == 0) {
    const int code = run_inputs(*fuzz, next, end);
    std::fflush(stdout);
    _exit(code);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  if (status != 0) return fuzz_records_report(*fuzz, seed, next, status);
  std::printf("%lu files: no crash, no hang, everything written is read back\n",
              static_cast<unsigned long>(next.load()));
  std::fflush(stdout);
  const auto held = fuzz->run_long_lines(kLongLine);
  if (!held) {
    std::printf("lines of 1 GiB: %s\n", held.error().message.c_str());
    return 1;
  }
  std::printf("lines of 1 GiB: an error in every format, in little memory\n");
  return 0;
}
