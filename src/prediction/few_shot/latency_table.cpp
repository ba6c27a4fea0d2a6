#include "prediction/few_shot/latency_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/files/line_reader.h"
#include "base/numbers/number.h"
#include "base/text/ascii.h"

namespace opbench {
namespace {

constexpr int64_t kMostBatch = 1024;

/// The cells of a line, without white space around them.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const size_t end = line.find(',');
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

class TableReader {
 public:
  explicit TableReader(std::string path) : path_(std::move(path)) {}

  Result<LatencyTable> read() {
    OPBENCH_TRY(LineReader reader, LineReader::open(path_));
    for (;;) {
      OPBENCH_TRY(const std::optional<Line> line, reader.next());
      if (!line) break;
      number_ = line->number;
      if (line->is_too_long) return fault("a line of more than 16 MB");
      if (cells_of(line->text) == std::vector<std::string_view>{""}) continue;
      OPBENCH_CHECK(table_.devices.empty() ? take_names(line->text) : take_times(line->text));
    }
    if (table_.devices.empty())
      return Error{ErrorCode::kInvalidInput, "no line of names"}.with("in", path_);
    if (table_.units.empty()) {
      return Error{ErrorCode::kInvalidInput, "no line with a time above 0 on every device"}.with(
          "in", path_);
    }
    table_.times_ms.rows = table_.units.size();
    return std::move(table_);
  }

 private:
  Error fault(std::string message) const {
    return invalid_input(std::move(message)).with("in", fmt::format("{}:{}", path_, number_));
  }

  Result<void> take_names(std::string_view line) {
    const auto cells = cells_of(line);
    std::set<std::string_view> known;
    for (size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].empty()) return fault(fmt::format("column {} has no name", i + 1));
      if (!known.insert(cells[i]).second) {
        return fault(fmt::format("device \"{}\" has two columns", cells[i]));
      }
      table_.devices.emplace_back(cells[i]);
    }
    if (table_.devices.size() < 2) {
      return fault(fmt::format("{} devices; a table has two at least", table_.devices.size()));
    }
    table_.times_ms.columns = table_.devices.size();
    return {};
  }

  Result<void> take_times(std::string_view line) {
    const auto cells = cells_of(line);
    if (cells.size() != table_.devices.size() + 1) {
      return fault(
          fmt::format("{} values for {} devices", cells.size() - 1, table_.devices.size()));
    }
    std::vector<double> times;
    for (size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].empty()) continue;
      const auto time = parse_number(cells[i]);
      if (!time) {
        return fault(
            fmt::format("\"{}\" is no time in ms on \"{}\"", cells[i], table_.devices[i - 1]));
      }
      if (*time > 0) times.push_back(*time);
    }
    if (times.size() < table_.devices.size()) {
      ++table_.left_out;
      return {};
    }
    table_.units.emplace_back(cells.front());
    table_.times_ms.values.insert(table_.times_ms.values.end(), times.begin(), times.end());
    return {};
  }

  std::string path_;
  int64_t number_ = 0;
  LatencyTable table_;
};

}  // namespace

Result<LatencyTable> read_latency_table(const std::filesystem::path& path) {
  return TableReader(path.string()).read();
}

std::string_view device_family(std::string_view device) {
  const size_t digits = device.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == device.size()) return device;
  const auto batch = parse_integer(device.substr(digits));
  if (!batch || *batch < 1 || *batch > kMostBatch) return device;
  std::string_view name = device.substr(0, digits);
  for (const std::string_view word : {"batch", "bs", "b", ""}) {
    if (!name.ends_with(word)) continue;
    std::string_view rest = name.substr(0, name.size() - word.size());
    if (rest.size() < 2 || (rest.back() != '_' && rest.back() != '-')) continue;
    return rest.substr(0, rest.size() - 1);
  }
  return device;
}

bool has_whole_times(const LatencyTable& table, size_t device) {
  for (size_t unit = 0; unit < table.units.size(); ++unit) {
    const double time = table.times_ms.at(unit, device);
    if (time != std::round(time)) return false;
  }
  return true;
}

}  // namespace opbench
