#include "planning/together/kept_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/files/file.h"
#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKeptSetSchema = "opbench.kept-set/1";

std::string unit_id(const std::string& workload, const std::vector<int>& blocks) {
  return fmt::format("{}|{}", workload, fmt::join(blocks, ","));
}

std::string unit_id(const KernelSpec& unit) {
  return unit_id(text_of(unit.workload), blocks_of(unit));
}

std::string key_of(std::string first, std::string second, const std::string& target) {
  constexpr size_t kDigits = 24;
  if (second < first) std::swap(first, second);
  const std::string machine = capture_environment().machine_hash;
  return sha256(
             fmt::format("{}\n{}\n{}\n{}\n{}", first, second, target, machine, schedule_version()))
      .substr(0, kDigits);
}

/// Files have the unit of the smaller id first.
bool is_swapped(const std::array<KernelSpec, 2>& units) {
  return unit_id(units[1]) < unit_id(units[0]);
}

KeptSet swapped(KeptSet choice) {
  std::swap(choice.kernels[0], choice.kernels[1]);
  if (choice.arrangement == Arrangement::kHelpsFirst) {
    choice.arrangement = Arrangement::kHelpsSecond;
  } else if (choice.arrangement == Arrangement::kHelpsSecond) {
    choice.arrangement = Arrangement::kHelpsFirst;
  }
  return choice;
}

Json json_of(const KeptSet& choice, const std::string& key) {
  return {{"schema", kKeptSetSchema},
          {"key", key},
          {"target", choice.target},
          {"arrangement", name_of(choice.arrangement)},
          {"kernels", {to_json(choice.kernels[0]), to_json(choice.kernels[1])}},
          {"baseline", choice.baseline},
          {"speed_up", choice.speedup},
          {"timestamp", choice.timestamp}};
}

Error bad_file(const fs::path& file, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("\"{}\" is no choice for a set", file.string())}
      .with("reason", reason);
}

Result<KeptSet> choice_of(const Json& json, const fs::path& file) {
  try {
    if (json.at("schema") != kKeptSetSchema) return bad_file(file, "it has another schema");
    const auto arrangement = parse_arrangement(json.at("arrangement").get<std::string>());
    if (!arrangement) return bad_file(file, "its arrangement is unknown");
    KeptSet choice{.arrangement = *arrangement,
                   .kernels = {},
                   .baseline = json.at("baseline"),
                   .speedup = json.at("speed_up"),
                   .timestamp = json.at("timestamp"),
                   .target = json.at("target")};
    for (size_t i = 0; i < choice.kernels.size(); ++i) {
      OPBENCH_TRY(choice.kernels[i], kernel_choice_from_json(json.at("kernels").at(i)));
    }
    return choice;
  } catch (const Json::exception& error) {
    return bad_file(file, error.what());
  }
}

Result<KeptSet> read_choice(const fs::path& file) {
  OPBENCH_TRY(const std::string text, read_text_file(file));
  OPBENCH_TRY(const Json json, parse_json(text, file.string()));
  return choice_of(json, file);
}

}  // namespace

std::string set_key(const std::array<KernelSpec, 2>& units) {
  return key_of(unit_id(units[0]), unit_id(units[1]), display_text(units[0].target));
}

KeptSets kept_sets(const fs::path& store, const Target& target) {
  KeptSets found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(store / "_together", error)) {
    if (entry.path().extension() != ".json") continue;
    Result<KeptSet> choice = read_choice(entry.path());
    if (!choice) {
      found.warnings.push_back(choice.error().message);
      continue;
    }
    const auto& [first, second] = choice->kernels;
    const std::string key = key_of(unit_id(first.workload, first.blocks),
                                   unit_id(second.workload, second.blocks), display_text(target));
    if (entry.path().stem() == key) found.sets.emplace(key, std::move(*choice));
  }
  std::ranges::sort(found.warnings);
  return found;
}

fs::path kept_set_file(const fs::path& store, const std::string& key) {
  return store / "_together" / (key + ".json");
}

Result<void> keep_set(const fs::path& store, const std::array<KernelSpec, 2>& units,
                      const KeptSet& choice) {
  const std::string key = set_key(units);
  const fs::path file = kept_set_file(store, key);
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const Json json = json_of(is_swapped(units) ? swapped(choice) : choice, key);
  return write_file(file, json_text(json, 1) + "\n");
}

Result<std::optional<KeptSet>> kept_set(const fs::path& store,
                                        const std::array<KernelSpec, 2>& units) {
  const fs::path file = kept_set_file(store, set_key(units));
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::optional<KeptSet>();
  OPBENCH_TRY(KeptSet choice, read_choice(file));
  return std::optional(is_swapped(units) ? swapped(std::move(choice)) : std::move(choice));
}

}  // namespace opbench
