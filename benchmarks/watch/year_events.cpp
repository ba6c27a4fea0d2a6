#include "benchmarks/watch/year_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numbers/hash.h"

namespace opbench {
namespace {

struct YearEngine {
  const char* name;
  double share;  ///< of all rows
};
constexpr YearEngine kYearEngines[] = {
    {"halide", 0.45}, {"mine", 0.30}, {"onnxruntime", 0.15}, {"onednn", 0.10}};
constexpr int kKernels = 0;
constexpr int kLibrary = 1;
constexpr const char* kUnitNames[] = {"conv", "conv+relu", "gemm",    "matmul", "softmax",
                                      "norm", "depthwise", "maxpool", "add",    "gelu"};

class EventDrawer {
 public:
  EventDrawer(uint64_t seed, const YearNoise& noise, const YearSize& size)
      : noise_(noise), size_(size), draws_(seed, "events") {
    events_.nights = size.nights;
    events_.seed = seed;
  }

  YearEvents draw() {
    draw_rows();
    choose_fusions();
    for (auto* grid : {&events_.code, &events_.outside}) grid->assign(rows(), line(0.0));
    events_.builds.assign(rows(), line(0));
    events_.has_code.assign(nights(), false);
    for (size_t night = 0; night < nights(); ++night) {
      events_.has_code[night] = !draws_.happens(0.15);
    }
    draw_changes();
    draw_rebuilds();
    draw_fusions();
    draw_boundaries();
    draw_slow_weeks();
    draw_layouts();
    return std::move(events_);
  }

 private:
  struct Fusion {
    enum class Kind { kRename, kMerge, kMove } kind = Kind::kRename;
    int night = 0;
    size_t first = 0, second = 0;
    size_t made = 0;  ///< the new row of a rename or merge
  };

  size_t rows() const { return events_.rows.size(); }
  size_t nights() const { return static_cast<size_t>(events_.nights); }
  template <class Value>
  std::vector<Value> line(Value value) const {
    return std::vector<Value>(nights(), value);
  }

  void draw_rows() {
    std::vector<double> unit_ms;
    for (int i = 0; i <= size_.series; ++i) {
      unit_ms.push_back(std::exp(draws_.between(std::log(0.02), std::log(20))));
    }
    const int units = static_cast<int>(std::lround(size_.series * kYearEngines[0].share));
    const int models = std::max(1, units / 11);
    for (int engine = 0; engine < 4; ++engine) {
      const int count = static_cast<int>(std::lround(size_.series * kYearEngines[engine].share));
      for (int unit = 0; unit < count; ++unit) {
        const std::string model = fmt::format("model-{:02}", unit * models / std::max(units, 1));
        const std::string name = fmt::format("{}_{}", kUnitNames[unit * 7 % 10], unit);
        const std::string of_engine = kYearEngines[engine].name;
        events_.rows.push_back(
            {.series = {.id = fmt::format("{}/{}/{}", of_engine, model, name),
                        .engine = of_engine,
                        .is_control = engine > kLibrary,
                        .model = model,
                        .chain = fmt::format("{}/chain-{:02}", model, unit / 3),
                        .unit = name,
                        .nodes = {fmt::format("n{}", 2 * unit), fmt::format("n{}", 2 * unit + 1)}},
             .engine = engine,
             .base_ms = unit_ms[static_cast<size_t>(unit)] * std::exp(0.25 * draws_.normal()),
             .end_night = events_.nights});
        of_engine_[engine].push_back(rows() - 1);
      }
    }
  }

  void choose_fusions() {
    using enum Fusion::Kind;
    std::vector<bool> is_used(rows(), false);
    for (const Fusion::Kind kind : {kRename, kMerge, kMerge, kMove, kMove}) {
      const std::vector<size_t>& kernels = of_engine_[kKernels];
      for (int tries = 0; tries < 1000; ++tries) {
        const size_t first = kernels[draws_.below(kernels.size() - 1)];
        const YearRow& a = events_.rows[first];
        const YearRow& b = events_.rows[first + 1];
        if (is_used[first] || is_used[first + 1] || a.series.chain != b.series.chain) continue;
        is_used[first] = is_used[first + 1] = true;
        Fusion fusion{kind, draws_.night(30, events_.nights - 10), first, first + 1, 0};
        if (kind != kMove) fusion.made = fused_row(fusion);
        fusions_.push_back(fusion);
        break;
      }
    }
  }

