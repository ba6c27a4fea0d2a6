#include "kernels/space/space_builder.h"
#include "kernels/tasks/argument_reader.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

/// data [M', K/16, bt, 16], weight [N/16, K/16, 16, 16], bias, type.
Result<ConfigSpace> dense_packed_vta_space(const std::vector<Argument>& arguments, const Target&) {
  ArgumentReader reader(arguments);
  const auto data = reader.tensor("data", {4});
  const auto weight = reader.tensor("weight", {4});
  while (!reader.is_at_end()) reader.skip();
  OPBENCH_CHECK(reader.finish());
  SpaceBuilder builder;
  builder.define_split("tile_b", data[0], 2);
  builder.define_split("tile_ci", data[1], 2);
  builder.define_split("tile_co", weight[0], 2);
  builder.define_option("oc_nthread", {1, 2});
  return std::move(builder).finish();
}

Result<double> dense_packed_vta_flops(const std::vector<Argument>& arguments, const Target&) {
  ArgumentReader reader(arguments);
  const auto data = reader.tensor("data", {4});
  const auto weight = reader.tensor("weight", {4});
  while (!reader.is_at_end()) reader.skip();
  OPBENCH_CHECK(reader.finish());
  double result = 2;
  for (const int64_t extent : {data[0], data[2], weight[0], weight[1], weight[2], weight[3]}) {
    result *= static_cast<double>(extent);
  }
  return result;
}

}  // namespace

TemplateDef dense_packed_vta_template() {
  return {
      .name = "dense_packed.vta", .space = dense_packed_vta_space, .flops = dense_packed_vta_flops};
}

}  // namespace opbench
