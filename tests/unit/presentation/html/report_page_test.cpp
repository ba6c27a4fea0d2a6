#include "presentation/html/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "page_profile.h"
#include "sample_profile.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportPage, HasEverySectionInOrder) {
  const ProfileResult now = page_profile("r2", 1.5), base = page_profile("r1");
  const std::string page = report_page(now, &base, {});
  size_t at = 0;
  for (const char* id : {"id=\"findings\"", "id=\"summary\"", "id=\"units-1\"", "id=\"roofline-1\"",
                         "id=\"timeline-1\"", "id=\"graph-1\"", "id=\"samples-1\"",
                         "id=\"speedups-1\"", "id=\"environment\"", "id=\"repeat\""}) {
    const size_t place = page.find(id);
    ASSERT_NE(place, std::string::npos) << id;
    EXPECT_GT(place, at) << id;
    at = place;
  }
}

TEST(ReportPage, NeedsNothingFromOutside) {
  const std::string page = report_page(page_profile("r1"), nullptr, {});
  for (const char* outside : {"http://", "https://", "src=", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
}

TEST(ReportPage, EscapesNamesEverywhere) {
  const std::string bad = "<img src=x onerror=alert(1)>\"'&";
  ProfileResult now = page_profile("r2"), base = page_profile("r1");
  for (ProfileResult* result : {&now, &base}) {
    result->model = result->source = result->target = result->timestamp = result->noise = bad;
    result->warnings = {bad};
    result->labels = {{bad, bad}};
    result->metrics = {{bad, 1}};
    result->argv = {bad, bad};
    result->environment.software = SoftwareFacts{.kernel = known(bad)};
    result->findings = {{{.finding = bad, .where = bad, .evidence = bad, .command = bad}}};
    result->graph = {{bad, bad, {}}};
    EngineResult& run = result->engines[0];
    run.engine = run.version = bad;
    run.versions = {{bad, bad}};
    run.device = {{"description", bad}};
    run.emulator = bad;
    run.check = {.engine = bad, .reason = bad};
    run.model.inconclusive = run.model.end_to_end_reason = bad;
    for (UnitResult& unit : run.units) {
      unit.identity.operator_text = unit.identity.texts.shapes = bad;
      unit.identity.schedule = unit.identity.origin = bad;
      unit.identity.nodes = unit.occurrences[0].nodes = {bad + unit.reproducer};
      unit.bound = unit.reproducer = unit.remark = bad;
      unit.time->dropped = {{bad, 1}};
      unit.failure = Failure{FailureKind::kRunError, bad};
    }
  }
  base.environment.software->kernel.value = "another";
  const std::string page = report_page(now, &base, {.file = bad, .base_file = bad});
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("onerror=alert(1)>")));
  EXPECT_THAT(page, Not(HasSubstr("&gt;\"'")));  // a quote would end an attribute
  EXPECT_GT(count_in(page, "&lt;img src=x onerror=alert(1)&gt;&quot;"), 40U);
}

TEST(ReportPage, ReplacesBytesThatAreNoText) {
  ProfileResult result = page_profile("r1");
  result.model = "a\xff\x01z";
  EXPECT_THAT(report_page(result, nullptr, {}), HasSubstr("<h1>a??z</h1>"));
}

TEST(ReportPage, ShowsFindings) {
  ProfileResult result = page_profile("r1");
  EXPECT_THAT(report_page(result, nullptr, {.file = "r.json"}),
              HasSubstr("opbench profile tiny --findings --format json -o r.json"));
  result.findings = {{{.finding = "use 2 threads",
                       .where = "conv2d",
                       .evidence = "one CPU is idle",
                       .gain_low_pct = 3.04,
                       .gain_high_pct = 5.5,
                       .command = "opbench profile tiny --threads 2"}}};
  const std::string page = report_page(result, nullptr, {});
  EXPECT_THAT(page, HasSubstr("<b>use 2 threads</b>"));
  EXPECT_THAT(page, HasSubstr("expected gain 3.0 to 5.5 %"));
  EXPECT_THAT(page, Not(HasSubstr("--findings")));
  result.findings->front().not_measured = "no log of trials";
  EXPECT_THAT(report_page(result, nullptr, {}),
              HasSubstr("expected gain 3.0 to 5.5 %, no measured gain: no log of trials"));
  result.findings->clear();
  EXPECT_THAT(report_page(result, nullptr, {}), HasSubstr("Nothing was found"));
}

