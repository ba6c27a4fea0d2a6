#include "engines/package_engine/package_engine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error_line.h"
#include "base/system/memory.h"
#include "base/system/seconds.h"
#include "engines/package_engine/call_floor.h"
#include "engines/package_engine/corun_request.h"
#include "engines/package_engine/loaded_model.h"
#include "engines/package_engine/serve_request.h"
#include "engines/protocol/engine_threads.h"
#include "engines/protocol/sampling.h"
#include "engines/protocol/server.h"
#include "engines/protocol/tensor_files.h"
#include "engines/runtime/device_cache.h"
#include "engines/runtime/device_runs.h"
#include "engines/runtime/executor.h"
#include "engines/runtime/loaded_package.h"
#include "engines/runtime/step_watch.h"
#include "engines/runtime/unit_bench.h"

namespace opbench {
namespace {

Json peak_memory_mb() {
  const auto bytes = peak_resident_bytes();
  return bytes ? Json(*bytes / 1e6) : Json();
}

tl::unexpected<Failure> failed(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

void warm(std::span<const std::byte> memory) { touch(memory.data(), memory.size()); }

DeviceSeconds device_seconds(DeviceApi& device) {
  const LaunchTimes taken = device.take_times();
  return {.all = taken.seconds, .copies = taken.copies_s};
}

/// What a failure of an audited call is answered with.
template <class T>
T value_or_throw(Outcome<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().text);
  return std::move(*outcome);
}

class PackageEngine {
 public:
  explicit PackageEngine(PackageHost host) : host_(std::move(host)) {}

  /// A failure that has ended the device's context is told as such: the process is of no more use.
  Outcome<Json> answer(const std::string& method, const Json& params) {
    if (device_ == nullptr) return dispatch(method, params);
    Outcome<Json> answered = caught([&] { return dispatch(method, params); });
    if (answered) return answered;
    // Whether the device still works; what it was given before must not fail the next request.
    static_cast<void>(device_->synchronize());
    device_->take_times();
    if (device_->is_lost()) answered.error().kind = FailureKind::kDeviceLost;
    return answered;
  }

 private:
  static Outcome<Json> caught(const std::function<Outcome<Json>()>& call) {
    try {
      return call();
    } catch (const RequestFailure& failure) {
      return tl::make_unexpected(failure.failure());
    } catch (const std::runtime_error& failure) {
      return failed(FailureKind::kRunError, failure.what());
    }
  }

  Outcome<Json> dispatch(const std::string& method, const Json& params) {
    if (method == "hello") return hello(params);
    if (method == "prepare") return prepare(params);
    constexpr std::array kOfHost = {"corun", "serve", "advance"};
    if (device_ != nullptr && std::ranges::count(kOfHost, method) > 0) {
      return failed(FailureKind::kUnsupported, "\"" + method + "\" is for engines on CPUs");
    }
    if (method == "corun") return corun(params);
    if (method == "serve") return serve(params);
    if (method == "advance") return served_.advance(params);
    const auto loaded = models_.find(params.value("name", ""));
    constexpr std::array kOfLoaded = {"bind", "run", "measure", "profile", "release"};
    if (std::ranges::count(kOfLoaded, method) == 0) {
      return failed(FailureKind::kUnsupported, "unknown method \"" + method + "\"");
    }
    if (loaded == models_.end()) return failed(FailureKind::kRunError, "nothing of that name");
    LoadedModel& model = loaded->second;
    if (method == "bind") return bind(model, params);
    if (method == "run") return run(model, params);
    if (method == "measure") return measure(model, params);
    if (method == "profile") return profile(model, params);
    forget(loaded->first);
    return Json::object();
  }

  Outcome<Json> hello(const Json& params) {
    threads_ = params.value("threads", 1);
    cpus_ = params.value("cpus", std::vector<int>());
    if (host_.open_device && device_ == nullptr) {
      auto opened = host_.open_device();
      if (!opened) return tl::make_unexpected(not_opened(opened.error()));
      device_ = std::move(*opened);
    }
    // Else the scheduler may leave it on a worker's CPU, and both take turns there.
    if (!cpus_.empty()) pin_calling_thread(cpus_.front());
    const Result<double> floor_s = device_ == nullptr ? Result<double>(shortest_call_s([] {}, 1000))
                                                      : device_floor_s(*device_);
    if (!floor_s) return failed(FailureKind::kRunError, floor_s.error().message);
    Json reply = {{"engine", host_.name},
                  {"version", OPBENCH_VERSION},
                  {"protocol", 1},
                  {"versions", {{"opbench", OPBENCH_VERSION}, {"halide", "14.0.0"}}},
                  {"call_floor_ms", s_to_ms(*floor_s)}};
    if (device_ == nullptr) return reply;
    for (const auto& [name, value] : device_->facts()) reply["device"][name] = value;
    return reply;
  }

