#include "experiments/regress/annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Alert alert_at(int night) {
  return {.id = "halide@" + std::to_string(night),
          .engine = "halide",
          .range = {.good_night = night - 1,
                    .bad_night = night,
                    .good_date = "d" + std::to_string(night - 1),
                    .bad_date = "d" + std::to_string(night)}};
}

History ten_nights() {
  History history;
  for (int i = 0; i < 10; ++i) {
    history.nights.push_back(
        {.index = i, .date = "d" + std::to_string(i), .commits = {{"c" + std::to_string(i)}}});
  }
  return history;
}

Annotation said(AnnotationVerb verb, const Alert& alert, int nights = 0) {
  return annotate(verb, alert, "on purpose", nights, "https://example.org/7",
                  "2026-11-28T01:00:00Z")
      .value();
}

TEST(Annotations, ComeBackFromTheirFile) {
  const auto folder = TemporaryFolder::make();
  const auto file = folder->path() / "watch" / "annotations.jsonl";
  EXPECT_THAT(read_annotations(file).value(), IsEmpty());
  const std::vector<Annotation> written = {said(AnnotationVerb::kAccept, alert_at(3)),
                                           said(AnnotationVerb::kNudge, alert_at(3), -1)};
  for (const Annotation& annotation : written) ASSERT_TRUE(keep_annotation(file, annotation));
  EXPECT_EQ(read_annotations(file).value(), written);
  ASSERT_TRUE(append_file(file, "{\"record\": \"annot"));  // cut
  EXPECT_EQ(read_annotations(file).value(), written);
  ASSERT_TRUE(append_file(file, "\n{\"record\": \"annotation\"}\n"));
  EXPECT_THAT(to_text(read_annotations(file).error()), HasSubstr("annotations.jsonl:4"));
}

TEST(Annotations, GiveAlertsTheirLife) {
  std::vector<Alert> alerts = {alert_at(3), alert_at(5)};
  const History history = ten_nights();
  EXPECT_EQ(apply_annotations({said(AnnotationVerb::kAcknowledge, alert_at(3)),
                               said(AnnotationVerb::kAccept, alert_at(3)),
                               said(AnnotationVerb::kIgnore, alert_at(5)),
                               said(AnnotationVerb::kIgnore, alert_at(8))},
                              history, alerts),
            1);
  EXPECT_EQ(alerts[0].life, AlertLife::kAccepted);
  EXPECT_EQ(alerts[1].life, AlertLife::kNoise);
  EXPECT_FALSE(is_open(alerts[0]));
  EXPECT_TRUE(is_open(alert_at(3)));
}

TEST(Annotations, NudgeARangeWithItsCommits) {
  std::vector<Alert> alerts = {alert_at(3)};
  const Annotation back = said(AnnotationVerb::kNudge, alert_at(3), -1);
  apply_annotations({back, back}, ten_nights(), alerts);
  EXPECT_EQ(alerts[0].range.good_date, "d0");
  EXPECT_EQ(alerts[0].range.bad_date, "d1");
  EXPECT_EQ(alerts[0].range.commits, (std::vector<Commit>{{"c1"}}));
  EXPECT_EQ(alerts[0].life, AlertLife::kNew);
  alerts = {alert_at(1)};
  apply_annotations({back, back, back}, ten_nights(), alerts);
  EXPECT_EQ(alerts[0].range.bad_night, 1) << "there is nothing before";
}

TEST(Annotations, WantAReasonAndANumber) {
  EXPECT_FALSE(annotate(AnnotationVerb::kAccept, alert_at(3), "", 0, "", ""));
  EXPECT_FALSE(annotate(AnnotationVerb::kNudge, alert_at(3), "", 0, "", ""));
  EXPECT_FALSE(annotate(AnnotationVerb::kFixed, alert_at(3), "", 1, "", ""));
  EXPECT_THAT(to_text(annotation_verb_of("acept").error()), HasSubstr("did you mean: accept?"));
}

}  // namespace
}  // namespace opbench
