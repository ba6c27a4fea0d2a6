#include "model/download/remote_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/text/printable.h"
#include "model/download/archive_path.h"
#include "model/download/cache_entry.h"
#include "model/download/download.h"
#include "model/download/unpack.h"
#include "model/download/url.h"
#include "model/graph/file_kind.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

Error of_url(Error error, const Url& url) {
  return std::move(error).with("in", printable(url.text));
}

/// The archive's content in a folder of its own, which exists only when all of it is there.
Result<fs::path> unpacked(const CacheEntry& entry, const std::string& sha256,
                          const DownloadOptions& options) {
  constexpr size_t kDigits = 16;
  const fs::path folder = entry.folder() / ("unpacked-" + sha256.substr(0, kDigits));
  std::error_code error;
  if (fs::is_directory(folder, error)) return folder;
  TemporaryFolder::remove_abandoned(entry.folder());
  OPBENCH_TRY(const TemporaryFolder temporary, TemporaryFolder::make_in(entry.folder()));
  const fs::path tree = temporary.path() / "tree";
  fs::create_directory(tree, error);
  OPBENCH_CHECK(unpack(entry.content(), tree, {.most_bytes = options.most_bytes}, options.cancel));
  fs::rename(tree, folder, error);
  if (!error) return folder;
  return Error{ErrorCode::kSystem,
               fmt::format("cannot write \"{}\": {}", folder.string(), error.message())};
}

/// Paths of the models below the folder, in order. Names with a dot in front are a Mac's notes.
std::vector<std::string> models_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& item : fs::recursive_directory_iterator(folder, error)) {
    const std::string name = item.path().filename().string();
    if (!item.is_regular_file(error) || !name.ends_with(".onnx") || name.starts_with('.')) continue;
    found.push_back(item.path().lexically_relative(folder).string());
  }
  std::ranges::sort(found);
  return found;
}

Result<std::string> chosen(const std::vector<std::string>& models, const Url& url) {
  if (!url.member.empty()) {
    const auto path = archive_path(url.member);
    if (path && std::ranges::count(models, path->string()) > 0) return path->string();
    return unknown_name("file in the archive", url.member, models);
  }
  if (models.size() == 1) return models.front();
  std::vector<std::string> usual;
  std::ranges::copy_if(models, std::back_inserter(usual), [](const std::string& model) {
    return fs::path(model).filename() == "model.onnx";
  });
  if (usual.size() == 1) return usual.front();
  return Error{ErrorCode::kInvalidInput,
               fmt::format("the archive holds {} ONNX files", models.size())}
      .with("known", join(models))
      .with("name one", url.address + "#" + models.front());
}

/// What is of no use is not kept: the server may have something better the next time.
Error discarded(const CacheEntry& entry, Error error) {
  if (error.code == ErrorCode::kInvalidInput) entry.clear();
  return error;
}

Result<RemoteModel> from_archive(const Url& url, const CacheEntry& entry, const std::string& sha256,
                                 const DownloadOptions& options) {
  Result<fs::path> folder = unpacked(entry, sha256, options);
  if (!folder) return discarded(entry, std::move(folder).error());
  const std::vector<std::string> models = models_in(*folder);
  if (models.empty()) {
    return discarded(entry, {ErrorCode::kInvalidInput, "the archive holds no ONNX file"});
  }
  OPBENCH_TRY(const std::string model, chosen(models, url));
  const fs::path path(model);
  const bool is_named = path.filename() == "model.onnx" && !path.parent_path().empty();
  const fs::path named = is_named ? path.parent_path() : path.stem();
  return RemoteModel{*folder / path, *folder, named.filename().string(), sha256};
}

std::string kind_of(const fs::path& file) {
  constexpr size_t kHead = 4096;
  std::string head(kHead, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(stream.gcount()));
  return head.empty() ? "an empty file" : file_kind(head);
}

Result<RemoteModel> from_file(const Url& url, const CacheEntry& entry, const std::string& sha256) {
  const std::string kind = kind_of(entry.content());
  if (!kind.empty()) {
    Error error{ErrorCode::kInvalidInput, "the server sends no ONNX model and no archive"};
    return discarded(entry, std::move(error).with("it is", kind));
  }
  if (!url.member.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"#{}\" names a file of an archive", printable(url.member))}
        .with("it is", "a single file");
  }
  return RemoteModel{entry.content(), {}, fs::path(url.name).stem().string(), sha256};
}

}  // namespace

Result<RemoteModel> fetch_model(const std::string& text, const fs::path& cache,
                                const DownloadOptions& options) {
  OPBENCH_TRY(const Url url, parse_url(text));
  OPBENCH_TRY(const CacheEntry entry, CacheEntry::open(cache, url.address, options.cancel));
  OPBENCH_TRY(const std::string sha256, download(url, entry, options));
  const bool is_packed = is_archive(entry.content());
  Result<RemoteModel> model =
      is_packed ? from_archive(url, entry, sha256, options) : from_file(url, entry, sha256);
  if (model) return model;
  return of_url(std::move(model).error(), url);
}

void forget_model(const std::string& text, const fs::path& cache) {
  const Result<Url> url = parse_url(text);
  if (!url) return;
  const Result<CacheEntry> entry = CacheEntry::open(cache, url->address, nullptr);
  if (entry) entry->clear();
}

}  // namespace opbench
