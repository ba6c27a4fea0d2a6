#include <algorithm>
#include <charconv>
#include <cmath>

#include "records/store/import/autotvm_scanner.h"
#include "records/store/import/scan_text.h"

/// The part of a line that says what was measured.
namespace opbench {
namespace {

constexpr double kAutotvmResultScannerSentinel = 1e9, kSmallestSentinel = 1e8;
constexpr int kLastErrorNo = 8;

/// A number as JSON writes it; `is_int` without fraction and exponent.
bool take_number(const char*& at, const char* end, double& value, bool& is_int) {
  const char* digits = at + (*at == '-' ? 1 : 0);
  if (!is_digit(*digits) || (*digits == '0' && is_digit(digits[1]))) return false;
  const auto [stop, fault] = std::from_chars(at, end, value);
  if (fault != std::errc() || !std::isfinite(value) || !is_digit(stop[-1])) return false;
  const std::string_view text(at, static_cast<size_t>(stop - at));
  const size_t point = text.find_first_not_of("-0123456789");
  is_int = point == std::string_view::npos;
  if (!is_int && text[point] == '.' && !is_digit(text[point + 1])) return false;
  if (is_int && text.size() > kMostDigits - 3) return false;  // exact as a double
  at = stop;
  return true;
}

}  // namespace

bool AutotvmScanner::scan_costs(const char*& at, TrialRow& row) {
  row.costs_s.clear();
  while (true) {
    double cost = 0;
    bool is_int = false;
    if (!take_number(at, end_, cost, is_int) || is_int || cost <= 0) return false;
    row.costs_s.push_back(cost);
    if (*at == ']') return true;
    if (!take(at, ", ")) return false;
  }
}

bool AutotvmScanner::scan_result(const char*& at, TrialRow& row) {
  if (!scan_costs(at, row)) return false;
  if (!take(at, "], ") || !is_digit(*at) || *at - '0' > kLastErrorNo) return false;
  row.error_no = *at++ - '0';
  if (!take(at, ", ")) return false;
  if (row.error_no != 0) {
    if (row.costs_s.size() != 1 || row.costs_s[0] != kAutotvmResultScannerSentinel) return false;
    row.costs_s.clear();
  } else if (std::ranges::max(row.costs_s) >= kSmallestSentinel) {
    return false;
  }
  row.mean_s = mean_cost(row.costs_s);
  bool is_int = false;
  if (!take_number(at, end_, row.all_cost_s, is_int) || row.all_cost_s < 0) return false;
  row.number_forms = is_int ? 1 : 0;
  if (!take(at, ", ") || !take_number(at, end_, row.timestamp, is_int) || row.timestamp < 0) {
    return false;
  }
  if (is_int) row.number_forms |= 2;
  row.has_all_cost = row.has_timestamp = true;
  return true;
}

bool AutotvmScanner::scan_version(const char*& at, TrialRow& row) {
  std::string_view text;
  if (!take(at, "], \"version\": 0.2, \"tvm_version\": \"") || !take_plain(at, text)) return false;
  if (text != tvm_version_) {
    tvm_version_.assign(text);
    tvm_version_view_ = arena_->copy(text);
  }
  row.tvm_version = tvm_version_view_;
  return take(at, "}") && at == end_;
}

}  // namespace opbench
