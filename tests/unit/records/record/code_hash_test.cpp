#include <gtest/gtest.h>

#include <string>

#include "records/record/profile_records.h"

namespace opbench {
namespace {

Measurement one_millisecond() {
  Measurement time;
  time.median_ms = time.mean_ms = time.low_ms = time.high_ms = time.min_ms = 1;
  return time;
}

TEST(CodeHash, StandsInTheRecordsOfWhatRan) {
  UnitResult known{.identity = identity_from({.workload = "relu 8", .shapes = {}, .layouts = {}}),
                   .time = one_millisecond()};
  known.code_hash = std::string(64, 'b');
  UnitResult unknown = known;
  unknown.code_hash.clear();
  EngineResult engine{.engine = "halide", .units = {known, unknown}};
  engine.code_hash = std::string(64, 'a');
  engine.model.end_to_end = one_millisecond();
  ProfileResult result{.run_id = "r1",
                       .timestamp = "2026-11-21T09:00:00Z",
                       .model = "resnet-18",
                       .argv = {"opbench"},
                       .environment = {.machine_hash = "m1", .software_hash = "s1"},
                       .engines = {engine}};
  const auto records = records_of(result);
  ASSERT_TRUE(records) << to_text(records.error());
  ASSERT_EQ(records->size(), 3U);
  EXPECT_EQ(records->at(0).code_hash, std::string(64, 'a'));
  EXPECT_EQ(records->at(1).code_hash, std::string(64, 'b'));
  EXPECT_FALSE(records->at(2).code_hash) << "not known";
}

TEST(CodeHash, OfAWorkloadWithoutUnitsStandsInTheRecordOfTheWhole) {
  EngineResult engine{.engine = "mine"};
  engine.code_hash = std::string(64, 'a');
  engine.model.end_to_end = one_millisecond();
  const ProfileResult result{.run_id = "r1",
                             .timestamp = "2026-11-21T09:00:00Z",
                             .model = "relu 8",
                             .scope = "unit",
                             .environment = {.machine_hash = "m1"},
                             .engines = {engine}};
  const auto records = records_of(result);
  ASSERT_TRUE(records) << to_text(records.error());
  ASSERT_EQ(records->size(), 1U);
  EXPECT_EQ(records->at(0).scope, "model");
  EXPECT_EQ(records->at(0).code_hash, std::string(64, 'a'));
}

}  // namespace
}  // namespace opbench
