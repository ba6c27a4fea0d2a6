#include "presentation/report/profile/memory_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/display_width.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

constexpr double kMemoryTableMega = 1e6;

std::string mb_text(std::optional<double> bytes) {
  return bytes ? fmt::format("{:.1f}", *bytes / kMemoryTableMega) : "-";
}

std::string memory_table_ratio_text(std::optional<double> value, std::optional<double> base) {
  return value && base && *base > 0 ? fmt::format("{:.2f}", *value / *base) : "-";
}

/// The peak of the rival at as many threads.
std::optional<double> rival_peak(const ProfileResult& result, const EngineResult& engine,
                                 const std::string& rival) {
  const auto found = std::ranges::find_if(result.engines, [&](const EngineResult& other) {
    return other.engine == rival && other.threads == engine.threads;
  });
  return found == result.engines.end() ? std::nullopt : found->model.peak_memory_mb;
}

TextTable memory_table(const ProfileResult& result, const std::string& rival) {
  TextTable table;
  table.columns = {{.header = "engine", .unit = "memory in MB"},
                   {.header = "threads", .is_right_aligned = true},
                   {.header = "planned", .is_right_aligned = true, .unit = "for values"},
                   {.header = "live set", .is_right_aligned = true, .unit = "at most"},
                   {.header = "planned", .is_right_aligned = true, .unit = "to live set"},
                   {.header = "weights", .is_right_aligned = true, .unit = "planned"},
                   {.header = "peak", .is_right_aligned = true, .unit = "of process"}};
  const bool has_rival = std::ranges::any_of(
      result.engines, [&](const EngineResult& engine) { return engine.engine == rival; });
  if (has_rival) {
    table.columns.push_back(
        {.header = "peak", .is_right_aligned = true, .unit = "to " + printable(rival)});
  }
  for (const EngineResult& engine : result.engines) {
    const auto& memory = engine.model.memory;
    std::optional<double> values, live, weights;
    if (memory) {
      values = static_cast<double>(memory->value_bytes);
      live = static_cast<double>(memory->live_bytes);
      weights = static_cast<double>(memory->weight_bytes);
    }
    const std::optional<double> peak = engine.model.peak_memory_mb;
    TextRow row;
    row.cells = {printable(engine.engine),
                 fmt::format("{}", engine.threads),
                 mb_text(values),
                 mb_text(live),
                 memory_table_ratio_text(values, live),
                 mb_text(weights),
                 peak ? fmt::format("{:.1f}", *peak) : "-"};
    if (has_rival)
      row.cells.push_back(memory_table_ratio_text(peak, rival_peak(result, engine, rival)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string memory_text(const ProfileResult& result, int width, const TextStyle& style,
                        const std::string& rival) {
  return aligned_text(memory_table(result, rival), width, style);
}

std::string memory_markdown(const ProfileResult& result, const std::string& rival) {
  return markdown_text(memory_table(result, rival));
}

}  // namespace opbench
