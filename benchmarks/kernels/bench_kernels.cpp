// `./dev bench kernels`: our tuned kernels of the models' convolutions and dense layers, one by
// one, against oneDNN's own choice, its fastest algorithm, the machine's peak, and what Halide's
// autoschedulers make of the same anchor.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/kernels/duel.h"
#include "measuring/sampling/noise.h"

namespace opbench {
namespace {

/// Shapes of one comparison: they share what it costs to look at the machine and start engines.
constexpr size_t kShapesAtOnce = 6;

struct KernelsRequest {
  std::vector<KernelShape> shapes;
  std::vector<int> threads;
  std::vector<std::string> autoschedulers;
  bool has_onednn = false;
  int64_t trials = 0;
  double budget_s = 1;
  AutoschedulerOptions theirs;
  CacheMode cache = CacheMode::kHot;
  std::filesystem::path logs;
  std::filesystem::path results;

  std::vector<std::string> peers() const {
    std::vector<std::string> all = autoschedulers;
    if (has_onednn) all.insert(all.begin(), {kDefaultPeer, kBestPeer});
    return all;
  }
};

Result<void> check_words(const std::string& kind, const std::vector<std::string>& words,
                         const std::vector<std::string>& known) {
  for (const std::string& word : words) {
    if (std::ranges::find(known, word) == known.end()) return unknown_name(kind, word, known);
  }
  return {};
}

Result<std::vector<KernelShape>> shapes_of(const Arguments& arguments) {
  std::vector<std::string> sets = arguments.values("--set");
  std::vector<std::string> known_sets = {kModelsSet};
  known_sets.insert(known_sets.end(), extra_sets().begin(), extra_sets().end());
  OPBENCH_CHECK(check_words("set", sets, known_sets));
  const std::vector<std::string> families = arguments.values("--family");
  OPBENCH_CHECK(check_words("family", families, kernel_families()));
  std::vector<KernelShape> shapes;
  if (std::ranges::find(sets, kModelsSet) != sets.end()) {
    OPBENCH_TRY(shapes, model_shapes(arguments.values("--models")));
  }
  OPBENCH_TRY(const std::vector<KernelShape> extra, extra_shapes());
  shapes.insert(shapes.end(), extra.begin(), extra.end());
  std::erase_if(shapes, [&](const KernelShape& shape) {
    const bool has_set = std::ranges::find(sets, shape.set) != sets.end();
    const bool has_family =
        families.empty() || std::ranges::find(families, shape.family) != families.end();
    return !has_set || !has_family;
  });
  if (arguments.has("--shapes")) {
    OPBENCH_TRY(const int64_t most, arguments.integer("--shapes", 1));
    shapes.resize(std::min(shapes.size(), static_cast<size_t>(most)));
  }
  if (!shapes.empty()) return shapes;
  return Error{ErrorCode::kNoMatch, "no shape of these sets and families"};
}

Result<void> set_peers(const Arguments& arguments, KernelsRequest& request) {
  const std::vector<std::string> peers = arguments.values("--peers");
  std::vector<std::string> known = autoscheduler_peers();
  known.emplace_back(kBestPeer);
  OPBENCH_CHECK(check_words("peer", peers, known));
  for (const std::string& peer : peers) {
    if (peer == kBestPeer) {
      request.has_onednn = true;
    } else {
      request.autoschedulers.push_back(peer);
    }
  }
  return {};
}

Result<KernelsRequest> kernels_request_of(const Arguments& arguments) {
  KernelsRequest request;
  OPBENCH_CHECK(set_peers(arguments, request));
  OPBENCH_TRY(request.threads, arguments.integers("--threads", 1));
  OPBENCH_TRY(request.trials, arguments.integer("--trials", 0));
  OPBENCH_TRY(request.budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(const int64_t beam, arguments.integer("--beam", 1));
  request.theirs = {.threads = *std::ranges::max_element(request.threads),
                    .beam = static_cast<int>(std::min<int64_t>(beam, INT32_MAX)),
                    .objects = cache_folder() / "kernels" / "autoscheduled"};
  OPBENCH_TRY(const std::string cache,
              arguments.choice("--cache", {"hot", "cold-weights", "cold-all"}));
  request.cache = parse_cache_mode(cache).value_or(CacheMode::kHot);
  constexpr size_t kDigits = 12;  // trials say nothing of schedules that changed since
  request.logs = arguments.has("--log") ? std::filesystem::path(arguments.value("--log"))
                                        : cache_folder() / "kernels" /
                                              (schedule_version().substr(0, kDigits) + "-" + cache);
  OPBENCH_CHECK(make_writable_folder(request.logs));
  request.results = arguments.value("--results");
  OPBENCH_TRY(request.shapes, shapes_of(arguments));
  return request;
}

/// What is known so far, in memory and in the file.
class Results {
 public:
  static Result<Results> open(const std::filesystem::path& file) {
    Results results(file);
    if (!file.empty()) {
      OPBENCH_TRY(results.rows_, read_rows(file));
    }
    return results;
  }

  Result<void> add(KernelRow row) {
    row.schedules = schedule_version();
    rows_.push_back(std::move(row));
    return file_.empty() ? Result<void>() : append_file(file_, row_text(rows_.back()) + "\n");
  }

  const KernelRow* find(const KernelShape& shape, int threads, const std::string& peer) const {
    return find_row(rows_, shape, threads, peer);
  }

  /// The rows of what was asked for: a file may hold more.
  std::vector<KernelRow> of(const KernelsRequest& request) const {
    std::vector<KernelRow> rows;
    for (const KernelShape& shape : request.shapes) {
      for (const int threads : request.threads) {
        for (const std::string& peer : request.peers()) {
          if (const KernelRow* row = find(shape, threads, peer)) rows.push_back(*row);
        }
      }
    }
    return rows;
  }

 private:
  explicit Results(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::vector<KernelRow> rows_;
};

std::string head_line() {
  return fmt::format("{:<13} {:<11} {:<44} {:>3} {:>9} {:>8} {:>6}  {}", "set", "family", "shapes",
                     "thr", "ours_ms", "GFLOP/s", "peak",
                     "their time / ours [95 % interval] verdict on ours");
}

std::string peer_text(const KernelRow& row) {
  if (!row.ratio) return fmt::format("{} absent", row.peer);
  return fmt::format("{} {:.2f} [{:.2f}, {:.2f}] {}", row.peer, row.ratio->median, row.ratio->low,
                     row.ratio->high, row.verdict.empty() ? "no verdict" : row.verdict);
}

/// One line a shape and thread count.
void print_shape(const KernelShape& shape, int threads, const KernelsRequest& request,
                 const Results& results, const Report& report) {
  std::vector<std::string> peers;
  KernelRow ours;
  for (const std::string& peer : request.peers()) {
    const KernelRow* row = results.find(shape, threads, peer);
    if (row == nullptr) continue;
    if (ours.ours_ms == 0) ours = *row;
    peers.push_back(peer_text(*row));
  }
  const double peak = ours.peak_gflops > 0 ? 100 * ours.gflops / ours.peak_gflops : 0;
  report.note(fmt::format("{:<13} {:<11} {:<44} {:>3} {:>9.4f} {:>8.1f} {:>4.0f} %  {}; {} {}",
                          shape.set, shape.family, shape.shapes, threads, ours.ours_ms, ours.gflops,
                          peak, join(peers, "; "), ours.schedule,
                          ours.origin.empty() ? "default config" : ours.origin));
}

/// Some shapes of one target on so many threads.
class Contest {
 public:
  Contest(const KernelsRequest& request, int threads, Results& results)
      : request_(request), threads_(threads), results_(results) {}

  Result<void> run(std::span<const KernelShape> shapes) {
    for (const KernelShape& shape : shapes) {
      if (is_complete(shape)) continue;
      OPBENCH_TRY(KernelContender contender, contender(shape));
      contenders_.push_back(std::move(contender));
    }
    OPBENCH_CHECK(meet_engines());
    return meet_autoschedulers();
  }

 private:
  bool lacks(const KernelShape& shape, const std::string& peer) const {
    return results_.find(shape, threads_, peer) == nullptr;
  }

  bool is_complete(const KernelShape& shape) const {
    return std::ranges::none_of(request_.peers(),
                                [&](const std::string& peer) { return lacks(shape, peer); });
  }

  Result<KernelContender> contender(const KernelShape& shape) const {
    const auto log = tuning_log_of(shape, threads_, request_.logs);
    if (request_.trials > 0) {
      Report::progress(
          fmt::format("tune {} threads {}: {}", shape.target, threads_, shape.workload));
      const auto tuned = tune_shape(shape, threads_, request_.trials, request_.cache, log);
      if (!tuned) Report::progress("not tuned to the end: " + to_text(tuned.error()));
    }
    return contender_of(shape, threads_, log);
  }

  ContestOptions options() const {
    return {.threads = threads_, .budget_s = request_.budget_s, .cache = request_.cache};
  }

  Result<void> meet_engines() {
    if (!request_.has_onednn) return {};
    std::vector<KernelContender> missing;
    std::ranges::copy_if(contenders_, std::back_inserter(missing),
                         [&](const KernelContender& one) { return lacks(one.shape, kBestPeer); });
    if (missing.empty()) return {};
    OPBENCH_TRY(std::vector<KernelRow> rows, compare_with_engines(missing, options()));
    for (KernelRow& row : rows) {
      if (lacks(row.shape, row.peer)) OPBENCH_CHECK(results_.add(std::move(row)));
    }
    return {};
  }

  Result<void> meet_autoschedulers() {
    OPBENCH_CHECK(compile_ahead(contenders_, request_.autoschedulers, request_.theirs));
    for (const KernelContender& contender : contenders_) {
      for (const std::string& autoscheduler : request_.autoschedulers) {
        if (!lacks(contender.shape, autoscheduler)) continue;
        OPBENCH_CHECK(
            results_.add(duel_with(autoscheduler, contender, options(), request_.theirs)));
      }
    }
    return {};
  }

  const KernelsRequest& request_;
  int threads_;
  Results& results_;
  std::vector<KernelContender> contenders_;
};

/// The next shapes that one comparison can hold: of one target.
std::span<const KernelShape> next_shapes(std::span<const KernelShape> shapes) {
  size_t count = 1;
  while (count < std::min(kShapesAtOnce, shapes.size()) &&
         shapes[count].target == shapes.front().target) {
    ++count;
  }
  return shapes.first(count);
}

Result<void> run_kernels(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const KernelsRequest request, kernels_request_of(arguments));
  OPBENCH_TRY(Results results, Results::open(request.results));
  report.note(fmt::format("{} shapes, at most {} trials a schedule and thread count; logs in {}",
                          request.shapes.size(), request.trials, request.logs.string()));
  report.note(
      "oneDNN: each side in the layouts that it likes best, conversions left out; autoschedulers: "
      "the plain algorithm on NCHW, in one process with ours, both on the threads of its one pool");
  report.note(fmt::format(
      "autoschedulers arrange for {} threads, adams2019 with beam size {} (Halide's default: 32)",
      request.theirs.threads, request.theirs.beam));
  report.note(run_preflight().advice);
  report.note(head_line());
  for (std::span<const KernelShape> left = request.shapes; !left.empty();) {
    const std::span<const KernelShape> some = next_shapes(left);
    left = left.subspan(some.size());
    for (const int threads : request.threads) {
      OPBENCH_CHECK(Contest(request, threads, results).run(some));
      for (const KernelShape& shape : some) {
        print_shape(shape, threads, request, results, report);
      }
    }
  }
  const std::vector<KernelRow> rows = results.of(request);
  for (const std::string& line : kernel_summary(rows)) report.note(line);
  if (const int64_t older = count_of_others(rows, schedule_version()); older > 0) {
    report.note(
        fmt::format("{} of {} results were in {} before and are of other schedules than these",
                    older, rows.size(), request.results.string()));
  }
  for (const Bar& bar : kernel_bars(rows)) report.add(bar);
  return {};
}

std::vector<OptionDef> kernels_options() {
  return {
      {.name = "--models",
       .value_name = "NAME,…",
       .help = "of the zoo, whose shapes are taken",
       .otherwise = "resnet-50,mobilenet,squeezenet_v1.1,inception_v3,bert",
       .kind = OptionKind::kList},
      {.name = "--set",
       .value_name = "SET,…",
       .help = "models, odd-channels, batch, avx2",
       .otherwise = "models,odd-channels,batch,avx2",
       .kind = OptionKind::kList},
      {.name = "--family",
       .value_name = "FAMILY,…",
       .help = "only these: " + join(kernel_families()),
       .kind = OptionKind::kList},
      {.name = "--shapes", .value_name = "N", .help = "only the first N"},
      {.name = "--threads",
       .value_name = "N,…",
       .help = "thread counts",
       .otherwise = "1,2",
       .kind = OptionKind::kList},
      {.name = "--peers",
       .value_name = "PEER,…",
       .help = "onednn (its own choice and its fastest), adams2019, mullapudi2016",
       .otherwise = "onednn,adams2019,mullapudi2016",
       .kind = OptionKind::kList},
      {.name = "--trials",
       .value_name = "N",
       .help =
           "of each schedule for a shape and thread count, with its log's; 300 a shape at most; "
           "0: the default config",
       .otherwise = "16"},
      {.name = "--log",
       .value_name = "FOLDER",
       .help = "of tuning logs, which are gone on with; default: in the cache"},
      {.name = "--results",
       .value_name = "FILE",
       .help = "rows are appended to it as they come; what it holds is not measured again"},
      {.name = "--budget",
       .value_name = "SECONDS",
       .help = "to compare a shape with a peer",
       .otherwise = "1"},
      {.name = "--beam",
       .value_name = "N",
       .help = "width of the search of adams2019; Halide's own, 32, takes up to minutes a shape",
       .otherwise = "8"},
      {.name = "--cache",
       .value_name = "MODE",
       .help = "what calls of trials and of the comparison with oneDNN find: hot, cold-weights, "
               "cold-all",
       .otherwise = "hot"}};
}

}  // namespace
}  // namespace opbench

int bench_kernels_main(int argc, char** argv) {
  return opbench::run_benchmark({.name = "kernels",
                                 .summary = "tuned kernels against oneDNN and autoschedulers",
                                 .options = opbench::kernels_options(),
                                 .run = opbench::run_kernels},
                                argc, argv);
}
