#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

#include "external_data.h"
#include "kernels/tasks/legacy_space.h"
#include "kernels/tasks/templates/cuda/cuda_limits.h"
#include "machine/target/tvm_target.h"
#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"

/// Every record of the real logs: its index decodes to its entities, and these encode to it.
namespace opbench {
namespace {

namespace fs = std::filesystem;

struct Count {
  int matching = 0;
  int rows = 0;
  bool operator==(const Count&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Count& count) {
  return out << count.matching << "/" << count.rows;
}

using Counts = std::map<std::string, Count>;

struct LoggedConfigsCase {
  const char* file;
  Counts per_template;
  std::map<std::string, int> rules;  ///< records that needed each
  std::set<int64_t> faulty = {};     ///< lines whose index and entities say different things
};

std::ostream& operator<<(std::ostream& out, const LoggedConfigsCase& value) {
  return out << value.file;
}

Result<Task> task_of_record(const TuningRecord& record) {
  TuningRecord today = record;
  if (record.origin.format == TuningFormat::kAutotvm01) {
    OPBENCH_TRY(today, upgrade_autotvm(record));
  }
  OPBENCH_TRY(const TvmTarget target, parse_tvm_target(today.target));
  Task task{.name = today.task, .target = target.identity};
  for (const NamedArgument& argument : today.arguments) task.arguments.push_back(argument.value);
  return task;
}

Result<LoggedSpace> space_of_record(const TuningRecord& record) {
  OPBENCH_TRY(const Task task, task_of_record(record));
  return logged_space(task, std::get<KnobConfig>(record.config));
}

std::string name_today(const TuningRecord& record) {
  if (record.origin.format != TuningFormat::kAutotvm01) return record.task;
  const auto upgraded = upgrade_autotvm(record);
  return upgraded ? upgraded->task : record.task;
}

class LoggedConfigs : public testing::TestWithParam<LoggedConfigsCase> {
 protected:
  void count(const TuningRecord& record) {
    const std::string name = name_today(record);
    Count& counted = counts_[name];
    ++counted.rows;
    const auto logged = space_of_record(record);
    if (!logged || !logged->is_consistent) faulty_.insert(record.origin.line);
    if (!logged) {
      faults_ << record.origin.line << " " << name << " " << to_text(logged.error());
      return;
    }
    for (const LegacyRule rule : logged->rules) ++rules_[std::string(name_of(rule))];
    if (logged->is_consistent) {
      ++counted.matching;
      return;
    }
    const auto index = index_of(logged->space, logged->config);
    faults_ << record.origin.line << " " << name << " index " << logged->config.index << " but "
            << (index ? std::to_string(*index) + "\n" : to_text(index.error()));
  }

  std::string table() const {
    std::ostringstream text;
    for (const auto& [name, counted] : counts_) {
      text << std::left << std::setw(44) << name << counted << "\n";
    }
    for (const auto& [rule, number] : rules_) text << rule << " " << number << "\n";
    return text.str() + faults_.str();
  }

