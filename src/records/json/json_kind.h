#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace opbench {

/// Keys of one JSON object, as far as the text goes.
using KeySet = std::set<std::string, std::less<>>;

/// What the first bytes of a file say about the object that begins there.
struct ObjectKeys {
  KeySet keys;
  std::string schema_version;  ///< as written, without quotes
  bool has(std::string_view key) const { return keys.contains(key); }
};

/// The outermost objects of a text that may be cut off or broken: the first, and each further line
/// that begins with one. Those of an array are its items.
std::vector<ObjectKeys> objects_of(std::string_view head);

/// Formats told by their objects' keys.
enum class JsonKind {
  kUnknown,
  kBenchmark,
  kBenchmarkB,
  kBenchmarkD,
  kTuningMessage,
  kTrace,
  kGoogleBenchmark,
  kHyperfine,
};

/// What the first object is that can be told.
JsonKind json_kind(std::string_view head);

}  // namespace opbench