  Outcome<Json> prepare(const Json& params) {
    if (params.value("kind", "") != "package") {
      return failed(FailureKind::kUnsupported, "the " + host_.name + " engine loads packages only");
    }
    auto model = load_model(params, {.threads = threads_, .cpus = cpus_, .device = device_.get()});
    if (!model) return failed(FailureKind::kRunError, one_line_text(model.error()));
    const auto inputs = read_in_order(params.value("inputs", Json::array()));
    if (!inputs) return failed(FailureKind::kRunError, inputs.error().message);
    if (const auto set = set_inputs(*model->package, *inputs); !set) {
      return failed(FailureKind::kRunError, set.error().message);
    }
    const std::string name = params.value("name", "");
    forget(name);
    models_.emplace(name, std::move(*model));
    return Json{{"units", Json::array()}};
  }

  // What runs the package points into its memory and ends first.
  static Result<void> take_extents(LoadedModel& model, const Json& params) {
    OPBENCH_TRY(const std::vector<Tensor> inputs,
                read_in_order(params.value("inputs", Json::array())));
    model.executor.reset();
    model.bench.reset();
    OPBENCH_CHECK(model.package->take_extents(params.at("path").get<std::string>()));
    model.bench = std::make_unique<UnitBench>(*model.package);
    OPBENCH_TRY(model.executor, model.definition->make(*model.package));
    return set_inputs(*model.package, inputs);
  }

  // A model that could not be bound is gone.
  Outcome<Json> bind(LoadedModel& model, const Json& params) {
    end_served(model);
    const Result<void> bound = take_extents(model, params);
    if (bound) return Json::object();
    forget(params.value("name", ""));
    return failed(FailureKind::kRunError, one_line_text(bound.error()));
  }

  // Queries in flight read the package.
  void end_served(const LoadedModel& model) {
    if (served_.uses(model.package.get())) served_.end();
  }

  void forget(const std::string& name) {
    const auto found = models_.find(name);
    if (found == models_.end()) return;
    end_served(found->second);
    models_.erase(found);
  }

  // In order: one step after the other, whatever the executor.
  static int run_once(LoadedModel& model, bool in_order) {
    if (!in_order) return model.executor->run();
    const auto sequential = make_sequential_executor(*model.package);
    return sequential ? (*sequential)->run() : -1;
  }

  // The inputs given count for this call; afterwards those of `prepare` are back.
  static Outcome<TensorsByName> run_model(LoadedModel& model, const std::vector<Tensor>& given,
                                          bool in_order) {
    LoadedPackage& package = *model.package;
    const Program& program = package.program();
    std::vector<Tensor> prepared;
    for (size_t i = 0; i < std::min(given.size(), program.inputs.size()); ++i) {
      prepared.push_back(package.input(i));
    }
    const Result<void> set = set_inputs(package, given);
    const int code = set ? run_once(model, in_order) : 0;
    TensorsByName outputs = named_outputs(package);
    const Result<void> restored = set_inputs(package, prepared);
    for (const Result<void>& done : {set, restored}) {
      if (!done) return failed(FailureKind::kRunError, done.error().message);
    }
    if (code != 0) return failed(FailureKind::kRunError, take_failure(package.context(), code));
    return outputs;
  }

  static Outcome<Json> run(LoadedModel& model, const Json& params) {
    const auto given = read_in_order(params.value("inputs", Json::array()));
    if (!given) return failed(FailureKind::kRunError, given.error().message);
    const std::filesystem::path folder = params.at("outputs_dir").get<std::string>();
    TensorsByName outputs;
    Json reply;
    if (params.contains("unit") && params.at("unit").is_number()) {
      const size_t unit = params.at("unit");
      if (unit >= model.package->program().steps.size()) {
        return failed(FailureKind::kRunError, fmt::format("no unit {}", unit));
      }
      double cpu_s = 0;
      auto result = model.bench->run_checked(unit, *given, &cpu_s);
      if (!result) return tl::make_unexpected(result.error());
      reply["cpu_s"] = cpu_s;
      const std::vector<int>& slots = model.package->program().steps[unit].results;
      for (size_t i = 0; i < slots.size(); ++i) {
        const Slot& slot = model.package->program().slots[static_cast<size_t>(slots[i])];
        outputs.emplace_back(slot.name, std::move((*result)[i]));
      }
    } else {
      auto result = run_model(model, *given, params.value("in_order", false));
      if (!result) return tl::make_unexpected(result.error());
      outputs = std::move(*result);
    }
    const auto written = write_tensors(folder, outputs);
    if (!written) return failed(FailureKind::kRunError, written.error().message);
    reply["outputs"] = *written;
    return reply;
  }

  static Outcome<Json> measure(LoadedModel& model, const Json& params) {
    const auto wake = [&model] { model.package->pool().wake(); };
    if (params.contains("unit") && params.at("unit").is_number()) {
      const size_t unit = params.at("unit");
      const auto step = model.bench->isolated(unit);
      if (!step) return failed(FailureKind::kRunError, step.error().message);
      SampledCall sampled{
          [&model, bound = *step] { check_call(*model.package, bound->run()); },
          [&model, unit] { warm(model.bench->memory_of(unit)); }, wake,
          [&model, unit](const Json& inputs) { return audited_unit(model, unit, inputs); }};
      if (model.package->device() != nullptr) {
        sampled.call = [&model, bound = *step] {
          check_call(*model.package, bound->run());
          check_call(*model.package, finish_on_device(*model.package));
        };
      }
      return take_samples(with_device_clock(std::move(sampled), model), params);
    }
    SampledCall sampled{[&model] { check_call(*model.package, model.executor->run()); },
                        [&model] { warm(model.package->arena()); }, wake,
                        [&model](const Json& inputs) { return audited_model(model, inputs); }};
    return take_samples(with_device_clock(std::move(sampled), model), params);
  }