TEST(ReportPage, ShowsADeviceAndItsTimes) {
  ProfileResult now = page_profile("r2");
  EXPECT_THAT(report_page(now, nullptr, {}), Not(HasSubstr("ms event")));
  EngineResult& run = now.engines[0];
  run.device = {{"description", "Mali-T860"}, {"platform", "ARM"}};
  run.units[0].time->device_ms = 3.5;
  run.model.end_to_end->copies_ms = 0.5;
  run.model.end_to_end->without_copies_ms = 6.6;
  const std::string page = report_page(now, nullptr, {});
  EXPECT_THAT(page, HasSubstr("<small>Mali-T860, ARM</small>"));
  EXPECT_THAT(page, HasSubstr("device<small>ms event</small>"));
  EXPECT_THAT(page, HasSubstr("3.500"));
  EXPECT_THAT(page, HasSubstr("end to end without copies 6.600 ms; copies take 0.500 ms"));
}

TEST(ReportPage, SaysWhyThereIsNothingToDraw) {
  ProfileResult result = page_profile("r1");
  result.graph.clear();
  for (UnitResult& unit : result.engines[0].units) {
    unit.flops.reset();
    unit.time.reset();
    unit.occurrences.clear();
  }
  const std::string page = report_page(result, nullptr, {});
  EXPECT_THAT(page, HasSubstr("No row has FLOPs, bytes and a time."));
  EXPECT_THAT(page, HasSubstr("The engine gives no times of the units in its model."));
  EXPECT_THAT(page, HasSubstr("The report does not hold the model's graph"));
}

TEST(ReportPage, NamesTheSideWhoseUnitFailed) {
  ProfileResult now = page_profile("r2"), base = page_profile("r1");
  now.engines[0].units[0].failure = Failure{FailureKind::kRunError, "killed"};
  const auto failure = [](const std::string& text) {
    return HasSubstr("<small class=\"bad\">" + text + "</small>");
  };
  const std::string own = report_page(now, &base, {});
  EXPECT_THAT(own, failure("run_error: killed"));
  EXPECT_THAT(own, Not(failure("base: run_error: killed")));
  EXPECT_THAT(report_page(base, &now, {}), failure("base: run_error: killed"));
}

TEST(ReportPage, StaysSmallForManyUnits) {
  ProfileResult result = page_profile("r1");
  EngineResult& run = result.engines[0];
  run.units.clear();
  result.graph.clear();
  for (int i = 0; i < 500; ++i) {
    const std::string name = "some/longer/name/of/a/node_" + std::to_string(i);
    run.units.push_back(page_unit(name, "conv2d+add+relu", 1 + i % 7, i));
    for (int k = 0; k < 100; ++k) {
      run.units.back().time->samples.push_back({.wall_s = (1000.0 + k) / 1e6, .process = k % 3});
    }
    result.graph.push_back({.name = name, .type = "Conv"});
    if (i > 0) result.graph.back().needs = {result.graph[result.graph.size() - 2].name};
  }
  ProfileResult base = result;
  base.run_id = "r0";
  EXPECT_LT(report_page(result, &base, {}).size(), 3'000'000U);
}

TEST(CheckBase, RefusesAnotherModelAndTheSameRun) {
  const PageOptions options{.file = "a.json", .base_file = "b.json"};
  const ProfileResult now = page_profile("r2");
  ProfileResult base = page_profile("r1");
  EXPECT_TRUE(check_base(now, base, options));
  base.model = "renamed";
  EXPECT_TRUE(check_base(now, base, options)) << "the same file";
  base.sha256 = "123456789abcdef0";
  EXPECT_EQ(to_text(check_base(now, base, options).error()),
            "error: the base is of another model\n"
            "  report: \"tiny\" in a.json, SHA-256 abcdef012345…\n"
            "  base: \"renamed\" in b.json, SHA-256 123456789abc…\n");
  EXPECT_THAT(check_base(now, now, options).error().message,
              HasSubstr("both reports are of one run, \"r2\""));
}

TEST(CheckMeasured, WantsATime) {
  ProfileResult result = page_profile("r1");
  EXPECT_TRUE(check_measured(result, "r.json"));
  result.engines[0].units.clear();
  EXPECT_TRUE(check_measured(result, "r.json")) << "end to end";
  result.engines[0].model = {.failure = Failure{FailureKind::kRunError, "killed"}};
  EXPECT_THAT(to_text(check_measured(result, "r.json").error()),
              HasSubstr("halide, 1 thread: run_error: killed"));
  result.engines.clear();
  EXPECT_THAT(to_text(check_measured(result, "r.json").error()),
              HasSubstr("reason: it names no engine run"));
}

}  // namespace
}  // namespace opbench
