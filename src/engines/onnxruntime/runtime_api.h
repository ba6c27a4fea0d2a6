#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace opbench::ort {

// What ONNX Runtime hands out: only ever pointed at.
struct Status;
struct Env;
struct Options;
struct LoadedSession;
struct Value;
struct MemoryInfo;
struct Allocator;
struct TypeInfo;
struct TensorInfo;

/// The numbers of the C interface that are used here.
enum class LogLevel : int { kError = 3 };
enum class Execution : int { kSequential = 0 };
enum class Optimization : int { kBasic = 1, kAll = 99 };
enum class AllocatorType : int { kArena = 1 };
enum class MemoryType : int { kDefault = 0 };
enum class ValueKind : int { kUnknown, kTensor, kSequence, kMap, kOpaque, kSparse, kOptional };
constexpr int kNotImplemented = 9;  ///< a status's code

/// The functions of ONNX Runtime's C interface that the engine calls. The library gives them as a
/// table that grows at its end only, so a function's place in it is the same in every version.
/// Those that return a Status return null when they succeeded.
struct RuntimeApi {
  std::string version;  ///< of the library

  int (*status_code)(const Status*);
  const char* (*status_message)(const Status*);
  void (*release_status)(Status*);

  Status* (*create_env)(LogLevel, const char* name, Env**);
  Status* (*disable_telemetry)(const Env*);
  Status* (*create_cpu_memory_info)(AllocatorType, MemoryType, MemoryInfo**);
  Status* (*default_allocator)(Allocator**);
  Status* (*free_memory)(Allocator*, void*);

  Status* (*create_options)(Options**);
  Status* (*set_execution)(Options*, Execution);
  Status* (*set_optimization)(Options*, Optimization);
  Status* (*set_log_level)(Options*, LogLevel);
  Status* (*set_intra_threads)(Options*, int);
  Status* (*set_inter_threads)(Options*, int);
  Status* (*add_config_entry)(Options*, const char* key, const char* value);
  Status* (*enable_profiling)(Options*, const char* prefix);
  void (*release_options)(Options*);

  Status* (*create_session)(const Env*, const char* path, const Options*, LoadedSession**);
  Status* (*create_session_from_bytes)(const Env*, const void*, size_t bytes, const Options*,
                                       LoadedSession**);
  Status* (*input_count)(const LoadedSession*, size_t*);
  Status* (*output_count)(const LoadedSession*, size_t*);
  Status* (*input_name)(const LoadedSession*, size_t, Allocator*, char**);
  Status* (*output_name)(const LoadedSession*, size_t, Allocator*, char**);
  Status* (*input_type)(const LoadedSession*, size_t, TypeInfo**);
  Status* (*output_type)(const LoadedSession*, size_t, TypeInfo**);
  Status* (*value_kind)(const TypeInfo*, ValueKind*);
  void (*release_type)(TypeInfo*);
  Status* (*run)(LoadedSession*, const void* run_options, const char* const* input_names,
                 const Value* const* inputs, size_t inputs_count, const char* const* output_names,
                 size_t outputs_count, Value** outputs);
  Status* (*end_profiling)(LoadedSession*, Allocator*, char** file);
  void (*release_session)(LoadedSession*);

  Status* (*create_tensor)(const MemoryInfo*, void* data, size_t bytes, const int64_t* extents,
                           size_t rank, int element_type, Value**);
  Status* (*is_tensor)(const Value*, int*);
  Status* (*tensor_data)(Value*, void**);
  Status* (*tensor_info)(const Value*, TensorInfo**);
  Status* (*element_type)(const TensorInfo*, int*);
  Status* (*rank)(const TensorInfo*, size_t*);
  Status* (*extents)(const TensorInfo*, int64_t*, size_t);
  void (*release_tensor_info)(TensorInfo*);
  void (*release_value)(Value*);
};

/// Loads the library, telemetry off, for as long as the program runs. Throws RequestFailure with
/// the reason if there is none.
RuntimeApi load_runtime(const std::string& library);

}  // namespace opbench::ort
