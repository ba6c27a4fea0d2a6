#include "presentation/cli/waits/preparation_time.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "engines/catalog/engine_choice.h"
#include "engines/package/kernel_cache.h"
#include "experiments/sessions/request/replay_request.h"
#include "experiments/unit_times/predicted_model.h"
#include "prediction/costs/expected_seconds.h"

namespace opbench {
namespace {

constexpr size_t kMostKept = 500;
constexpr double kUsualKernel = 0.4;  ///< seconds of one worker, before any was compiled here
constexpr double kLargeFile = 64e6;   ///< bytes of a model that is not read twice

std::filesystem::path preparation_file() { return cache_folder() / "preparation.json"; }

/// Empty where nothing is kept, or nobody can read it.
Json kept_preparations() {
  const Result<std::string> text = read_file(preparation_file());
  Json json = text ? Json::parse(*text, nullptr, false) : Json();
  return json.is_object() ? json : Json::object();
}

double number_in(const Json& json, const char* name, double otherwise) {
  const auto value = json.find(name);
  return value != json.end() && value->is_number() ? value->get<double>() : otherwise;
}

/// What of a request decides how long its preparation takes.
std::string preparation_key(const std::string& command,
                            const std::vector<ProfileRequest>& requests) {
  std::string text = command;
  for (ProfileRequest request : requests) {
    request.measure.budget_s = MeasureOptions().budget_s;
    request.measure.precision = MeasureOptions().precision;
    text += request_json(request);
  }
  constexpr size_t kDigits = 16;
  return sha256(text).substr(0, kDigits);
}

/// What has to be prepared.
struct Amount {
  double weight_bytes = 0;
  double call_s = 0;  ///< of the model, by prediction
  std::set<KernelKey> missing;
};

void add_amount(const ProfileRequest& request, Amount& amount) {
  std::error_code failed;
  const bool is_file = request.model.workload.empty() && !request.model.is_zoo;
  if (is_file && !std::filesystem::is_regular_file(request.model.name, failed)) return;
  if (is_file) {
    const auto bytes = static_cast<double>(std::filesystem::file_size(request.model.name, failed));
    if (!failed && bytes > kLargeFile) {
      amount.weight_bytes += bytes;
      return;
    }
  }
  const bool compiles = std::ranges::any_of(request.engines, takes_packages);
  for (const int threads : request.threads) {
    ProfileRequest one = request;
    one.threads = {threads};
    const Result<PlannedModel> planned = plan_model(one);
    if (!planned) return;  // the run will say why
    const std::filesystem::path cache = cache_folder();
    for (const PlannedStep& step : planned->steps) {
      const Workload& workload = step.workload();
      amount.call_s += expected_seconds(workload);
      for (const std::string& weight : workload.weights) {
        amount.weight_bytes += static_cast<double>(workload.graph.types.at(weight).bytes());
      }
      if (!compiles || !step.has_kernel()) continue;
      KernelKey key = key_of(step.kernel(), cache);
      if (!std::filesystem::exists(key.object, failed)) amount.missing.insert(std::move(key));
    }
  }
}

/// Seconds of all but compiling, as seen on one machine; others are corrected by what they show.
double usual_seconds(const std::vector<ProfileRequest>& requests, const Amount& amount,
                     int processes) {
  constexpr double kBegin = 0.5, kRun = 0.3, kCheck = 1.2, kProcess = 0.15;
  constexpr double kReadRate = 4e8, kLoadRate = 1.5e9;  // bytes a second
  double engine_runs = 0;
  double seconds = kBegin;
  for (const ProfileRequest& request : requests) {
    const auto own = static_cast<double>(request.engines.size() * request.threads.size());
    engine_runs += own;
    if (request.measure.check_engine != "none") seconds += kCheck + own * 20 * amount.call_s;
  }
  seconds += engine_runs * (kRun + amount.weight_bytes / kReadRate);
  return seconds + engine_runs * processes * (kProcess + amount.weight_bytes / kLoadRate);
}

}  // namespace

PreparationEstimate estimate_preparation(const std::string& command,
                                         const std::vector<ProfileRequest>& requests, int processes,
                                         double times) {
  const Json kept = kept_preparations();
  Amount amount;
  for (const ProfileRequest& request : requests) add_amount(request, amount);
  PreparationEstimate estimate;
  estimate.key = preparation_key(command, requests);
  estimate.kernels = amount.missing.size();
  const double workers = std::max(1U, std::thread::hardware_concurrency());
  estimate.kernel_s = number_in(kept, "kernel_s", kUsualKernel / workers);
  estimate.plain_s = times * usual_seconds(requests, amount, processes);
  const Json known = kept.value("known", Json::object());
  estimate.other_s =
      number_in(known, estimate.key.c_str(), estimate.plain_s * number_in(kept, "correction", 1));
  return estimate;
}

void keep_preparation(const PreparationEstimate& estimate, double seconds, double compile_s) {
  Json kept = kept_preparations();
  const double other_s = std::max(0.0, seconds - compile_s);
  const auto mean_with = [&](const char* name, double value) {
    kept[name] = (number_in(kept, name, value) + value) / 2;
  };
  mean_with("correction", other_s / std::max(estimate.plain_s, 1e-3));
  if (estimate.kernels > 0 && compile_s > 0) {
    mean_with("kernel_s", compile_s / static_cast<double>(estimate.kernels));
  }
  if (!kept["known"].is_object() || kept["known"].size() >= kMostKept) {
    kept["known"] = Json::object();
  }
  kept["known"][estimate.key] = other_s;
  // Without a cache later runs estimate from sizes.
  if (make_writable_folder(cache_folder())) {
    static_cast<void>(write_file(preparation_file(), json_text(kept) + "\n"));
  }
}

}  // namespace opbench
