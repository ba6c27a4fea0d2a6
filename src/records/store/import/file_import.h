#pragma once

#include <cstdint>
#include <string>

#include "records/store/import/trial_source.h"

namespace opbench {

struct ImportOptions {
  int threads = 0;           ///< 0: as many as there are CPUs
  bool uses_scanner = true;  ///< false: AutoTVM logs go the general way too
};

struct FileImport {
  std::string file;
  std::string format;  ///< the codec's name; empty for a file without records
  FileCounts counts;
  int64_t added = 0;    ///< rows
  int64_t present = 0;  ///< rows that the store had already
};

}  // namespace opbench
