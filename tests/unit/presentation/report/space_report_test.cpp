#include "presentation/report/tune/space_report.h"

#include <gmock/gmock.h>

#include "kernels/space/space_builder.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TaskSpace example() {
  SpaceBuilder builder;
  builder.define_split("tile_x", 8, 2);
  builder.define_reorder("order", 2, {.policy = "all"});
  builder.define_annotate("ann", 1, "try_unroll");
  builder.define_option("pack", {Argument::of_bool(true), Argument::of_string("none")});
  TaskSpace result{.number = 3, .task = {.name = "dense.test"}};
  result.task.arguments = {Argument::null(), Argument::of_int(8), Argument::of_string("float32")};
  result.space = std::move(builder).finish().value();
  result.size = size_of(result.space).value();
  return result;
}

TEST(SpaceReport, PrintsTasksAboveTheirSpaces) {
  const TaskSpace space = example();
  const std::string printed_space = printed(space.space);
  EXPECT_EQ(space_text({space}), "3  dense.test [null, 8, \"float32\"]\n" + printed_space + "\n\n");
  EXPECT_EQ(printed_spaces({space, space}), printed_space + printed_space);
  EXPECT_EQ(
      csv_text(space_table({space})),
      "number,task,args,size,knobs\n"
      "3,dense.test,\"[null, 8, \"\"float32\"\"]\",32,\"tile_x 4, order 2, ann 2, pack 2\"\n");
}

TEST(SpaceReport, PrintsConfigsOfEveryKind) {
  const TaskSpace space = example();
  const KnobConfig config = config_at(space.space, 31).value();
  EXPECT_EQ(config_text(config),
            "[('tile_x', [-1, 8]), ('order', [1, 0]), ('ann', ['unroll']), ('pack', none)]"
            ",None,31");
  EXPECT_EQ(csv_text(config_table(config)),
            "knob,kind,value\n"
            "tile_x,sp,\"[-1, 8]\"\n"
            "order,re,\"[1, 0]\"\n"
            "ann,an,\"[\"\"unroll\"\"]\"\n"
            "pack,ot,\"\"\"none\"\"\"\n");
  EXPECT_THAT(config_json("m", space, config), HasSubstr("\"index\": 31"));
}

// The name of a file may be any bytes.
TEST(SpaceReport, ReplacesWhatIsNoText) {
  const std::string json = space_json("m\xff.onnx", parse_target("llvm").value(), {example()});
  EXPECT_THAT(json, HasSubstr("\"model\": \"m\xef\xbf\xbd.onnx\""));
  EXPECT_THAT(json, HasSubstr("\"kind\": \"re\",\n          \"policy\": \"all\","));
}

}  // namespace
}  // namespace opbench
