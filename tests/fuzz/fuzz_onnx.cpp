// fuzz-onnx [SECONDS [SEED [FOLDER]]]: reads, lowers and runs damaged ONNX models in a process of
// its own, which a crash, a hang or too much memory ends; the model that did it is kept.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "onnx_fuzz.h"

namespace {

using opbench::OnnxFuzz;
using FuzzOnnxClock = std::chrono::steady_clock;
constexpr auto kModels = "/usr/share/libonnx-testdata/data";
constexpr unsigned kFuzzOnnxHangSeconds = 20;
constexpr double kMostBytes = 1.5e9;
constexpr int kMostFindings = 20;

/// Runs models from `next` on until the time is over; the exit code is 1 if one did not hold.
int run_models(const OnnxFuzz& fuzz, std::atomic<uint64_t>& next, FuzzOnnxClock::time_point end) {
  while (FuzzOnnxClock::now() < end) {
    alarm(kFuzzOnnxHangSeconds);
    const auto held = fuzz.run(fuzz.input(next));
    if (!held) {
      std::printf("model %lu: %s\n", static_cast<unsigned long>(next.load()),
                  held.error().message.c_str());
      return 1;
    }
    ++next;
  }
  return 0;
}

/// Bytes that a process has in memory.
double resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Waits for the process, and ends it if it takes too much memory.
int watch(pid_t process, double begin_bytes, bool& took_too_much) {
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (resident_bytes(process) - begin_bytes > kMostBytes) {
      took_too_much = true;
      kill(process, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return status;
}

/// Keeps the model for a second look.
void fuzz_onnx_report(const OnnxFuzz& fuzz, uint64_t seed, uint64_t number, int status,
                      bool took_too_much) {
  const std::string path =
      "fuzz-onnx-" + std::to_string(seed) + "-" + std::to_string(number) + ".onnx";
  const auto written = opbench::write_file(path, fuzz.input(number));
  if (took_too_much) {
    std::printf("model %lu took more than %.1f GB\n", static_cast<unsigned long>(number),
                kMostBytes / 1e9);
  } else if (WIFSIGNALED(status)) {
    std::printf("model %lu ended the process: %s\n", static_cast<unsigned long>(number),
                strsignal(WTERMSIG(status)));
  }
  std::printf("kept as %s\n", written ? path.c_str() : "nothing: the folder cannot be written");
  std::fflush(stdout);
}

/// One file, in this process: for a second look.
int run_file(const OnnxFuzz& fuzz, const std::string& path) {
  const auto bytes = opbench::read_file(path);
  const auto held = bytes ? fuzz.run(*bytes) : opbench::Result<void>(opbench::Error(bytes.error()));
  std::printf("%s: %s\n", path.c_str(), held ? "holds" : held.error().message.c_str());
  return held ? 0 : 1;
}

}  // namespace

// What the sanitizers find ends the process.
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }

int main(int argc, char** argv) {
  const bool is_file = argc > 1 && std::string(argv[1]).ends_with(".onnx");
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const auto fuzz = OnnxFuzz::make(seed, argc > 3 ? argv[3] : kModels);
  if (!fuzz) {
    std::fputs(opbench::to_text(fuzz.error()).c_str(), stderr);
    return 1;
  }
  if (is_file) return run_file(*fuzz, argv[1]);
  void* shared = mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  auto& next = *new (shared) std::atomic<uint64_t>(0);
  std::printf("seed %lu, %zu models to damage\n", static_cast<unsigned long>(seed), fuzz->models());
  std::fflush(stdout);
  const auto end = FuzzOnnxClock::now() + std::chrono::duration_cast<FuzzOnnxClock::duration>(
                                              std::chrono::duration<double>(seconds));
  const double begin_bytes = resident_bytes(getpid());
  int findings = 0;
  while (FuzzOnnxClock::now() < end && findings < kMostFindings) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      const int code = run_models(*fuzz, next, end);
      std::fflush(stdout);
      _exit(code);
    }
    bool took_too_much = false;
    const int status = watch(child, begin_bytes, took_too_much);
    if (status == 0) break;
    ++findings;
    fuzz_onnx_report(*fuzz, seed, next, status, took_too_much);
    ++next;
  }
  const auto models = static_cast<unsigned long>(next.load());
  if (findings > 0) {
    std::printf("%lu models, %d findings\n", models, findings);
    return 1;
  }
  std::printf("%lu models: no crash, no hang, little memory\n", models);
  return 0;
}
