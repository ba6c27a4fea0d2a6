#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace opbench::test {

/// The folder of other people's logs and models: what OPBENCH_EXTERNAL_DATA names, otherwise the
/// place beside the source tree. Tests of this folder run only where it exists.
inline std::filesystem::path external_data() {
  const char* named = std::getenv("OPBENCH_EXTERNAL_DATA");
  return named != nullptr && *named != '\0' ? named : OPBENCH_EXTERNAL_DATA_DEFAULT;
}

/// The pages that the record formats were drafted on lie beside the data.
inline std::filesystem::path draft_page(const std::string& name) {
  return external_data() / ".." / "seeds" / name;
}

}  // namespace opbench::test
