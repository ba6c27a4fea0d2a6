#pragma once

#include "records/record/tuning_record.h"

namespace opbench {

/// A record with one of each kind of argument and knob that tests ask for by name.
inline TuningRecord small_tuning_record() {
  TuningRecord record;
  record.target = "llvm -mcpu=core-avx2 -model=e5";
  record.task = "dense_nopack.x86";
  record.arguments = {{"data",
                       {.kind = ArgumentKind::kTensor,
                        .text = "float32",
                        .items = {Argument::of_int(1), Argument::of_int(512)}}},
                      {"", Argument::null()},
                      {"out_dtype", Argument::of_string("float32")}};
  record.config = KnobConfig{
      .index = 12,
      .knobs = {{"tile_y", "sp", Argument::of_tuple({Argument::of_int(-1), Argument::of_int(1)})},
                {"unroll_kw", "ot", Argument::of_bool(true)}}};
  record.result = {.costs_s = {1.2e-05}, .all_cost_s = 1.5, .timestamp = 1663918044.7181036};
  record.tvm_version = "0.8.0";
  record.origin.format_version = "0.2";
  return record;
}

}  // namespace opbench
