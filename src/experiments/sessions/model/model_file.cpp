#include "experiments/sessions/model/model_file.h"

#include <fmt/format.h>

#include "base/files/file.h"
#include "model/download/url.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

Progress progress_of(const DownloadProgress& download, const std::string& name) {
  constexpr int64_t kMega = 1'000'000;
  Progress progress{.stage = "download", .item = name};
  const int64_t done = download.bytes / kMega;
  if (download.total >= kMega) {
    progress.done = done;
    progress.total = (download.total + kMega - 1) / kMega;
    progress.item = "MB of " + name;
  } else if (done > 0) {
    progress.item = fmt::format("{} MB of {}", done, name);
  }
  if (download.left) progress.eta_s = download.left->count();
  return progress;
}

DownloadOptions download_options(const ModelSpec& spec, const RunHooks& hooks,
                                 const std::string& name) {
  DownloadOptions options{.sha256 = spec.download.sha256,
                          .most_bytes = spec.download.most_bytes,
                          .stall = Seconds(spec.download.stall_s),
                          .cancel = hooks.cancel};
  if (!hooks.progress) return options;
  options.progress = [&hooks, name](const DownloadProgress& download) {
    hooks.progress(progress_of(download, name));
  };
  return options;
}

Result<Model> read_remote(const ModelSpec& spec, const RunHooks& hooks) {
  OPBENCH_TRY(const RemoteModel remote, model_file(spec, hooks));
  OPBENCH_TRY(const std::string bytes, read_file(remote.file));
  Result<Model> model = parse_onnx(bytes, spec.name, remote.file.parent_path());
  if (model) {
    model->name = remote.name;
    model->source = spec.name;
  } else if (model.error().code == ErrorCode::kInvalidInput) {
    // The server may have something better the next time.
    forget_model(spec.name, cache_folder());
  }
  return model;
}

}  // namespace

Result<RemoteModel> model_file(const ModelSpec& spec, const RunHooks& hooks) {
  if (!is_url(spec.name)) return RemoteModel{.file = spec.name};
  OPBENCH_TRY(const Url url, parse_url(spec.name));
  return fetch_model(spec.name, cache_folder(), download_options(spec, hooks, url.name));
}

Result<Model> read_model_file(const ModelSpec& spec, const RunHooks& hooks) {
  if (is_url(spec.name)) return read_remote(spec, hooks);
  OPBENCH_TRY(Model model, read_onnx(spec.name));
  model.source = spec.name;
  if (spec.download.sha256.empty() || model.sha256 == spec.download.sha256) return model;
  return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" has another SHA-256", spec.name)}
      .with("wanted", spec.download.sha256)
      .with("got", model.sha256);
}

}  // namespace opbench
