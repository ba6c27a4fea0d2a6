// The engine `onnxruntime`: ONNX Runtime through its C interface.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/files/file.h"
#include "base/system/memory.h"
#include "engines/onnxruntime/fused_nodes.h"
#include "engines/onnxruntime/model_bytes.h"
#include "engines/onnxruntime/profile_events.h"
#include "engines/onnxruntime/runtime_session.h"
#include "engines/protocol/engine_threads.h"
#include "engines/protocol/sampling.h"
#include "engines/protocol/server.h"
#include "engines/protocol/tensor_files.h"

namespace opbench::ort {
namespace {

using Clock = std::chrono::steady_clock;

/// The profiler keeps a million events and takes about 800 bytes of text for each.
constexpr int64_t kMostEvents = 200000;

/// The value, or its error as the answer.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw RequestFailure(FailureKind::kRunError, result.error().message);
  return std::move(*result);
}

struct Prepared {
  SessionSettings settings;
  std::map<std::string, Tensor> inputs;
  std::unique_ptr<Session> session;
  bool is_model = false;  ///< read from its file
  bool is_profiled = false;
  std::optional<double> peak_bytes = {};  ///< of memory, before a second session is loaded
};

/// Of a workload the bytes with its weights inside; empty for a model, which is read from its file.
std::string bytes_of(const Json& params, const std::map<std::string, Tensor>& tensors) {
  const std::string kind = params.value("kind", "");
  if (kind != "onnx" && kind != "workload") {
    throw RequestFailure(FailureKind::kUnsupported,
                         "cannot prepare a \"" + kind + "\"; known: onnx, workload");
  }
  std::map<std::string, Tensor> weights;
  for (const Json& name : params.value("weights", Json::array())) {
    const auto found = tensors.find(name.get<std::string>());
    if (found == tensors.end()) {
      throw RequestFailure(FailureKind::kRunError, "no tensor for " + name.get<std::string>());
    }
    weights.insert(*found);
  }
  if (weights.empty()) return "";
  return with_initializers(value_of(read_file(params.at("path").get<std::string>())), weights);
}

void refuse_unit(const Json& params) {
  if (!params.value("unit", Json()).is_null()) {
    throw RequestFailure(FailureKind::kUnsupported,
                         "ONNX Runtime runs its units only inside their model");
  }
}

/// A second session of a model, which writes its profile to a file of `folder`, its nodes all
/// named.
struct ProfilingSession {
  ProfilingSession(const Runtime& runtime, const Prepared& model,
                   const std::filesystem::path& folder) {
    SessionSettings settings = model.settings;
    const std::string bytes =
        settings.bytes.empty() ? value_of(read_file(settings.path)) : settings.bytes;
    nodes = nodes_of(bytes);
    if (std::string named = with_node_names(bytes); !named.empty()) settings.bytes = named;
    settings.profile_prefix = (folder / "profile").string();
    session = std::make_unique<Session>(runtime, settings);
    session->bind(model.inputs);
  }

  std::unique_ptr<Session> session;
  std::vector<ModelNode> nodes;
};

Json tensors_json(const std::vector<ProfiledTensor>& tensors) {
  Json list = Json::array();
  for (const ProfiledTensor& tensor : tensors) {
    list.push_back({{"data_type", tensor.data_type}, {"shape", tensor.shape}});
  }
  return list;
}

Json units_json(const Profile& profile, const std::vector<ModelNode>& nodes,
                const std::vector<std::string>& inputs) {
  std::vector<std::string> names;
  for (const ProfiledUnit& unit : profile.units) names.push_back(unit.name);
  const auto members = nodes_of_units(names, nodes, inputs);
  Json units = Json::array();
  for (size_t i = 0; i < profile.units.size(); ++i) {
    const ProfiledUnit& unit = profile.units[i];
    units.push_back({{"id", i},
                     {"operator", unit.operator_name},
                     {"name", unit.name},
                     {"inputs", tensors_json(unit.inputs)},
                     {"outputs", tensors_json(unit.outputs)},
                     {"nodes", members[i]}});
  }
  return units;
}

class OnnxRuntimeEngine {
 public:
  explicit OnnxRuntimeEngine(std::string library) : library_(std::move(library)) {}

