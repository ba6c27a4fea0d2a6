#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// Takes the bytes of a file part by part, in order; the parts are gone after the call.
using ByteSink = std::function<Result<void>(std::string_view)>;

struct ExportOptions {
  std::vector<std::string> extra_outputs;
  /// Constants beyond this many bytes in all lie outside. libprotobuf reads no message of 2 GiB or
  /// more; the rest of the model gets 48 MiB.
  int64_t largest_inside_bytes = (int64_t{2} << 30) - (int64_t{48} << 20);
  std::string external_name = "model.data";  ///< relative to the model
};

/// Where an exported model's bytes go.
struct ExportSinks {
  std::function<Result<void>(int64_t)> size;  ///< told before the first byte of the model
  ByteSink model;
  ByteSink external;  ///< called only when constants lie outside
};

/// The model as ONNX, written without a copy of its constants. `kInvalidInput` for what cannot be
/// written: nodes with attributes that were not kept, types of which only the width is known,
/// unknown extra outputs.
Result<void> export_onnx(const Model& model, const ExportOptions& options,
                         const ExportSinks& sinks);

/// The same to `path`, and to `<path>.data` what lies outside; both appear only when complete.
/// `kInvalidInput` also if the place cannot be written.
Result<void> export_onnx_file(const Model& model, const std::filesystem::path& path,
                              ExportOptions options);

/// The same in memory, all constants inside. `kInvalidInput` also from 2 GiB on.
Result<std::string> onnx_bytes(const Model& model);

}  // namespace opbench
