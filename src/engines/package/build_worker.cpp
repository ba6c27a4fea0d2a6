#include "engines/package/build_worker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>

#include "base/json/byte_text.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "engines/protocol/server.h"

namespace opbench {
namespace {

tl::unexpected<Failure> failed(FailureKind kind, const std::string& text) {
  return tl::make_unexpected(Failure{kind, text});
}

/// What a test has a worker do: anything but an answer.
void misbehave(const std::string& fault) {
  if (fault == "crash") ::raise(SIGSEGV);
  while (fault == "hang") ::pause();
  constexpr size_t kPiece = size_t{1} << 30;
  constexpr int kMost = 64;
  std::vector<std::unique_ptr<char[]>> pieces;  // never touched
  for (int i = 0; fault == "out-of-memory" && i < kMost; ++i) {
    pieces.push_back(std::make_unique_for_overwrite<char[]>(kPiece));
  }
}

FailureKind kind_of(ErrorCode code) {
  if (code == ErrorCode::kInvalidInput) return FailureKind::kInvalidConfig;
  if (code == ErrorCode::kEnvironment) return FailureKind::kUnsupported;
  return FailureKind::kBuildError;
}

/// The message, and the reason if there is one.
std::string text_with_reason(const Error& error) {
  const auto reason = std::ranges::find(error.facts, "reason", &Fact::label);
  return reason == error.facts.end() ? error.message : error.message + ": " + reason->text;
}

Outcome<Json> compile(const Json& params) {
  misbehave(params.value("fault", ""));
  const auto spec = parse_kernel_spec(params.at("spec").get<std::string>());
  if (!spec) return failed(FailureKind::kBuildError, spec.error().message);
  const std::filesystem::path object = bytes_of(params.at("object")).value_or("");
  std::error_code ignored;
  std::filesystem::create_directories(object.parent_path(), ignored);
  const double begin = monotonic_s();
  const auto compiled = compile_kernel(*spec, params.at("function").get<std::string>(), object);
  if (!compiled) return failed(kind_of(compiled.error().code), text_with_reason(compiled.error()));
  keep_compile_time(object, s_to_ms(monotonic_s() - begin));
  return Json::object();
}

// Hands kernels to worker processes; one thread a worker waits for its replies.
class BuildQueue {
 public:
  BuildQueue(std::vector<const KernelBuild*> kernels, const BuildOptions& options)
      : kernels_(std::move(kernels)), options_(options) {}

  Result<std::map<std::string, Failure>> run() {
    std::vector<std::thread> threads;
    const size_t count =
        std::min(static_cast<size_t>(std::max(options_.workers, 1)), kernels_.size());
    for (size_t i = 0; i < count; ++i) threads.emplace_back([this, i] { feed_one_worker(i); });
    for (size_t known = 0; known < kernels_.size();) {
      known = wait_for_more_than(known);
      if (options_.progress && !is_cancelled()) options_.progress(known, kernels_.size());
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& [function, failure] : failures_) {
      if (failure.kind == FailureKind::kUnsupported) return no_compiler(failure);
    }
    if (is_cancelled()) {
      return Error{ErrorCode::kInterrupted, "interrupted while kernels were being built"};
    }
    return std::move(failures_);
  }

 private:
  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  size_t wait_for_more_than(size_t known) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ > known; });
    return done_;
  }

  void feed_one_worker(size_t number) {
    std::filesystem::path log;
    if (!options_.logs.empty()) log = options_.logs / fmt::format("build-worker-{}.log", number);
    std::unique_ptr<EngineProcess> worker;
    for (size_t i = next_++; i < kernels_.size(); i = next_++) {
      const KernelBuild& kernel = *kernels_[i];
      if (is_cancelled()) {
        note(kernel, Failure{FailureKind::kCancelled, "interrupted"});
        continue;
      }
      if (worker == nullptr || !worker->is_alive()) {
        auto started = EngineProcess::start({options_.worker, {}, {}, log});
        if (!started) {
          note(kernel, Failure{FailureKind::kBuildError, started.error().message});
          continue;
        }
        worker = std::move(*started);
      }
      const Json params = {{"spec", text_of(kernel.spec)},
                           {"function", kernel.key.function},
                           {"object", byte_text(kernel.key.object.string())}};
      const int pid = worker->pid();
      const auto reply = worker->call("compile", params, options_.time_limit, options_.cancel);
      std::error_code ignored;
      if (!reply) {
        std::filesystem::remove(unfinished_object(kernel.key.object, pid), ignored);
        note(kernel, as_build_failure(reply.error()));
      } else if (!std::filesystem::exists(kernel.key.object, ignored)) {
        note(kernel, Failure{FailureKind::kBuildError, "the build worker wrote no object"});
      } else {
        note(kernel, std::nullopt);
      }
    }
  }

  static Failure as_build_failure(Failure failure) {
    if (failure.kind == FailureKind::kRunError) failure.kind = FailureKind::kBuildError;
    if (failure.kind == FailureKind::kRunTimeout) failure.kind = FailureKind::kBuildTimeout;
    return failure;
  }

  void note(const KernelBuild& kernel, std::optional<Failure> failure) {
    const std::lock_guard lock(mutex_);
    if (failure) failures_.emplace(kernel.key.function, std::move(*failure));
    ++done_;
    changed_.notify_one();
  }

  std::vector<const KernelBuild*> kernels_;
  const BuildOptions& options_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t done_ = 0;
  std::map<std::string, Failure> failures_;
};

}  // namespace

int serve_builds() {
  return serve([](const std::string& method, const Json& params) -> Outcome<Json> {
    if (method == "compile") return compile(params);
    return failed(FailureKind::kUnsupported, "unknown method \"" + method + "\"");
  });
}

Error no_compiler(const Failure& failure) {
  return Error{ErrorCode::kEnvironment, "kernels cannot be compiled here"}
      .with("reason", failure.text)
      .with("help", "./dev setup installs what is missing");
}

Result<std::map<std::string, Failure>> build_kernels(const std::vector<KernelBuild>& kernels,
                                                     const BuildOptions& options) {
  std::map<std::string, const KernelBuild*> missing;
  for (const KernelBuild& kernel : kernels) {
    std::error_code ignored;
    const bool exists = std::filesystem::exists(kernel.key.object, ignored);
    if (!exists) missing.emplace(kernel.key.function, &kernel);
  }
  std::vector<const KernelBuild*> queue;
  for (const auto& [function, kernel] : missing) queue.push_back(kernel);
  return BuildQueue(std::move(queue), options).run();
}

}  // namespace opbench
