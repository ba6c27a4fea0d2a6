#include <nlohmann/json.hpp>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "engines/onednn/candidates.h"
#include "engines/protocol/engine_threads.h"
#include "engines/protocol/sampling.h"
#include "engines/protocol/server.h"
#include "engines/protocol/tensor_files.h"

namespace opbench {
namespace {

using Clock = std::chrono::steady_clock;
using Tensors = std::map<std::string, Tensor>;

tl::unexpected<Failure> failure(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

/// A candidate with memory for its arguments.
class BoundPrimitive {
 public:
  BoundPrimitive(Candidate candidate, const dnnl::engine& engine)
      : candidate_(std::move(candidate)), engine_(engine), stream_(engine) {
    for (const PrimitiveArgument& argument : candidate_.arguments) {
      memories_[argument.id] = dnnl::memory(argument.wanted, engine_);
    }
    memories_[DNNL_ARG_DST] = dnnl::memory(candidate_.output, engine_);
  }

  /// Copies the values into the layouts that the primitive wants.
  void fill(const Tensors& values) {
    for (const PrimitiveArgument& argument : candidate_.arguments) {
      copy_in(values.at(argument.value), argument.plain, memories_[argument.id]);
    }
    if (!candidate_.summed.empty()) {
      copy_in(values.at(candidate_.summed), candidate_.plain_output, memories_[DNNL_ARG_DST]);
    }
  }

  void run() {
    candidate_.primitive.execute(stream_, memories_);
    stream_.wait();
  }

  /// Ones in every bit of the output, unless the primitive adds to it.
  void overwrite_output() {
    if (!candidate_.summed.empty()) return;
    std::memset(memories_[DNNL_ARG_DST].get_data_handle(), 0xFF, candidate_.output.get_size());
  }

  Tensor output(const TensorType& type) {
    Tensor tensor = Tensor::empty(type);
    dnnl::memory plain(candidate_.plain_output, engine_, tensor.data.data());
    dnnl::reorder(memories_[DNNL_ARG_DST], plain).execute(stream_, memories_[DNNL_ARG_DST], plain);
    stream_.wait();
    return tensor;
  }

  /// Brings inputs and output that are not weights into the caches.
  void touch_activations(const Workload& workload) {
    for (const PrimitiveArgument& argument : candidate_.arguments) {
      if (workload.is_weight(argument.value)) continue;
      touch(memories_[argument.id].get_data_handle(), argument.wanted.get_size());
    }
    touch(memories_[DNNL_ARG_DST].get_data_handle(), candidate_.output.get_size());
  }

  const std::string& implementation() const { return candidate_.implementation; }

 private:
  void copy_in(const Tensor& tensor, const dnnl::memory::desc& plain, dnnl::memory& to) {
    dnnl::memory from(plain, engine_, const_cast<std::byte*>(tensor.data.data()));
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  Candidate candidate_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  std::unordered_map<int, dnnl::memory> memories_;
};

struct Prepared {
  Workload workload;
  Tensors values;
  std::unique_ptr<BoundPrimitive> primitive;
};

/// Seconds of the fastest of several calls, at least 3 and 20 ms of them.
double shortest_call(BoundPrimitive& primitive) {
  primitive.run();
  double best = 1e30;
  const auto end = Clock::now() + std::chrono::milliseconds(20);
  for (int i = 0; i < 3 || Clock::now() < end; ++i) {
    const auto start = Clock::now();
    primitive.run();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

std::unique_ptr<BoundPrimitive> bound_of_main(const Candidate& candidate, const Tensors& values,
                                              const dnnl::engine& engine) {
  auto primitive = std::make_unique<BoundPrimitive>(candidate, engine);
  primitive->fill(values);
  return primitive;
}

/// Index of the candidate with the shortest call.
size_t fastest(const std::vector<Candidate>& candidates, const Tensors& values,
               const dnnl::engine& engine) {
  if (candidates.size() == 1) return 0;
  std::vector<double> times;
  for (const Candidate& candidate : candidates) {
    times.push_back(shortest_call(*bound_of_main(candidate, values, engine)));
  }
  return static_cast<size_t>(std::ranges::min_element(times) - times.begin());
}

/// Returns once all of OpenMP's threads are at work: they meet at the region's end.
void wake_workers() {
#pragma omp parallel
  { asm volatile("" ::: "memory"); }
}

class OnednnEngine {
 public:
  /// `takes_default`: of the candidates only oneDNN's own choice.
  explicit OnednnEngine(bool takes_default)
      : engine_(dnnl::engine::kind::cpu, 0), takes_default_(takes_default) {}

  RequestHandler handler() {
    const auto method = [this](auto answer) {
      return [this, answer](const Json& params) {
        auto result = (this->*answer)(params);
        if (omp_get_max_threads() > 1) let_workers_sleep();
        return result;
      };
    };
    return handler_of({{"hello", method(&OnednnEngine::hello)},
                       {"prepare", method(&OnednnEngine::prepare)},
                       {"run", method(&OnednnEngine::run)},
                       {"measure", method(&OnednnEngine::measure)},
                       {"profile", method(&OnednnEngine::profile)},
                       {"release", method(&OnednnEngine::release)}});
  }

 private:
  Outcome<Json> hello(const Json& params) {
    const auto greeting = read_greeting(params);
    if (!greeting) return tl::make_unexpected(greeting.error());
    omp_set_num_threads(greeting->threads);
    const dnnl_version_t* version = dnnl_version();
    const std::string text = std::to_string(version->major) + "." + std::to_string(version->minor) +
                             "." + std::to_string(version->patch);
    return Json{{"engine", "onednn"},
                {"version", text},
                {"protocol", 1},
                {"versions", {{"onednn", text}}},
                {"call_floor_ms", floor_ms()}};
  }

  /// The time of a primitive that copies one number.
  double floor_ms() {
    const dnnl::memory::desc one({1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
    const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference,
                                           dnnl::algorithm::eltwise_linear, one, 1.0F, 0.0F);
    dnnl::eltwise_forward copy({desc, engine_});
    dnnl::stream stream(engine_);
    const std::unordered_map<int, dnnl::memory> memories = {
        {DNNL_ARG_SRC, dnnl::memory(one, engine_)}, {DNNL_ARG_DST, dnnl::memory(one, engine_)}};
    return call_floor_ms([&] {
      copy.execute(stream, memories);
      stream.wait();
    });
  }

  Outcome<Json> prepare(const Json& params) {
    if (params.at("kind") != "workload") {
      return failure(FailureKind::kUnsupported, "the onednn engine runs single workloads only");
    }
    const auto start = Clock::now();
    auto workload = parse_workload(params.at("workload").get<std::string>());
    if (!workload) return failure(FailureKind::kRunError, workload.error().message);
    auto values = read_tensors(params.value("inputs", Json()));
    if (!values) return failure(FailureKind::kRunError, values.error().message);
    for (const auto& [name, tensor] : workload->graph.constants) values->emplace(name, tensor);
    for (const Value& input : workload->graph.inputs) {
      const auto found = values->find(input.name);
      if (found == values->end() || found->second.type != workload->graph.types.at(input.name)) {
        return failure(FailureKind::kRunError,
                       "no tensor that fits the operand \"" + input.name + "\"");
      }
    }
    auto candidates = candidates_for(*workload, engine_);
    if (!candidates) return tl::make_unexpected(candidates.error());
    if (takes_default_) {
      std::erase_if(*candidates, [](const Candidate& one) { return !one.is_default; });
    }
    const size_t choice = params.contains("choice") ? params["choice"].get<size_t>()
                                                    : fastest(*candidates, *values, engine_);
    if (choice >= candidates->size()) {
      return failure(FailureKind::kInvalidConfig, "choice " + std::to_string(choice) + " of " +
                                                      std::to_string(candidates->size()) +
                                                      " implementations");
    }
    auto primitive = bound_of_main((*candidates)[choice], *values, engine_);
    const Json unit = {{"id", 0},
                       {"operator", operator_text(*workload)},
                       {"nodes", Json::array()},
                       {"implementation", primitive->implementation()}};
    prepared_[params.at("name").get<std::string>()] = {std::move(*workload), std::move(*values),
                                                       std::move(primitive)};
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    return Json{{"units", Json::array({unit})}, {"choice", choice}, {"prepare_ms", time.count()}};
  }

  Prepared& named(const Json& params) {
    const auto name = params.at("name").get<std::string>();
    const auto found = prepared_.find(name);
    if (found == prepared_.end()) {
      throw std::invalid_argument("nothing is prepared as \"" + name + "\"");
    }
    return found->second;
  }

  Outcome<Json> run(const Json& params) {
    Prepared& prepared = named(params);
    const AuditedCall call = audited(prepared, params.value("inputs", Json()));
    call.call();
    auto written = write_tensors(params.at("outputs_dir").get<std::string>(), call.outputs());
    if (!written) return failure(FailureKind::kRunError, written.error().message);
    return Json{{"outputs", *written}};
  }

  static AuditedCall audited(Prepared& prepared, const Json& inputs) {
    auto replaced = read_tensors(inputs);
    if (!replaced) throw RequestFailure(FailureKind::kRunError, replaced.error().message);
    Tensors values = std::move(*replaced);
    for (const auto& [name, tensor] : values) {
      const auto known = prepared.values.find(name);
      if (known == prepared.values.end() || known->second.type != tensor.type) {
        throw RequestFailure(FailureKind::kRunError, "no operand \"" + name + "\" of this type");
      }
    }
    values.insert(prepared.values.begin(), prepared.values.end());
    prepared.primitive->overwrite_output();
    prepared.primitive->fill(values);
    return {[&] { prepared.primitive->run(); },
            [&] {
              const Value& output = prepared.workload.graph.outputs.at(0);
              Tensor tensor =
                  prepared.primitive->output(prepared.workload.graph.types.at(output.name));
              prepared.primitive->fill(prepared.values);
              return std::vector{std::pair(output.name, std::move(tensor))};
            }};
  }

  Outcome<Json> measure(const Json& params) {
    Prepared& prepared = named(params);
    return take_samples(
        {[&] { prepared.primitive->run(); },
         [&] { prepared.primitive->touch_activations(prepared.workload); }, wake_workers,
         [&](const Json& inputs) { return audited(prepared, inputs); }},
        params);
  }

  Outcome<Json> profile(const Json&) {
    return failure(FailureKind::kUnsupported, "the onednn engine runs single workloads only");
  }

  Outcome<Json> release(const Json& params) {
    named(params);
    prepared_.erase(params.at("name").get<std::string>());
    return Json::object();
  }

  dnnl::engine engine_;
  bool takes_default_;
  std::map<std::string, Prepared> prepared_;
};

}  // namespace
}  // namespace opbench

int main(int count, char** words) {
  const bool takes_default = count == 2 && std::string_view(words[1]) == "--default";
  if (count > 1 && !takes_default) {
    std::cerr << "usage: " << words[0] << " [--default]\n";
    return 2;
  }
  opbench::OnednnEngine engine(takes_default);
  return opbench::serve(engine.handler());
}
