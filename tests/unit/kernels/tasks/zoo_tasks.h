#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/tasks/extract_tasks.h"
#include "machine/target/parse_target.h"
#include "machine/target/target.h"
#include "model/passes/bind_shapes.h"
#include "model/passes/passes.h"
#include "model/zoo/zoo_models.h"

namespace opbench {

/// A model as the command `space` hands it over: folded, with complete types.
inline Model prepared(Model model) {
  for (const auto pass : {infer_types, fold_constants, infer_types}) {
    const auto done = pass(model);
    EXPECT_TRUE(done) << to_text(done.error());
  }
  return model;
}

/// Without the values of its weights: tasks go by types.
inline Model zoo_model(const std::string& name, int64_t batch_size = 1) {
  const auto& models = zoo_models();
  const auto found =
      std::ranges::find_if(models, [&](const ZooModel& m) { return m.entry.name == name; });
  if (found == models.end()) {
    ADD_FAILURE() << "no model " << name;
    return {};
  }
  ZooBuilder builder(name, batch_size, 1, ZooWeights::kOutline);
  const std::string output = found->build(builder);
  Model model = builder.finish(output);
  const auto bound = bind_shapes(model, {.otherwise = found->entry.dimensions});
  EXPECT_TRUE(bound) << to_text(bound.error());
  return prepared(std::move(model));
}

inline std::string shape_of(const Argument& tensor) {
  std::string text;
  for (const Argument& extent : tensor.items) {
    text += (text.empty() ? "" : "x") + std::to_string(extent.integer);
  }
  return text;
}

/// Name, shapes and whole numbers of a task: `conv2d_nchw.cuda 1x3x224x224 64x3x7x7 2,2 3,3,3,3
/// 1,1`.
inline std::string brief(const Task& task) {
  std::string text = task.name;
  for (const Argument& argument : task.arguments) {
    if (argument.kind == ArgumentKind::kTensor) text += " " + shape_of(argument);
    if (argument.kind == ArgumentKind::kInt) text += " " + std::to_string(argument.integer);
    if (argument.kind != ArgumentKind::kTuple) continue;
    for (size_t i = 0; i < argument.items.size(); ++i) {
      text += (i == 0 ? " " : ",") + std::to_string(argument.items[i].integer);
    }
  }
  return text;
}

inline std::vector<std::string> tasks_of(const Model& model, const std::string& target) {
  const auto parsed = parse_target(target);
  EXPECT_TRUE(parsed) << to_text(parsed.error());
  std::vector<std::string> result;
  for (const Task& task : extract_tasks(model, *parsed)) result.push_back(brief(task));
  return result;
}

}  // namespace opbench
