#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"
#include "model/download/download_options.h"

namespace opbench {

/// A model that came from the network, as it lies in the cache.
struct RemoteModel {
  std::filesystem::path file;    ///< the ONNX file
  std::filesystem::path folder;  ///< all that the archive holds; of a single file: empty
  std::string name;              ///< `resnet50-v1-7`
  std::string sha256;            ///< of the file that was downloaded
};

/// The model behind a URL: an ONNX file, or an archive (see unpack.h) with one, its external data
/// and its test data. Of several models in an archive, `URL#path/in/archive.onnx` names one; else
/// it is the one called model.onnx. What is in the cache is used without asking the server.
///
/// Errors as parse_url, `download` and `unpack` give them; `kInvalidInput` too for a file that is
/// neither (saying what it seems to be), for an archive without a model or with several. Files that
/// are no use are removed from the cache. `cache` is the program's cache folder.
Result<RemoteModel> fetch_model(const std::string& url, const std::filesystem::path& cache,
                                const DownloadOptions& options);

/// Removes what is in the cache of a URL, so that the next use downloads it again.
void forget_model(const std::string& url, const std::filesystem::path& cache);

}  // namespace opbench
