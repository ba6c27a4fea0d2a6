#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "model/download/download_options.h"
#include "model/download/url.h"

namespace opbench {

/// What a server says of a file before its bytes.
struct TransferHead {
  int64_t from = 0;       ///< the first byte that it sends
  int64_t total = -1;     ///< bytes of the whole file; -1: it does not say
  std::string validator;  ///< for the next If-Range; empty: it has none
};

/// Takes a file as it arrives. An error ends the transfer.
struct TransferSink {
  std::function<Result<void>(const TransferHead&)> begin;  ///< once, if the server has the file
  std::function<Result<void>(std::string_view)> write;
};

/// How a transfer ended that nobody has to give up.
enum class TransferEnd {
  kWhole,    ///< the server has sent all that it announced
  kBroken,   ///< it ended early: worth another try from where it ended
  kNoRange,  ///< the server has no bytes from there on: worth another try from the first byte
};

struct TransferResult {
  TransferEnd end = TransferEnd::kWhole;
  std::string reason;                        ///< of kBroken: `the server sent nothing for 30 s`
  ErrorCode code = ErrorCode::kEnvironment;  ///< of kBroken, should nobody try again
};

/// Asks once for the file behind the URL, from byte `from` on. `validator` is what an earlier
/// transfer gave: a server whose file has changed since then sends the new one from the first byte.
///
/// `kInvalidInput`: the server refuses (HTTP 4xx), redirects in circles or to another kind of URL,
/// or sends no file. `kEnvironment`: the server is not there, or its certificate is not valid.
/// `kInterrupted`: `options.cancel`. Whatever error the sink returns.
Result<TransferResult> transfer(const Url& url, int64_t from, const std::string& validator,
                                const DownloadOptions& options, const TransferSink& sink);

}  // namespace opbench
