#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "experiments/partition/partition_session.h"
#include "experiments/partition/split_workload.h"
#include "experiments/sessions/request/run_request.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/place/device_options.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/partition/partition_report.h"

namespace opbench {
namespace {

constexpr int64_t kMostParts = 64;
constexpr double kMostSlower = 1000;

Result<PartitionRequest> partition_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  PartitionRequest request;
  OPBENCH_CHECK(check_device_options(arguments));
  OPBENCH_TRY(request.run, run_request_of(invocation));
  OPBENCH_TRY(request.run.model.layouts, arguments.integers("--layouts", 0));
  OPBENCH_TRY(const int64_t parts, arguments.integer("--parts", 2, kMostParts));
  request.most_parts = static_cast<int>(parts);
  OPBENCH_TRY(request.study.slow_factor, arguments.positive("--slower"));
  if (request.study.slow_factor > kMostSlower) {
    return Error{ErrorCode::kInvalidInput, fmt::format("--slower takes at most {:g}, not {:g}",
                                                       kMostSlower, request.study.slow_factor)};
  }
  OPBENCH_TRY(request.devices, parse_devices(arguments.values("--devices")));
  // The words of a workload without quotes come one by one.
  const std::string text = join(arguments.positionals(), " ");
  const Result<SplitWorkload> split = parse_split_workload(text);
  if (!split) return Error(split.error()).with("help", "opbench partition --help");
  request.run.model.workload = text_of(split->workload);
  return request;
}

Result<void> write_partition_report(const PartitionResult& result, const Arguments& arguments,
                                    Terminal& terminal) {
  constexpr int kIndent = 1;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  const TableForm form = table_form(arguments, terminal);
  std::string text;
  if (format == "json") text = json_text(partition_json(result), kIndent) + "\n";
  if (format == "csv") text = csv_text(split_table(result));
  if (format == "md") text = markdown_text(split_table(result));
  if (format == "table") text = partition_text(result, form.width, form.style);
  return write_text(text, arguments, terminal);
}

Result<void> partition_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(check_table_options(arguments));
  OPBENCH_TRY(PartitionRequest request, partition_request(invocation));
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  OPBENCH_TRY(const std::vector<ProfileRequest> parts, prepared_requests(request));
  WaitNotice waits(progress, estimate_preparation("partition", parts, 1),
                   static_cast<double>(request.devices.size()) * request.run.measure.budget_s);
  request.run.hooks.progress = [&](const Progress& state) { waits.show(state); };
  const Result<PartitionResult> result = run_partition(request);
  progress.clear();
  waits.keep();
  if (!result) return Error(result.error());
  OPBENCH_CHECK(write_partition_report(*result, arguments, terminal));
  if (interruption.flag()) return Error{ErrorCode::kInterrupted, "interrupted"};
  return {};
}

std::vector<OptionDef> partition_options() {
  std::vector<OptionDef> result = {
      {.name = "--devices",
       .value_name = "DEVICE,DEVICE",
       .help = "the two that share the work, CPUs of this machine: cpu0, cpu0+cpu1, cpu1:avx2",
       .otherwise = "cpu0,cpu1",
       .kind = OptionKind::kList},
      {.name = "--parts",
       .value_name = "N",
       .help = "cut into at most so many parts, 2 to 64; each is whole vectors of channels",
       .otherwise = "8"},
      {.name = "--slower",
       .value_name = "FACTOR",
       .help = "how much slower the second device becomes in the balancer's simulation",
       .otherwise = "2"},
      {.name = "--layouts",
       .value_name = "N,N…",
       .help = "channels in a block of each operand but weights, then of the output; 0: dense",
       .kind = OptionKind::kList,
       .repeats_items = true}};
  for (const auto& some : {table_options(), device_measuring_options(/*takes_models=*/false)}) {
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

}  // namespace

CommandDef partition_command() {
  return {
      .name = "partition",
      .summary = "Split one operator on two devices along its output channels",
      .positionals = {{.name = "WORKLOAD",
                       .help = "a conv2d, dense or matmul as `op` takes it, with elementwise steps",
                       .repeats = true}},
      .options = partition_options(),
      .examples =
          {{"opbench partition 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu' --devices "
            "cpu0,cpu1:avx2",
            "parts of 16 channels on two CPUs, one of them with AVX2 alone"},
           {"opbench partition 'dense 1x2048 w:1000x2048 transB=1' --devices cpu0,cpu1 --parts 16",
            "a finer grid"}},
      .notes =
          "Each size of part is measured alone on each device. A split takes as long as the "
          "slower\n"
          "of its two sides and the modelled join; neighbours in caches are not in it. `probed` "
          "is\n"
          "the split that a few of the times lead to. `--budget` is for all sizes on one device.",
      .help_rank = 7,
      .run = partition_run};
}

}  // namespace opbench
