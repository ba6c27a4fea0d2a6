#include "kernels/tasks/legacy_space.h"

#include <algorithm>

#include "kernels/space/fallback_config.h"
#include "kernels/space/space_builder.h"

namespace opbench {
namespace {

using Knobs = std::vector<Knob>;

Knobs::iterator find_knob(ConfigSpace& space, std::string_view name) {
  return std::ranges::find(space.knobs, name, &Knob::name);
}

/// Where the config has a knob, past the end if it has none.
size_t position(const KnobConfig& config, std::string_view name) {
  const auto found = std::ranges::find(config.knobs, name, &KnobValue::name);
  return static_cast<size_t>(found - config.knobs.begin());
}

/// In the place of a knob, what a builder made of it.
void replace(ConfigSpace& space, SpaceBuilder builder) {
  auto made = std::move(builder).finish();
  if (!made) return;
  for (Knob& knob : made->knobs) {
    const auto old = find_knob(space, knob.name);
    if (old != space.knobs.end()) *old = std::move(knob);
  }
}

/// -1 in place of the outer extents; whether there were any.
bool free_outer_extents(const ConfigSpace& space, KnobConfig& config) {
  KnobConfig freed = with_free_outer_extents(space, config);
  if (freed == config) return false;
  config = std::move(freed);
  return true;
}

bool swap_reductions(ConfigSpace& space, const KnobConfig& config) {
  const auto rows = find_knob(space, "tile_ry");
  const auto columns = find_knob(space, "tile_rx");
  if (rows == space.knobs.end() || columns == space.knobs.end()) return false;
  const size_t y = position(config, "tile_ry");
  if (y == config.knobs.size() || y < position(config, "tile_rx")) return false;
  std::swap(rows->name, columns->name);
  return true;
}

bool put_columns_first(ConfigSpace& space, const KnobConfig& config) {
  const size_t y = position(config, "tile_y");
  if (y == config.knobs.size() || y < position(config, "tile_x")) return false;
  std::iter_swap(find_knob(space, "tile_y"), find_knob(space, "tile_x"));
  return true;
}

bool drop_inner_tile(ConfigSpace& space, const KnobConfig& config) {
  if (position(config, "tile_inner") != config.knobs.size()) return false;
  space.knobs.erase(find_knob(space, "tile_inner"));
  return true;
}

bool take_two_axes(ConfigSpace& space, const KnobConfig& config) {
  const size_t at = position(config, "ann_spatial");
  if (at == config.knobs.size() || config.knobs[at].value.items.size() != 2) return false;
  SpaceBuilder builder;
  builder.define_annotate("ann_spatial", 2, "try_unroll_vec");
  builder.define_option("compat", {0, 1});
  replace(space, std::move(builder));
  return true;
}

/// What the knobs themselves tell.
void apply_visible_rules(const std::string& task, LoggedSpace& logged) {
  const auto apply = [&](LegacyRule rule, bool is_needed) {
    if (is_needed) logged.rules.push_back(rule);
  };
  if (task == "conv2d_nchw.cuda") {
    apply(LegacyRule::kSwappedReductions, swap_reductions(logged.space, logged.config));
  } else if (task == "dense_nopack.x86") {
    apply(LegacyRule::kColumnsFirst, put_columns_first(logged.space, logged.config));
  } else if (task == "dense_pack.x86") {
    apply(LegacyRule::kNoInnerTile, drop_inner_tile(logged.space, logged.config));
  } else if (task == "conv2d_nhwc_spatial_pack.arm_cpu") {
    apply(LegacyRule::kTwoSpatialAxes, take_two_axes(logged.space, logged.config));
  }
  apply(LegacyRule::kOuterExtents, free_outer_extents(logged.space, logged.config));
}

bool agrees(const ConfigSpace& space, const KnobConfig& config) {
  const auto decoded = config_at(space, config.index);
  if (!decoded || decoded->knobs != config.knobs) return false;
  const auto index = index_of(space, config);
  return index && *index == config.index;
}

ConfigSpace with_width_by_factors(ConfigSpace space) {
  const auto width = find_knob(space, "tile_ow");
  if (width == space.knobs.end()) return space;
  SpaceBuilder builder;
  builder.define_split(
      "tile_ow", width->product,
      SplitOptions{.filter = [](const SplitSizes& sizes) { return sizes.back() <= 64; }});
  replace(space, std::move(builder));
  return space;
}

ConfigSpace with_unroll_hints(ConfigSpace space) {
  SpaceBuilder builder;
  builder.define_option("unroll_explicit", {0, 1});
  replace(space, std::move(builder));
  return space;
}

}  // namespace

std::string_view name_of(LegacyRule rule) {
  switch (rule) {
    case LegacyRule::kOuterExtents:
      return "outer-extents";
    case LegacyRule::kSwappedReductions:
      return "swapped-reductions";
    case LegacyRule::kWidthByFactors:
      return "width-by-factors";
    case LegacyRule::kColumnsFirst:
      return "columns-first";
    case LegacyRule::kNoInnerTile:
      return "no-inner-tile";
    case LegacyRule::kUnrollHints:
      return "unroll-hints";
    case LegacyRule::kTwoSpatialAxes:
      return "two-spatial-axes";
  }
  return "";
}

Result<LoggedSpace> logged_space(const Task& task, const KnobConfig& config) {
  OPBENCH_TRY(ConfigSpace space, space_of(task));
  LoggedSpace logged{.space = std::move(space), .config = config};
  apply_visible_rules(task.name, logged);
  logged.is_consistent = agrees(logged.space, logged.config);
  if (logged.is_consistent) return logged;
  const auto attempt = [&](LegacyRule rule, ConfigSpace other) {
    const bool has_entities =
        index_of(other, logged.config) && !index_of(logged.space, logged.config);
    logged.is_consistent = agrees(other, logged.config);
    if (!logged.is_consistent && !has_entities) return;
    logged.space = std::move(other);
    logged.rules.push_back(rule);
  };
  if (task.name == "conv2d_NCHWc.x86") {
    attempt(LegacyRule::kWidthByFactors, with_width_by_factors(logged.space));
  } else if (task.target.kind == "rocm" || task.target.kind == "nvptx") {
    attempt(LegacyRule::kUnrollHints, with_unroll_hints(logged.space));
  }
  return logged;
}

}  // namespace opbench
