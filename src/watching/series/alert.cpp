#include "watching/series/alert.h"

#include <array>
#include <cmath>
#include <utility>

namespace opbench {
namespace {

template <class Value>
using AlertWord = std::pair<Value, std::string_view>;

constexpr std::array<AlertWord<AlertState>, 3> kStates = {{{AlertState::kSuspected, "suspected"},
                                                           {AlertState::kConfirmed, "confirmed"},
                                                           {AlertState::kSettled, "settled"}}};
constexpr std::array<AlertWord<AlertLife>, 5> kLives = {{{AlertLife::kNew, "new"},
                                                         {AlertLife::kAcknowledged, "acknowledged"},
                                                         {AlertLife::kAccepted, "accepted"},
                                                         {AlertLife::kFixed, "fixed"},
                                                         {AlertLife::kNoise, "noise"}}};
constexpr std::array<AlertWord<AlertKind>, 2> kKinds = {
    {{AlertKind::kChange, "change"}, {AlertKind::kMissing, "missing"}}};

template <class Words, class Value>
std::string_view word_of(const Words& words, Value value) {
  for (const auto& [known, word] : words) {
    if (known == value) return word;
  }
  return {};
}

template <class Value, size_t N>
std::optional<Value> value_of(const std::array<AlertWord<Value>, N>& words, std::string_view word) {
  for (const auto& [value, known] : words) {
    if (known == word) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(AlertState state) { return word_of(kStates, state); }
std::string_view name_of(AlertLife life) { return word_of(kLives, life); }
std::string_view name_of(AlertKind kind) { return word_of(kKinds, kind); }
std::optional<AlertState> alert_state_of(std::string_view word) { return value_of(kStates, word); }
std::optional<AlertLife> alert_life_of(std::string_view word) { return value_of(kLives, word); }
std::optional<AlertKind> alert_kind_of(std::string_view word) { return value_of(kKinds, word); }

double percent_change(double log_ratio) { return 100 * std::expm1(log_ratio); }

bool is_open(const Alert& alert) {
  return alert.life == AlertLife::kNew || alert.life == AlertLife::kAcknowledged;
}

bool is_slower(const Alert& alert) { return !alert.rows.empty() && alert.rows[0].log_ratio > 0; }

}  // namespace opbench
