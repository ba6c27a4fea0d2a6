#include "measuring/sampling/audit.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/system/seconds.h"
#include "base/tensors/tensor_difference.h"
#include "engines/protocol/tensor_files.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/sample_json.h"
#include "measuring/sampling/first_touch.h"

namespace opbench {
namespace {

constexpr double kDrawn = 0.1;
constexpr int kAuditWithin = 3;  // requests of a process, one of which is audited

// What one kernel may differ by between two runs on the same inputs: threads add in any order.
double allowed_difference(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kBFloat16 ? 1e-2 : 1e-3;
}

// Bytes of a list of tensor files.
double bytes_of_files(const std::string& text) {
  const Json files = Json::parse(text);
  double sum = 0;
  for (const Json& file : files) {
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(file.at("path").get<std::string>(), failed);
    if (!failed) sum += static_cast<double>(bytes);
  }
  return sum;
}

std::string difference_text(const Tensor& got, const Tensor& wanted) {
  const Difference difference = step_difference(got, wanted);
  const bool is_byte = size_of(got.type.data_type) == 1;
  const double allowed = is_byte ? 1 / kByteSteps : allowed_difference(got.type.data_type);
  if (difference.relative_error <= allowed) return "";
  if (!difference.reason.empty()) return difference.reason;
  return fmt::format("it differs by {:.2g} of the largest value", difference.relative_error);
}

// What is wrong with the outputs of an audited call, if anything.
std::string outputs_text(const Json& outputs, const Json& wanted) {
  if (!outputs.is_array() || outputs.size() < wanted.size()) return "it gave too few outputs";
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto got = read_tensor(outputs[i]);
    const auto expected = read_tensor(wanted[i]);
    if (!got) return "its output is unreadable";
    if (!expected) continue;
    if (const std::string text = difference_text(*got, *expected); !text.empty()) return text;
  }
  return "";
}

double shortest(const std::vector<Sample>& samples) {
  double least = samples.empty() ? 0 : samples.front().wall_s;
  for (const Sample& sample : samples) least = std::min(least, sample.wall_s);
  return least;
}

std::optional<Failure> wrong_outputs(const Json& reply, const Audit& audit) {
  const Json outputs = reply.at("audit").value("outputs", Json());
  const std::string wrong = outputs_text(outputs, Json::parse(audit.outputs));
  if (wrong.empty()) return {};
  return Failure{FailureKind::kWrongResult,
                 "a timed call on other inputs made another result than the checked one: " + wrong};
}

// Whether the call on other inputs took longer than cold inputs and new buffers explain: inputs
// come from memory, code that waits for them runs slower for a while, and the first write to each
// page of a buffer is a page fault, which costs more on some machines than all the arithmetic.
bool is_longer_than_explained(const Sample& fresh, const std::vector<Sample>& hot,
                              const Audit& audit) {
  constexpr double kTimes = 4, kLatency = 0.5e-3, kBytesPerS = 1e9, kTouchTimes = 3;
  if (fresh.involuntary_switches > 0) return false;
  const double bytes = bytes_of_files(audit.inputs) + bytes_of_files(audit.outputs);
  const double explained = kTimes * shortest(hot) + kLatency + bytes / kBytesPerS;
  return fresh.wall_s > explained && fresh.wall_s > explained + kTouchTimes * first_touch_s(bytes);
}

Failure keeps_results(const Sample& fresh, const std::vector<Sample>& hot) {
  return {FailureKind::kWrongResult,
          fmt::format("a call on inputs that it has not seen takes {:.3g} ms, and one on those "
                      "before {:.3g} ms: it keeps results from call to call",
                      s_to_ms(fresh.wall_s), s_to_ms(shortest(hot)))};
}

}  // namespace

bool Auditor::is_due(Item& item, int process) {
  const int request = item.requests[process]++;
  if (item.doubts > 0) return true;
  if (!item.is_audited) {
    // Calibration comes first, in the first process.
    const auto drawn = [&] { return static_cast<int>(random_.below(kAuditWithin)); };
    const auto place = item.first_at.try_emplace(process, process == 0 ? 2 + drawn() : drawn());
    if (request >= place.first->second) return true;
  }
  return random_.uniform() < kDrawn && item.audited_s < kAuditShare * item.measured_s;
}

Json Auditor::request(size_t item, int process, int repeats, const Audit& audit) {
  if (!is_due(items_[item], process)) return {};
  if (!folder_) {
    auto folder = TemporaryFolder::make();
    if (!folder) return {};
    folder_.emplace(std::move(*folder));
  }
  const auto after = static_cast<int>(random_.below(static_cast<uint64_t>(repeats) + 1));
  return {{"after", after},
          {"inputs", Json::parse(audit.inputs)},
          {"outputs_dir", (folder_->path() / "outputs").string()}};
}

std::optional<Sample> fresh_sample(const Json& reply) {
  const auto audit = reply.find("audit");
  if (audit == reply.end() || !audit->is_object() || !audit->contains("sample")) return {};
  auto sample = parse_sample(audit->at("sample"));
  if (sample) sample->flag = kFreshFlag;
  return sample;
}

std::optional<Failure> Auditor::judge(size_t index, const Json& reply,
                                      const std::vector<Sample>& hot, double spent_s,
                                      const Audit& audit) {
  Item& item = items_[index];
  item.measured_s += spent_s;
  const auto fresh = fresh_sample(reply);
  if (!fresh) return {};
  item.is_audited = true;
  for (const Sample& sample : hot) spent_s -= sample.wall_s;
  item.audited_s += std::max(0.0, spent_s);
  AuditLook look = look_at(reply, hot, audit);
  if (look.failure) return look.failure;
  item.doubts = look.doubt ? item.doubts + 1 : 0;
  return item.doubts < kDoubts ? std::nullopt : std::move(look.doubt);
}

AuditLook look_at(const Json& reply, const std::vector<Sample>& hot, const Audit& audit) {
  const auto fresh = fresh_sample(reply);
  if (!fresh) return {};
  if (auto wrong = wrong_outputs(reply, audit)) return {std::move(wrong)};
  if (!is_longer_than_explained(*fresh, hot, audit)) return {};
  return {.doubt = keeps_results(*fresh, hot)};
}

}  // namespace opbench
