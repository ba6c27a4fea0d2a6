#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tables/table.h"
#include "measuring/results/profile_result.h"
#include "model/graph/graph.h"

/// Formats of other programs that a profile is written in. One is a file `<x>_export.cpp` that
/// defines `ExportDef <x>_export()`: CMake finds it by its name, and `opbench export` knows it.
namespace opbench {

/// What the model's own graph is needed for.
enum class GraphUse {
  kNone,
  kIfThere,  ///< the file says more with it
  kNeeded,   ///< the file names nodes as the model does
};

struct ExportInput {
  const ProfileResult& profile;
  const Graph* graph = nullptr;  ///< of the model that was profiled; null: not asked for, not there
};

struct ExportText {
  std::string text;
  std::vector<std::string> remarks;  ///< what the file lacks, a line each
};

struct ExportDef {
  std::string name;     ///< the word of `opbench export`
  std::string summary;  ///< what reads it, one line
  GraphUse graph = GraphUse::kNone;
  /// `kNoMatch` with the reason when nothing of the profile has a form there.
  Result<ExportText> (*write)(const ExportInput& input) = nullptr;
};

/// Every format, from the files `<x>_export.cpp`.
const Table<ExportDef>& export_table();

}  // namespace opbench