  size_t fused_row(const Fusion& fusion) {
    const bool is_merge = fusion.kind == Fusion::Kind::kMerge;
    YearRow row = events_.rows[fusion.first];
    const YearRow& second = events_.rows[fusion.second];
    if (is_merge) {
      row.series.unit += "+" + second.series.unit;
      row.series.nodes.insert(row.series.nodes.end(), second.series.nodes.begin(),
                              second.series.nodes.end());
      row.base_ms += second.base_ms;
      events_.rows[fusion.second].end_night = fusion.night;
    } else {
      row.series.unit += "_v2";
    }
    events_.rows[fusion.first].end_night = fusion.night;
    row.series.id = row.series.engine + "/" + row.series.model + "/" + row.series.unit;
    row.first_night = fusion.night;
    events_.rows.push_back(std::move(row));
    return rows() - 1;
  }

  void rebuild(const std::vector<size_t>& chosen, int night) {
    events_.has_code[static_cast<size_t>(night)] = true;
    for (const size_t row : chosen) {
      for (size_t t = static_cast<size_t>(night); t < nights(); ++t) ++events_.builds[row][t];
    }
  }

  void add(std::vector<double>& values, int from, int to, double value) const {
    for (int t = from; t < std::min(to, events_.nights); ++t)
      values[static_cast<size_t>(t)] += value;
  }

  /// One row or up to 40, near each other or anywhere, small sets more often.
  std::vector<size_t> some_of(const std::vector<size_t>& all) {
    const double drawn = std::exp(draws_.between(0, std::log(40.49)));
    const size_t count = std::min(all.size(), static_cast<size_t>(std::lround(drawn)));
    std::vector<size_t> chosen;
    const std::vector<size_t> order = draws_.shuffled(all.size());
    const size_t begin = draws_.below(all.size());
    const bool is_near = draws_.happens(0.5);
    for (size_t i = 0; i < count; ++i) {
      chosen.push_back(all[is_near ? (begin + i) % all.size() : order[i]]);
    }
    return chosen;
  }

  void draw_changes() {
    for (int i = 0; i < size_.changes; ++i) {
      const int night = draws_.night(20, events_.nights - 5);
      const bool is_library = draws_.happens(0.35);
      const std::vector<size_t>& all = of_engine_[is_library ? kLibrary : kKernels];
      const std::vector<size_t> moved = some_of(all);
      const double size = std::exp(draws_.between(std::log(0.02), std::log(0.20)));
      const double sign = draws_.happens(0.6) ? 1 : -1;
      TrueChange change{night, kYearEngines[is_library ? kLibrary : kKernels].name, {}};
      for (const size_t row : moved) {
        const double effect = std::log1p(sign * size * draws_.between(0.7, 1.3));
        change.effects[static_cast<int>(row)] = effect;
        add(events_.code[row], night, events_.nights, effect);
      }
      rebuild(is_library ? all : moved, night);
      events_.changes.push_back(std::move(change));
    }
  }

  void draw_rebuilds() {
    for (int night = 1; night < events_.nights; ++night) {
      if (!events_.has_code[static_cast<size_t>(night)]) continue;
      if (draws_.happens(noise_.kernel_rebuilds)) rebuild(some_of(of_engine_[kKernels]), night);
      if (draws_.happens(noise_.library_rebuilds)) rebuild(of_engine_[kLibrary], night);
    }
  }

  double log_ms(size_t row, size_t night) const {
    return std::log(events_.rows[row].base_ms) + events_.code[row][night];
  }

  void draw_fusions() {
    for (const Fusion& fusion : fusions_) {
      rebuild({fusion.first, fusion.second}, fusion.night);
      const auto night = static_cast<size_t>(fusion.night);
      if (fusion.kind == Fusion::Kind::kMove) {
        const double share = draws_.between(0.15, 0.40);
        const double moved = share * std::exp(log_ms(fusion.first, night));
        const double gain = std::log1p(moved / std::exp(log_ms(fusion.second, night)));
        add(events_.code[fusion.first], fusion.night, events_.nights, std::log1p(-share));
        add(events_.code[fusion.second], fusion.night, events_.nights, gain);
        continue;
      }
      const bool is_merge = fusion.kind == Fusion::Kind::kMerge;
      for (size_t t = 0; t < nights(); ++t) {
        double ms = std::exp(log_ms(fusion.first, t));
        if (is_merge) ms += std::exp(log_ms(fusion.second, t));
        events_.code[fusion.made][t] = std::log(ms / events_.rows[fusion.made].base_ms);
        events_.builds[fusion.made][t] =
            events_.builds[fusion.first][t] + events_.builds[fusion.second][t];
      }
      move_effects(fusion);
    }
  }

