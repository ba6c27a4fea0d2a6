#pragma once

#include "experiments/compare/prepared_variant.h"

namespace opbench {

inline VariantUnit example_unit(const std::string& text, UnitTexts texts,
                                std::vector<std::string> nodes, int id) {
  VariantUnit unit{.identity = {.operator_text = text, .nodes = std::move(nodes)},
                   .expected_s = 1e-6,
                   .preparation = "model",
                   .unit_id = id};
  unit.identity.texts = std::move(texts);
  return unit;
}

/// A side with two convolutions of one workload, a ReLU and a layout conversion.
inline PreparedVariant example_variant() {
  PreparedVariant side;
  side.info = {.label = "halide",
               .engine = "halide",
               .version = "1",
               .versions = {{"halide", "14"}},
               .build = {},
               .threads = 1,
               .cpus = {0},
               .batch_size = 1,
               .call_floor_ms = 1e-6,
               .check = {"onnxruntime", 1e-6, true, ""}};
  side.model = "example";
  side.source = "zoo";
  side.sha256 = "0123456789abcdef";
  side.target = "llvm";
  side.cache = "hot";
  side.inputs = {{"x", "float32", {1, 8, 4, 4}}};
  side.outputs = {{"y", "float32", {1, 8, 4, 4}}};
  side.command = {{"/engine", "--fast"}, {{"TMPDIR", "/t"}}, {0}, "/t/engine.log"};
  side.preparations = {{"model", R"({"kind":"package"})", kPrepareLimit}};
  side.units = {example_unit("conv2d", {"conv2d 1x8x4x4 w:8x8x1x1", "8x4x4", {}}, {"a", "b"}, 0),
                example_unit("relu", {"relu 1x8x4x4", "8x4x4", {}}, {"c"}, 1),
                example_unit("layout", {"identity 1x8x4x4", "NCHW -> NCHW8c", {}}, {}, 2)};
  side.units[0].count = 2;
  side.units[0].expected_s = 1e-4;
  side.model_bytes = 256;
  side.warnings = {"a warning"};
  return side;
}

}  // namespace opbench