  RequestHandler handler() {
    const auto method = [this](auto answer) {
      return [this, answer](const Json& params) -> Outcome<Json> {
        Json result = (this->*answer)(params);
        let_own_workers_sleep();
        return result;
      };
    };
    return handler_of({{"hello", method(&OnnxRuntimeEngine::hello)},
                       {"prepare", method(&OnnxRuntimeEngine::prepare)},
                       {"run", method(&OnnxRuntimeEngine::run)},
                       {"measure", method(&OnnxRuntimeEngine::measure)},
                       {"profile", method(&OnnxRuntimeEngine::profile)},
                       {"release", method(&OnnxRuntimeEngine::release)}});
  }

 private:
  Json hello(const Json& params) {
    const auto greeting = read_greeting(params);
    if (!greeting) throw RequestFailure(greeting.error().kind, greeting.error().text);
    machine_ = *greeting;
    // Workers get CPUs of their own where there are enough; else they go where this thread may.
    const auto threads = static_cast<size_t>(machine_.threads);
    if (!machine_.cpus.empty() && machine_.cpus.size() >= threads) {
      pin_calling_thread(machine_.cpus.front());
    }
    if (!runtime_) runtime_ = std::make_unique<Runtime>(library_);
    return {{"engine", "onnxruntime"},
            {"version", runtime_->api().version},
            {"protocol", 1},
            {"versions", {{"onnxruntime", runtime_->api().version}}},
            {"call_floor_ms", floor_ms()}};
  }

  /// The time of a model that copies one number.
  double floor_ms() {
    Session session(*runtime_, {.machine = machine_, .bytes = identity_model(), .path = "floor"});
    session.bind({{"x", Tensor::of<float>(DataType::kFloat32, {1}, std::array{1.0F})}});
    return call_floor_ms(session.prepare_call());
  }

  void let_own_workers_sleep() const {
    if (machine_.threads > 1) let_workers_sleep();
  }

  Json prepare(const Json& params) {
    const auto start = Clock::now();
    Prepared prepared;
    prepared.inputs = value_of(read_tensors(params.value("inputs", Json())));
    prepared.settings = {machine_, bytes_of(params, prepared.inputs),
                         params.at("path").get<std::string>(), ""};
    prepared.is_model = prepared.settings.bytes.empty();
    prepared.session = std::make_unique<Session>(*runtime_, prepared.settings);
    prepared.session->bind(prepared.inputs);
    prepared.is_profiled = params.value("profile", false);
    if (!prepared.is_profiled) prepared.settings.bytes.clear();
    prepared_[params.at("name").get<std::string>()] = std::move(prepared);
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    return {{"prepare_ms", time.count()}};
  }

  Prepared& named(const Json& params) {
    const auto name = params.at("name").get<std::string>();
    const auto found = prepared_.find(name);
    if (found == prepared_.end()) {
      throw RequestFailure(FailureKind::kRunError, "nothing is prepared as \"" + name + "\"");
    }
    return found->second;
  }

  /// ONNX Runtime 1.30 gives no value for some outputs of a model that are operands of a sum too:
  /// it joins the node that makes them with the sum (seen in nasnetalarge). Then once more without.
  NamedTensors outputs_of(const Prepared& prepared, const std::map<std::string, Tensor>& replaced) {
    try {
      return prepared.session->run(replaced);
    } catch (const RequestFailure&) {
      if (!prepared.is_model) throw;
    }
    SessionSettings settings = prepared.settings;
    settings.is_basic = true;
    Session session(*runtime_, settings);
    session.bind(prepared.inputs);
    return session.run(replaced);
  }

