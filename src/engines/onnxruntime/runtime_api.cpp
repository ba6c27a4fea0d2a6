#include "engines/onnxruntime/runtime_api.h"

#include <dlfcn.h>

#include <cstdlib>

#include "engines/protocol/server.h"

namespace opbench::ort {
namespace {

/// The oldest table that has every function named in `RuntimeApi`; later libraries know it too.
constexpr uint32_t kTableVersion = 13;

/// What the library exports: where its tables are found.
struct ApiBase {
  const void* const* (*table)(uint32_t version);
  const char* (*version)();
};

template <class Function>
void runtime_api_take(Function*& function, const void* const* table, size_t place) {
  function = reinterpret_cast<Function*>(const_cast<void*>(table[place]));
}

void take_sessions(RuntimeApi& api, const void* const* table) {
  runtime_api_take(api.create_options, table, 10);
  runtime_api_take(api.set_execution, table, 13);
  runtime_api_take(api.enable_profiling, table, 14);
  runtime_api_take(api.set_log_level, table, 22);
  runtime_api_take(api.set_optimization, table, 23);
  runtime_api_take(api.set_intra_threads, table, 24);
  runtime_api_take(api.set_inter_threads, table, 25);
  runtime_api_take(api.release_options, table, 100);
  runtime_api_take(api.add_config_entry, table, 130);
  runtime_api_take(api.create_session, table, 7);
  runtime_api_take(api.create_session_from_bytes, table, 8);
  runtime_api_take(api.run, table, 9);
  runtime_api_take(api.input_count, table, 30);
  runtime_api_take(api.output_count, table, 31);
  runtime_api_take(api.input_type, table, 33);
  runtime_api_take(api.output_type, table, 34);
  runtime_api_take(api.input_name, table, 36);
  runtime_api_take(api.output_name, table, 37);
  runtime_api_take(api.value_kind, table, 56);
  runtime_api_take(api.release_session, table, 95);
  runtime_api_take(api.release_type, table, 98);
  runtime_api_take(api.end_profiling, table, 110);
}

void take_tensors(RuntimeApi& api, const void* const* table) {
  runtime_api_take(api.create_tensor, table, 49);
  runtime_api_take(api.is_tensor, table, 50);
  runtime_api_take(api.tensor_data, table, 51);
  runtime_api_take(api.element_type, table, 60);
  runtime_api_take(api.rank, table, 61);
  runtime_api_take(api.extents, table, 62);
  runtime_api_take(api.tensor_info, table, 65);
  runtime_api_take(api.release_value, table, 96);
  runtime_api_take(api.release_tensor_info, table, 99);
}

RuntimeApi api_of(const void* const* table) {
  RuntimeApi api{};
  runtime_api_take(api.status_code, table, 1);
  runtime_api_take(api.status_message, table, 2);
  runtime_api_take(api.create_env, table, 3);
  runtime_api_take(api.disable_telemetry, table, 6);
  runtime_api_take(api.create_cpu_memory_info, table, 69);
  runtime_api_take(api.free_memory, table, 76);
  runtime_api_take(api.default_allocator, table, 78);
  runtime_api_take(api.release_status, table, 93);
  take_sessions(api, table);
  take_tensors(api, table);
  return api;
}

}  // namespace

RuntimeApi load_runtime(const std::string& library) {
  // The library reads it while it is loaded.
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  const auto refuse = [&](const std::string& reason) {
    throw RequestFailure(FailureKind::kRunError,
                         "cannot load the library \"" + library + "\": " + reason);
  };
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) refuse(::dlerror());
  const auto base_of = reinterpret_cast<const ApiBase* (*)()>(::dlsym(loaded, "OrtGetApiBase"));
  if (base_of == nullptr) refuse("it is not ONNX Runtime");
  const ApiBase* const base = base_of();
  const void* const* const table = base->table(kTableVersion);
  if (table == nullptr) refuse(std::string(base->version()) + " is too old");
  RuntimeApi api = api_of(table);
  api.version = base->version();
  return api;
}

}  // namespace opbench::ort
