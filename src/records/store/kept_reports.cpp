#include "records/store/kept_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>

#include "base/files/file.h"
#include "base/numbers/hash.h"

namespace opbench {
namespace {

constexpr size_t kIdDigits = 16;
constexpr const char* kReportEnd = ".json";

std::filesystem::path reports_folder(const std::filesystem::path& store) {
  return store / "reports";
}

int64_t epoch_ms_of(std::filesystem::file_time_type time) {
  const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

}  // namespace

Result<std::string> keep_report(const std::filesystem::path& store, const std::string& kind,
                                const std::string& text) {
  OPBENCH_CHECK(make_writable_folder(reports_folder(store)));
  std::string id = sha256(text).substr(0, kIdDigits);
  OPBENCH_CHECK(write_file(reports_folder(store) / (kind + "-" + id + kReportEnd), text));
  return id;
}

std::vector<KeptReport> kept_reports(const std::filesystem::path& store, const std::string& kind) {
  std::vector<KeptReport> reports;
  const std::string begin = kind + "-";
  std::error_code fault;
  for (std::filesystem::directory_iterator entry(reports_folder(store), fault), end;
       !fault && entry != end; entry.increment(fault)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(kReportEnd)) continue;
    const std::string id =
        name.substr(begin.size(), name.size() - begin.size() - std::string_view(kReportEnd).size());
    if (id.size() != kIdDigits) continue;
    std::error_code gone;
    const auto time = entry->last_write_time(gone);
    if (!gone) reports.push_back({id, entry->path(), epoch_ms_of(time)});
  }
  std::ranges::sort(reports, [](const KeptReport& a, const KeptReport& b) {
    return a.written_ms != b.written_ms ? a.written_ms > b.written_ms : a.id < b.id;
  });
  return reports;
}

Result<KeptReport> kept_report(const std::filesystem::path& store, const std::string& kind,
                               const std::string& id) {
  for (const KeptReport& report : kept_reports(store, kind)) {
    if (report.id == id) return report;
  }
  return Error{ErrorCode::kNoMatch, fmt::format("the store keeps no {} \"{}\"", kind, id)};
}

Result<std::string> read_report(const std::filesystem::path& store, const std::string& kind,
                                const std::string& id) {
  OPBENCH_TRY(const KeptReport report, kept_report(store, kind, id));
  return read_file(report.path);
}

}  // namespace opbench
