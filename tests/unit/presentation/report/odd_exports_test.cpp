#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "export_checks.h"
#include "sample_profile.h"

namespace opbench {
namespace {

/// A word with what trips writers: quotes, line breaks, markup, letters beyond ASCII.
std::string odd_word(Random& random) {
  const std::vector<std::string> kPieces = {"\"", "\\", "\n", "\t", "<b>", "&", "ä",  "日本", "☕",
                                            "a",  "/",  ":",  ",",  " ",   "'", "{}", "NaN",  "%"};
  std::string word;
  for (uint64_t i = 1 + random.below(6); i > 0; --i) word += kPieces[random.below(kPieces.size())];
  return word;
}

ProfileResult odd_profile(Random& random) {
  ProfileResult profile = sample_profile();
  profile.model = odd_word(random);
  EngineResult& engine = profile.engines[0];
  engine.threads = static_cast<int>(1 + random.below(64));
  for (UnitResult& unit : engine.units) {
    unit.identity.nodes = {odd_word(random), odd_word(random)};
    const double ms = std::pow(10.0, static_cast<double>(random.below(9)) - 5) *
                      (1 + static_cast<double>(random.below(1000003)) / 7);
    if (random.below(4) == 0) {
      unit.failure = Failure{static_cast<FailureKind>(random.below(8)), odd_word(random)};
      unit.time.reset();
      unit.in_place_ms.reset();
      continue;
    }
    unit.failure.reset();
    unit.time = measured(ms, random.below(2) == 0 ? 0 : 0.01);
    unit.in_place_ms = random.below(2) == 0 ? std::optional(ms * 1.5) : std::nullopt;
    unit.count = static_cast<int64_t>(1 + random.below(50));
  }
  return profile;
}

TEST(OddExports, OddValuesSurviveTheRoundTrips) {
  Random random(46);
  for (int round = 0; round < 60; ++round) {
    const ProfileResult profile = reread(odd_profile(random));
    const std::vector<ExportRow> rows = rows_of_export(profile);
    const auto pytorch = exported("pytorch-v3", profile);
    ASSERT_TRUE(pytorch) << to_text(pytorch.error());
    const std::vector<BenchmarkRecord> records = imported(pytorch->text, "pytorch-v3");
    ASSERT_EQ(records.size(), rows.size()) << round;
    for (size_t i = 0; i < rows.size(); ++i) expect_row(profile, rows[i], records[i]);
    const auto flashinfer = exported("flashinfer", profile);
    ASSERT_TRUE(flashinfer) << to_text(flashinfer.error());
    const std::vector<BenchmarkRecord> traces = imported(flashinfer->text, "flashinfer");
    ASSERT_THAT(traces, testing::SizeIs(1)) << round;  // one unit has a workload of ours
    const auto conv = std::ranges::find_if(rows, [](const ExportRow& row) {
      return row.unit != nullptr && !workload_text(row.unit->identity).empty();
    });
    ASSERT_NE(conv, rows.end());
    if (!failure_of_row(*conv)) expect_row(profile, *conv, traces[0]);
    for (const char* format : {"trace", "bmf"}) {
      const auto text = exported(format, profile);
      if (!text) continue;  // where all failed
      const Json json = Json::parse(text->text);
      if (format == std::string("trace")) expect_sound_trace(json);
    }
  }
}

}  // namespace
}  // namespace opbench