  Json run(const Json& params) {
    refuse_unit(params);
    const NamedTensors outputs =
        outputs_of(named(params), value_of(read_tensors(params.value("inputs", Json()))));
    return {
        {"outputs", value_of(write_tensors(params.at("outputs_dir").get<std::string>(), outputs))}};
  }

  Json measure(const Json& params) {
    refuse_unit(params);
    Session& session = *named(params).session;
    return take_samples(
        {session.prepare_call(),
         [&] { session.touch_activations(); },
         {},
         [&](const Json& inputs) { return session.audited_call(value_of(read_tensors(inputs))); }},
        params);
  }

  /// One plain and one instrumented run, each after an untimed one that warms caches and workers.
  /// The other session's workers are asleep by then.
  Json time_pair(const std::function<void()>& plain, const std::function<void()>& instrumented,
                 int order, SampleTimer& timer) const {
    Json pair = {{"order", order}};
    for (const bool is_plain : {order == 0, order != 0}) {
      const auto& call = is_plain ? plain : instrumented;
      let_own_workers_sleep();
      call();
      pair[is_plain ? "plain" : "instrumented"] = timer.time(call);
    }
    return pair;
  }

  Json profile(const Json& params) {
    Prepared& model = named(params);
    if (!model.is_profiled) {
      throw RequestFailure(FailureKind::kRunError, "\"" + params.at("name").get<std::string>() +
                                                       "\" was not prepared to be profiled");
    }
    const TemporaryFolder folder =
        value_of(TemporaryFolder::make_in(std::filesystem::temp_directory_path()));
    const auto plain = model.session->prepare_call();
    if (!model.peak_bytes) model.peak_bytes = peak_resident_bytes();
    const ProfilingSession profiling(*runtime_, model, folder.path());
    const auto instrumented = profiling.session->prepare_call();
    const int64_t most = kMostEvents / (2 * (static_cast<int64_t>(profiling.nodes.size()) + 2));
    const int64_t wanted = std::clamp(params.value("runs", int64_t{1}), int64_t{1}, most);
    std::vector<Json> pairs;
    SampleTimer timer;
    for (int64_t i = 0; i < std::max(wanted, int64_t{1}); ++i) {
      pairs.push_back(time_pair(plain, instrumented, static_cast<int>(i % 2), timer));
    }
    const Profile profile = value_of(read_profile(profiling.session->end_profiling()));
    Json runs = runs_json(std::move(pairs), profile);
    if (runs.empty()) {
      throw RequestFailure(FailureKind::kRunError, "ONNX Runtime's profile is empty");
    }
    return {{"units", units_json(profile, profiling.nodes, model.session->input_names())},
            {"runs", std::move(runs)},
            {"peak_memory_mb", model.peak_bytes ? Json(*model.peak_bytes / 1e6) : Json()}};
  }

  /// The pairs with the times of their units, without those whose run differed from the last one.
  /// The profile begins with the calls of `prepare_call`; then each pair made an untimed and a
  /// timed one.
  static Json runs_json(std::vector<Json> pairs, const Profile& profile) {
    Json runs = Json::array();
    if (profile.runs.size() < 2 * pairs.size()) return runs;
    const size_t first = profile.runs.size() - 2 * pairs.size();
    for (size_t i = 0; i < pairs.size(); ++i) {
      const std::vector<double>& units_s = profile.runs[first + 2 * i + 1];
      if (units_s.empty()) continue;
      pairs[i]["units_s"] = units_s;
      runs.push_back(std::move(pairs[i]));
    }
    return runs;
  }

  Json release(const Json& params) {
    named(params);
    prepared_.erase(params.at("name").get<std::string>());
    return Json::object();
  }

  std::string library_;
  Greeting machine_;
  std::unique_ptr<Runtime> runtime_;
  std::map<std::string, Prepared> prepared_;
};

}  // namespace
}  // namespace opbench::ort

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: " << words[0] << " LIBRARY\n";
    return 2;
  }
  opbench::ort::OnnxRuntimeEngine engine(words[1]);
  return opbench::serve(engine.handler());
}
