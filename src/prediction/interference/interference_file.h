#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "prediction/interference/interference_result.h"

/// The report `opbench.interference/1` (docs/how-to/interference.md): its writer, and its reader
/// for what others ask of it. What a report of another version lacks is absent, empty or 0 here.
namespace opbench {

inline constexpr const char* kInterferenceSchema = "opbench.interference/1";

Json interference_json(const InterferenceResult& result);

/// How many times longer something took beside something else.
struct FileRatio {
  std::optional<double> ratio, low, high;  ///< low and high: the ends of its 95 % interval
};

struct FileNeighbour {
  std::string neighbour;  ///< its working set
  FileRatio slow_down;    ///< of the unit beside it
};

struct FileUnit {
  std::string key;       ///< by which pairs name it
  std::string workload;  ///< canonical text
  double alone_ms = 0;
  std::optional<double> pressure;
  std::vector<FileNeighbour> beside;
};

struct FileLevel {
  std::string neighbour;  ///< its working set
  double bytes = 0;
  bool is_probe = false;  ///< the reference probe has this working set
  FileRatio slow_down;    ///< of the probe beside it
};

/// One side of a pair.
struct FileSide {
  std::string unit;  ///< its key
  FileRatio measured;
  double forecast = 0;  ///< by curve
};

struct InterferenceFile {
  std::string target;  ///< display form
  double peak_gbytes_per_s = 0;
  std::vector<FileUnit> units;
  std::vector<FileLevel> levels;
  std::vector<std::array<FileSide, 2>> pairs;
};

/// `what` names the text, `how` is the command that makes such a report. `kInvalidInput` for other
/// text.
Result<InterferenceFile> parse_interference(const std::string& text, const std::string& what,
                                            const std::string& how);

/// `kInvalidInput`: what is wrong with the report `what`, and the command that makes a better one.
Error unusable_interference(const std::string& what, const std::string& why,
                            const std::string& how);

}  // namespace opbench
