#include "experiments/sessions/run_code.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/numbers/hash.h"
#include "engines/client/running_code.h"

namespace opbench {
namespace {

constexpr const char* kKeptHashes = "file-hashes";  // folder of the cache

}  // namespace

void note_program(std::string code_hash, const RunInputs& inputs, EngineRun& engine_run) {
  engine_run.built.code_hash =
      code_hash.empty() ? sha256("model " + inputs.model.sha256) : std::move(code_hash);
  const std::string& fault = inputs.measure.inject_fault;
  const size_t split = fault.find('=');
  if (split == std::string::npos || !engine_run.asked.definition.injects_faults) return;
  const auto marked = [&](const std::string& hash) { return sha256(hash + "|fault " + fault); };
  for (PreparedUnit& unit : engine_run.built.units) {
    if (std::to_string(unit.id) == fault.substr(0, split)) unit.code_hash = marked(unit.code_hash);
  }
  engine_run.built.code_hash = marked(engine_run.built.code_hash);
}

std::string hash_of_engine(int pid, const EngineRun& engine_run, const std::filesystem::path& cache,
                           const std::filesystem::path& folder) {
  if (pid == 0) return "";
  // Builds of commits lie in the cache, too: only kernels are left out.
  auto files = files_of_code(pid, {cache / "kernels", cache / "libraries", folder});
  if (!files) return "";
  for (auto& file :
       files_among(engine_run.asked.definition.command(engine_run.asked.options).argv)) {
    files->push_back(std::move(file));
  }
  const auto hash = hash_of_files(*files, cache / kKeptHashes);
  if (!hash) return "";
  std::string text = *hash + "|" + engine_run.asked.variant.settings.executor;
  for (const auto& [name, value] : engine_run.asked.options.settings) {
    text += fmt::format("|{}={}", name, value);
  }
  return sha256(text);
}

void finish_code_hashes(EngineRun& engine_run) {
  const auto whole = [&](const std::string& part) -> std::string {
    if (engine_run.built.engine_hash.empty()) return "";
    return sha256(engine_run.built.engine_hash + "|" +
                  (part.empty() ? engine_run.built.code_hash : part));
  };
  engine_run.found.result.code_hash = whole("");
  for (UnitResult& row : engine_run.found.result.units) row.code_hash = whole(row.code_hash);
}

std::string code_of_group(const EngineRun& engine_run, const UnitGroup& group) {
  std::vector<std::string> hashes;
  for (const size_t member : group.members) {
    const std::string& hash = engine_run.built.units[member].code_hash;
    if (!hash.empty()) hashes.push_back(hash);
  }
  if (hashes.size() <= 1) return hashes.empty() ? "" : hashes.front();
  std::string text;
  for (const std::string& hash : hashes) text += hash + "\n";
  return sha256(text);
}

}  // namespace opbench
