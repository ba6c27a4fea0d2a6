#include "experiments/sessions/model_file.h"

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

DownloadOptions download_options(const ProfileRequest& request, const std::string& name) {
  DownloadOptions options{.sha256 = request.model.download.sha256,
                          .most_bytes = request.model.download.most_bytes,
                          .stall = Seconds(request.model.download.stall_s),
                          .cancel = request.hooks.cancel};
  if (!request.hooks.progress) return options;
  options.progress = [&request, name](const DownloadProgress& download) {
    request.hooks.progress(progress_of(download, name));
  };
  return options;
}

Result<Model> read_remote(const ProfileRequest& request) {
  OPBENCH_TRY(const RemoteModel remote, model_file(request));
  OPBENCH_TRY(const std::string bytes, read_file(remote.file));
  Result<Model> model = parse_onnx(bytes, request.model.name, remote.file.parent_path());
  if (model) {
    model->name = remote.name;
    model->source = request.model.name;
  } else if (model.error().code == ErrorCode::kInvalidInput) {
    // The server may have something better the next time.
    forget_model(request.model.name, cache_folder());
  }
  return model;
}

}  // namespace

Result<RemoteModel> model_file(const ProfileRequest& request) {
  if (!is_url(request.model.name)) return RemoteModel{.file = request.model.name};
  OPBENCH_TRY(const Url url, parse_url(request.model.name));
  return fetch_model(request.model.name, cache_folder(), download_options(request, url.name));
}

Result<Model> read_model_file(const ProfileRequest& request) {
  if (is_url(request.model.name)) return read_remote(request);
  OPBENCH_TRY(Model model, read_onnx(request.model.name));
  model.source = request.model.name;
  if (request.model.download.sha256.empty() || model.sha256 == request.model.download.sha256)
    return model;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("\"{}\" has another SHA-256", request.model.name)}
      .with("wanted", request.model.download.sha256)
      .with("got", model.sha256);
}

}  // namespace opbench