  /// A change that meets a unit after its fusion moves the fused one.
  void move_effects(const Fusion& fusion) {
    for (TrueChange& change : events_.changes) {
      if (change.night < fusion.night) continue;
      size_t found = change.effects.erase(static_cast<int>(fusion.first));
      if (fusion.kind == Fusion::Kind::kMerge) {
        found += change.effects.erase(static_cast<int>(fusion.second));
      }
      if (found == 0) continue;
      const auto night = static_cast<size_t>(change.night);
      const std::vector<double>& code = events_.code[fusion.made];
      change.effects[static_cast<int>(fusion.made)] = code[night] - code[night - 1];
    }
  }

  void draw_boundaries() {
    std::vector<int> at;
    while (at.size() < 5) {
      const int night = draws_.night(35, std::max(events_.nights - 20, 36 + 5 * 20));
      const auto is_near = [&](int other) { return std::abs(night - other) < 20; };
      if (std::ranges::none_of(at, is_near)) at.push_back(night);
    }
    std::sort(at.begin(), at.begin() + 3);
    events_.environment = line(0);
    events_.method = line(0);
    for (size_t i = 0; i < at.size(); ++i) {
      std::vector<int>& names = i < 3 ? events_.environment : events_.method;
      for (int t = at[i]; t < events_.nights; ++t) ++names[static_cast<size_t>(t)];
      double shift = 0.03 * draws_.normal();
      for (size_t row = 0; row < rows(); ++row) {
        const bool is_first = row == 0 || events_.rows[row].engine != events_.rows[row - 1].engine;
        if (i < 3 && is_first) shift = 0.04 * draws_.normal();
        const double own = (i < 3 ? 0.015 : 0.020) * draws_.normal();
        add(events_.outside[row], at[i], events_.nights, shift + own);
      }
      if (i == 2 && at[i] < events_.nights) {  // a compiler: everything of ours is built again
        rebuild(of_engine_[kKernels], at[i]);
        rebuild(of_engine_[kLibrary], at[i]);
      }
    }
  }

  void draw_slow_weeks() {
    for (int i = 0; i < 6; ++i) {
      const int night = draws_.night(15, events_.nights - 15);
      const int length = draws_.night(5, 11);
      const double size = std::log1p(draws_.between(0.02, 0.12));
      const double share = draws_.between(0.1, 0.5);
      const int engine = i < 3 ? static_cast<int>(draws_.below(2)) : -1;
      for (size_t row = 0; row < rows(); ++row) {
        if (engine >= 0 && events_.rows[row].engine != engine) continue;
        if (draws_.happens(share)) add(events_.outside[row], night, night + length, size);
      }
    }
  }

  void draw_layouts() {
    for (size_t row = 0; row < rows(); ++row) {
      if (events_.rows[row].series.is_control) continue;
      double luck = noise_.layout_sd * draws_.normal();
      for (size_t t = 0; t < nights(); ++t) {
        if (t > 0 && events_.builds[row][t] != events_.builds[row][t - 1]) {
          luck = noise_.layout_sd * draws_.normal();
        }
        events_.code[row][t] += luck;
      }
    }
  }

  const YearNoise& noise_;
  const YearSize& size_;
  Draws draws_;
  YearEvents events_;
  std::vector<size_t> of_engine_[4];
  std::vector<Fusion> fusions_;
};

}  // namespace

std::string YearEvents::hash(size_t row, int night) const {
  const YearRow& of = rows[row];
  const std::string what = of.engine == kKernels ? of.series.id : of.series.engine;
  const int build = builds[row][static_cast<size_t>(night)];
  return sha256(fmt::format("{}/{}/{}", seed, what, build)).substr(0, 8);
}

YearEvents draw_events(uint64_t seed, const YearNoise& noise, const YearSize& size) {
  return EventDrawer(seed, noise, size).draw();
}

}  // namespace opbench
