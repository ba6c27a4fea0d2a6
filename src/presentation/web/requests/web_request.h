#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Which rows of a list are wanted.
struct PageRange {
  int64_t offset = 0;
  int64_t limit = 0;
};

/// The parameters of a request, decoded.
class WebRequest {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  static constexpr int64_t kUsualRows = 100;
  static constexpr int64_t kMostRows = 500;
  static constexpr int64_t kMostExportedRows = 5000;

  explicit WebRequest(Parameters parameters) : parameters_(std::move(parameters)) {}

  const Parameters& parameters() const { return parameters_; }

  /// The value, or `otherwise` where there is none or an empty one.
  std::string text(const std::string& name, const std::string& otherwise = "") const;
  /// All values of a parameter that may stand several times.
  std::vector<std::string> all(const std::string& name) const;
  /// `kInvalidInput` where there is none.
  Result<std::string> needed(const std::string& name) const;
  /// One of the choices, else `otherwise`. `kInvalidInput` with a guess for another word.
  Result<std::string> choice(const std::string& name, const std::vector<std::string>& choices,
                             const std::string& otherwise) const;
  /// A whole number from `low` to `high`. `kInvalidInput` for what is none.
  Result<int64_t> whole(const std::string& name, int64_t low, int64_t high,
                        int64_t otherwise) const;
  /// `offset` and `limit`.
  Result<PageRange> page(int64_t most_rows = kMostRows) const;
  /// Whether `order` says that the largest come first; `otherwise` where it says nothing.
  Result<bool> is_descending(bool otherwise) const;

  /// `name=value&…` in the order of names, values encoded, empty values left out: equal requests,
  /// equal texts.
  std::string canonical_query() const;

 private:
  Parameters parameters_;
};

/// `%2F` for what a URL cannot hold as it is: as encodeURIComponent of JavaScript.
std::string percent_encoded(const std::string& text);

}  // namespace opbench