  static SampledCall with_device_clock(SampledCall sampled, const LoadedModel& model) {
    if (DeviceApi* const device = model.package->device(); device != nullptr) {
      sampled.on_device = [device] { return device_seconds(*device); };
      sampled.flush_device = [cache = std::make_shared<DeviceCache>(*device)](double times) {
        const Result<void> flushed = cache->flush(times);
        if (!flushed) throw std::runtime_error(flushed.error().message);
      };
    }
    return sampled;
  }

  static std::vector<Tensor> tensors_of(const Json& inputs) {
    auto tensors = read_in_order(inputs);
    if (!tensors) throw std::runtime_error(tensors.error().message);
    return std::move(*tensors);
  }

  static AuditedCall audited_unit(LoadedModel& model, size_t unit, const Json& inputs) {
    const std::shared_ptr<UnitCall> call =
        value_or_throw(UnitCall::make(*model.package, unit, tensors_of(inputs)));
    const std::vector<int>& slots = model.package->program().steps[unit].results;
    return {[&model, call] { check_call(*model.package, call->run()); },
            [call, &model, &slots] {
              if (!call->is_intact()) throw std::runtime_error("wrote outside of its buffers");
              TensorsByName outputs;
              std::vector<Tensor> results = call->results();
              for (size_t i = 0; i < slots.size(); ++i) {
                const auto slot = static_cast<size_t>(slots[i]);
                outputs.emplace_back(model.package->program().slots[slot].name,
                                     std::move(results[i]));
              }
              return outputs;
            }};
  }

  // In the memory of the model's own runs: its values have fixed places.
  static AuditedCall audited_model(LoadedModel& model, const Json& inputs) {
    const std::vector<Tensor> given = tensors_of(inputs);
    std::vector<Tensor> prepared;
    for (size_t i = 0; i < given.size(); ++i) prepared.push_back(model.package->input(i));
    if (const auto set = set_inputs(*model.package, given); !set) {
      throw std::runtime_error(set.error().message);
    }
    overwrite_results(*model.package);
    return {[&model] { check_call(*model.package, model.executor->run()); },
            [&model, prepared] {
              TensorsByName outputs = named_outputs(*model.package);
              if (const auto restored = set_inputs(*model.package, prepared); !restored) {
                throw std::runtime_error(restored.error().message);
              }
              return outputs;
            }};
  }

  Outcome<Json> corun(const Json& params) {
    return answer_corun(
        params, cpus_, [this](const std::string& name, size_t unit) -> Result<BoundStep*> {
          const auto loaded = models_.find(name);
          if (loaded == models_.end()) {
            return Error{ErrorCode::kInvalidInput, "nothing is prepared as \"" + name + "\""};
          }
          return loaded->second.bench->isolated(unit);
        });
  }

  Outcome<Json> serve(const Json& params) {
    return served_.serve(params, cpus_, [this](const std::string& name) {
      const auto loaded = models_.find(name);
      return loaded == models_.end() ? nullptr : loaded->second.package.get();
    });
  }

  static Outcome<Json> profile(LoadedModel& model, const Json& params) {
    Executor& executor = *model.executor;
    std::vector<double> step_s(model.package->program().steps.size());
    Json runs = Json::array();
    const int count = params.value("runs", 1);
    SampleTimer timer;
    std::function<DeviceSeconds()> on_device;
    if (DeviceApi* const device = model.package->device(); device != nullptr) {
      on_device = [device] { return device_seconds(*device); };
    }
    const auto plain = [&] { check_call(*model.package, executor.run()); };
    for (int i = 0; i < count; ++i) {
      const bool plain_first = i % 2 == 0;
      Json run = {{"order", plain_first ? 0 : 1}};
      if (plain_first) run["plain"] = timer.time(plain, 1, on_device);
      run["instrumented"] =
          timer.time([&] { check_call(*model.package, executor.run_timed(step_s)); }, 1, on_device);
      if (!plain_first) run["plain"] = timer.time(plain, 1, on_device);
      run["units_s"] = step_s;
      runs.push_back(std::move(run));
    }
    return Json{{"runs", std::move(runs)}, {"peak_memory_mb", peak_memory_mb()}};
  }

  PackageHost host_;
  std::unique_ptr<DeviceApi> device_;  // ends after what runs on it
  int threads_ = 1;
  std::vector<int> cpus_;
  std::map<std::string, LoadedModel> models_;
  ServedQueries served_;  // ends before the packages
};

}  // namespace

int serve_packages(const PackageHost& host) {
  tell_steps_at_end();
  PackageEngine engine(host);
  return serve(
      [&](const std::string& method, const Json& params) { return engine.answer(method, params); });
}

}  // namespace opbench
