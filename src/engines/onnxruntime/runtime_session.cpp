#include "engines/onnxruntime/runtime_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

namespace opbench::ort {
namespace {

/// The library's own default is a count of pauses, half a second on some CPUs.
constexpr const char* kSpinMicroseconds = "10000";

/// `3;4`: of each thread but the calling one the CPU, counted from 1.
std::string affinities(const Greeting& machine) {
  std::string text;
  for (size_t i = 1; i < static_cast<size_t>(machine.threads); ++i) {
    text += fmt::format("{}{}", text.empty() ? "" : ";", machine.cpus[i] + 1);
  }
  return text;
}

/// Options that make ONNX Runtime fastest.
Owned<Options> options_of(const Runtime& runtime, const SessionSettings& settings) {
  const RuntimeApi& api = runtime.api();
  Options* created = nullptr;
  runtime.check(api.create_options(&created));
  Owned<Options> options(created, api.release_options);
  const auto set = [&](const char* key, const std::string& value) {
    runtime.check(api.add_config_entry(created, key, value.c_str()));
  };
  const Greeting& machine = settings.machine;
  runtime.check(api.set_intra_threads(created, machine.threads));
  runtime.check(api.set_inter_threads(created, 1));
  runtime.check(api.set_execution(created, Execution::kSequential));
  runtime.check(
      api.set_optimization(created, settings.is_basic ? Optimization::kBasic : Optimization::kAll));
  runtime.check(api.set_log_level(created, LogLevel::kError));
  set("session.intra_op.spin_duration_us", kSpinMicroseconds);
  set("session.inter_op.allow_spinning", "0");
  if (machine.threads > 1 && machine.cpus.size() >= static_cast<size_t>(machine.threads)) {
    set("session.intra_op_thread_affinities", affinities(machine));
  }
  if (!settings.bytes.empty()) {
    const auto folder = std::filesystem::absolute(settings.path).parent_path();
    set("session.model_external_initializers_file_folder_path", folder.string());
  }
  if (!settings.profile_prefix.empty()) {
    runtime.check(api.enable_profiling(created, settings.profile_prefix.c_str()));
  }
  return options;
}

Owned<LoadedSession> load(const Runtime& runtime, const SessionSettings& settings) {
  const RuntimeApi& api = runtime.api();
  const Owned<Options> options = options_of(runtime, settings);
  LoadedSession* session = nullptr;
  if (settings.bytes.empty()) {
    runtime.check(
        api.create_session(runtime.env(), settings.path.c_str(), options.get(), &session));
  } else {
    runtime.check(api.create_session_from_bytes(runtime.env(), settings.bytes.data(),
                                                settings.bytes.size(), options.get(), &session));
  }
  return {session, api.release_session};
}

const char* word_of(ValueKind kind) {
  constexpr std::array kWords = {"value of unknown type", "tensor",        "sequence", "map",
                                 "opaque value",          "sparse tensor", "optional"};
  const auto index = static_cast<size_t>(kind);
  return index < kWords.size() ? kWords[index] : kWords[0];
}

}  // namespace

void Session::Slots::set(size_t i, Owned<Value> value) {
  pointers[i] = value.get();
  values[i] = std::move(value);
}

Session::Session(const Runtime& runtime, const SessionSettings& settings)
    : runtime_(runtime), session_(load(runtime, settings)) {
  read_names();
  for (Slots* slots : {&inputs_, &outputs_}) {
    for (const std::string& name : slots->names) {
      slots->name_pointers.push_back(name.c_str());
      slots->values.emplace_back(nullptr, runtime.api().release_value);
    }
    slots->memory.resize(slots->names.size());
    slots->pointers.resize(slots->names.size());
  }
}

void Session::read_names() {
  const RuntimeApi& api = runtime_.api();
  const auto read = [&](auto count_of, auto name_of, auto type_of, Slots& slots, const char* kind) {
    size_t count = 0;
    runtime_.check(count_of(session_.get(), &count));
    for (size_t i = 0; i < count; ++i) {
      char* name = nullptr;
      TypeInfo* type = nullptr;
      runtime_.check(name_of(session_.get(), i, runtime_.allocator(), &name));
      slots.names.push_back(runtime_.take_text(name));
      runtime_.check(type_of(session_.get(), i, &type));
      const Owned<TypeInfo> owned(type, api.release_type);
      ValueKind value_kind{};
      runtime_.check(api.value_kind(type, &value_kind));
      if (value_kind == ValueKind::kTensor) continue;
      throw RequestFailure(FailureKind::kUnsupported,
                           fmt::format("{} \"{}\" is a {}; an engine takes and gives tensors", kind,
                                       slots.names.back(), word_of(value_kind)));
    }
  };
  read(api.input_count, api.input_name, api.input_type, inputs_, "input");
  read(api.output_count, api.output_name, api.output_type, outputs_, "output");
}

void Session::bind(std::map<std::string, Tensor> tensors) {
  std::string missing;
  for (const std::string& name : inputs_.names) {
    if (!tensors.contains(name)) missing += (missing.empty() ? "" : ", ") + name;
  }
  if (!missing.empty()) {
    throw RequestFailure(FailureKind::kRunError, "no tensor for the model's inputs: " + missing);
  }
  for (size_t i = 0; i < inputs_.names.size(); ++i) {
    inputs_.memory[i] = std::move(tensors.at(inputs_.names[i]));
    inputs_.set(i, runtime_.value_in(inputs_.memory[i]));
  }
  has_places_ = false;
}

void Session::call() {
  Status* const status = runtime_.api().run(session_.get(), nullptr, inputs_.name_pointers.data(),
                                            inputs_.pointers.data(), inputs_.pointers.size(),
                                            outputs_.name_pointers.data(), outputs_.pointers.size(),
                                            outputs_.pointers.data());
  if (status != nullptr) runtime_.check(status);
}

/// A call whose outputs the library allocates.
void Session::call_afresh() {
  for (size_t i = 0; i < outputs_.names.size(); ++i) {
    outputs_.set(i, {nullptr, runtime_.api().release_value});
  }
  has_places_ = false;
  call();
  for (size_t i = 0; i < outputs_.names.size(); ++i) {
    outputs_.values[i].reset(outputs_.pointers[i]);
  }
}

std::shared_ptr<Session::Replaced> Session::replace(std::map<std::string, Tensor> tensors) {
  auto replaced = std::make_shared<Replaced>();
  replaced->tensors = std::move(tensors);
  std::vector<Value*> pointers = inputs_.pointers;
  for (auto& [name, tensor] : replaced->tensors) {
    const auto found = std::ranges::find(inputs_.names, name);
    if (found == inputs_.names.end()) {
      throw RequestFailure(FailureKind::kRunError, "the model has no input \"" + name + "\"");
    }
    replaced->values.push_back(runtime_.value_in(tensor));
    pointers[static_cast<size_t>(found - inputs_.names.begin())] = replaced->values.back().get();
  }
  replaced->prepared = std::exchange(inputs_.pointers, std::move(pointers));
  return replaced;
}

NamedTensors Session::run(std::map<std::string, Tensor> tensors) {
  const auto replaced = replace(std::move(tensors));
  try {
    call_afresh();
  } catch (...) {
    inputs_.pointers = replaced->prepared;
    throw;
  }
  inputs_.pointers = replaced->prepared;
  return outputs();
}

AuditedCall Session::audited_call(std::map<std::string, Tensor> tensors) {
  const std::function<void()> timed = prepare_call();
  const auto replaced = replace(std::move(tensors));
  for (Tensor& memory : outputs_.memory) {
    std::memset(memory.data.data(), 0xFF, memory.data.size());
  }
  const auto restore = [this, replaced] { inputs_.pointers = replaced->prepared; };
  return {[timed, restore] {
            try {
              timed();
            } catch (...) {
              restore();
              throw;
            }
          },
          [this, restore] {
            restore();
            return outputs();
          }};
}

NamedTensors Session::outputs() const {
  NamedTensors outputs;
  for (size_t i = 0; i < outputs_.names.size(); ++i) {
    outputs.emplace_back(outputs_.names[i],
                         runtime_.copy_of(outputs_.pointers[i], outputs_.names[i]));
  }
  return outputs;
}

/// Memory of ours for each output, of the type that it has now; what has no size stays the
/// library's, and is written anew at each call.
void Session::place_outputs() {
  call_afresh();
  for (size_t i = 0; i < outputs_.names.size(); ++i) {
    const TensorType type = runtime_.type_of(outputs_.pointers[i]);
    if (size_of(type.data_type) == 0) continue;
    outputs_.memory[i] = Tensor::empty(type);
    outputs_.set(i, runtime_.value_in(outputs_.memory[i]));
  }
}

std::function<void()> Session::prepare_call() {
  if (!has_places_) {
    place_outputs();
    has_places_ = true;
    makes_outputs_ = false;
    try {
      for (int trial = 0; trial < 3; ++trial) call();  // random extents may be equal once
    } catch (const RequestFailure&) {
      makes_outputs_ = true;  // of other extents than a moment ago
    }
  }
  if (makes_outputs_) return [this] { call_afresh(); };
  return [this] { call(); };
}

void Session::touch_activations() const {
  for (const Slots* slots : {&inputs_, &outputs_}) {
    for (const Tensor& tensor : slots->memory) touch(tensor.data.data(), tensor.data.size());
  }
}

std::string Session::end_profiling() {
  char* file = nullptr;
  runtime_.check(runtime_.api().end_profiling(session_.get(), runtime_.allocator(), &file));
  return runtime_.take_text(file);
}

}  // namespace opbench::ort