  Counts counts_;
  std::map<std::string, int> rules_;
  std::set<int64_t> faulty_;
  std::ostringstream faults_;
};

TEST_P(LoggedConfigs, DecodeToTheirEntities) {
  const fs::path path = test::external_data() / GetParam().file;
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  auto file = open_records(path.string());
  ASSERT_TRUE(file) << to_text(file.error());
  while (true) {
    auto item = file->reader->next();
    ASSERT_TRUE(item);
    if (!*item) break;
    if ((*item)->record) count(std::get<TuningRecord>(*(*item)->record));
  }
  EXPECT_EQ(counts_, GetParam().per_template) << table();
  EXPECT_EQ(rules_, GetParam().rules) << table();
  EXPECT_EQ(faulty_, GetParam().faulty) << table();
}

/// Lines that are at fault themselves: arm_cpu and vta have one config
/// with index 72880 copied onto other workloads; vta, cuda and opencl have tiles changed by hand.
INSTANTIATE_TEST_SUITE_P(
    Files, LoggedConfigs,
    testing::Values(LoggedConfigsCase{"opbench/log/bert-xgb_knob-llvm-autotvm.json",
                                      {{"batch_matmul.x86", {2, 2}},
                                       {"dense_nopack.x86", {4, 4}},
                                       {"dense_pack.x86", {4, 4}}},
                                      {}},
                    LoggedConfigsCase{"opbench/log/resnet-18-xgb-llvm-autotvm.json",
                                      {{"conv2d_NCHWc.x86", {12, 12}},
                                       {"dense_nopack.x86", {1, 1}},
                                       {"dense_pack.x86", {1, 1}}},
                                      {}},
                    LoggedConfigsCase{"opbench/log/resnet-18-xgb-llvm-autotvm.json.tmp",
                                      {{"conv2d_NCHWc.x86", {120, 120}},
                                       {"dense_nopack.x86", {10, 10}},
                                       {"dense_pack.x86", {10, 10}}},
                                      {}},
                    LoggedConfigsCase{"opbench/log/resnet-18-xgb-pynq-autotvm.json.tmp",
                                      {{"conv2d_packed.vta", {160, 160}}},
                                      {}},
                    LoggedConfigsCase{"opbench/log/resnet-18-xgb_knob-cuda-autotvm.json",
                                      {{"conv2d_nchw.cuda", {12, 12}},
                                       {"conv2d_nchw_winograd.cuda", {4, 4}},
                                       {"dense_small_batch.gpu", {1, 1}}},
                                      {}},
                    LoggedConfigsCase{"tophub/arm_cpu_v0.08.log",
                                      {{"conv2d_nchw_spatial_pack.arm_cpu", {959, 961}},
                                       {"conv2d_nchw_winograd.arm_cpu", {105, 105}},
                                       {"conv2d_transpose_nchw.arm_cpu", {8, 8}},
                                       {"depthwise_conv2d_nchw.arm_cpu", {90, 90}}},
                                      {{"outer-extents", 1164}},
                                      {1103, 1115}},
                    LoggedConfigsCase{"tophub/cuda_v0.10.log",
                                      {{"batch_matmul.cuda", {18, 18}},
                                       {"conv1d_transpose_nchw.cuda", {1, 1}},
                                       {"conv2d_nchw.cuda", {599, 600}},
                                       {"conv2d_nchw_winograd.cuda", {95, 95}},
                                       {"conv2d_transpose_nchw.cuda", {14, 14}},
                                       {"depthwise_conv2d_nchw.cuda", {97, 97}}},
                                      {{"outer-extents", 688}, {"swapped-reductions", 530}},
                                      {336}},
                    LoggedConfigsCase{"tophub/llvm_v0.04.log",
                                      {{"conv2d_NCHWc.x86", {35, 35}}},
                                      {{"outer-extents", 35}, {"width-by-factors", 28}}},
                    LoggedConfigsCase{"tophub/mali_v0.05.log",
                                      {{"conv2d_nchw_spatial_pack.mali", {406, 406}},
                                       {"conv2d_nchw_winograd.mali", {63, 63}},
                                       {"dense.mali", {14, 14}},
                                       {"depthwise_conv2d_nchw.mali", {45, 45}}},
                                      {{"outer-extents", 528}}},
                    LoggedConfigsCase{"tophub/opencl_v0.02.log",
                                      {{"conv2d_nchw.cuda", {68, 77}},
                                       {"conv2d_nchw_winograd.cuda", {11, 11}},
                                       {"depthwise_conv2d_nchw.cuda", {6, 9}}},
                                      {{"outer-extents", 97}},
                                      {10, 11, 12, 29, 35, 42, 45, 60, 68, 71, 74, 75}},
                    LoggedConfigsCase{"tophub/vta_v0.10.log",
                                      {{"conv2d_nchw_spatial_pack.arm_cpu", {1, 2}},
                                       {"conv2d_packed.vta", {75, 86}},
                                       {"conv2d_transpose_packed.vta", {3, 3}},
                                       {"dense_nopack.x86", {4, 4}},
                                       {"dense_packed.vta", {2, 2}},
                                       {"group_conv2d_packed.vta", {9, 9}}},
                                      {{"columns-first", 4}, {"outer-extents", 97}},
                                      {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14}}));

/// GpuDemands raises no false alarm: what ran can be built.
TEST(LoggedDemands, OfRecordsThatRanCanBeMet) {
  int checked = 0;
  for (const char* name : {"opbench/log/resnet-18-xgb_knob-cuda-autotvm.json",
                           "tophub/cuda_v0.10.log", "tophub/opencl_v0.02.log"}) {
    const fs::path path = test::external_data() / name;
    if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
    auto file = open_records(path.string());
    ASSERT_TRUE(file);
    while (auto item = file->reader->next().value()) {
      const auto& record = std::get<TuningRecord>(*item->record);
      const auto task = task_of_record(record);
      ASSERT_TRUE(task) << to_text(task.error());
      const auto demands = GpuDemands::make(*task);
      ASSERT_TRUE(demands) << to_text(demands.error());
      if (!*demands || record.result.error_no != 0) continue;
      const auto demand = (*demands)->of(std::get<KnobConfig>(record.config));
      ASSERT_TRUE(demand) << to_text(demand.error());
      EXPECT_EQ(fault_of(*demand), "") << name << ":" << record.origin.line;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 924);
}

}  // namespace
}  // namespace opbench
