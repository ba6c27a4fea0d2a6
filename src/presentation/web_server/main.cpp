#include <fmt/format.h>
#include <malloc.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <iterator>
#include <thread>

#include "base/errors/error.h"
#include "machine/facts/build_info.h"
#include "presentation/access/web_settings.h"
#include "presentation/web/compare/kept_pairs.h"
#include "presentation/web/requests/answer_cache.h"
#include "presentation/web/site/site_export.h"
#include "presentation/web/view.h"
#include "presentation/web_server/web_server.h"

namespace opbench {
namespace {

/// Reads new parts as they come, until the program ends.
class StoreReader {
 public:
  explicit StoreReader(WebStore& store)
      : thread_([&store](const std::stop_token& stop) { read(store, stop); }) {}

 private:
  static void read(WebStore& store, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kBetween{2000}, kLook{50};
    std::string last_fault;
    while (!stop.stop_requested()) {
      const auto read = store.refresh();
      const std::string fault = read ? "" : to_text(read.error());
      if (!fault.empty() && fault != last_fault) std::cerr << fault;
      last_fault = fault;
      for (auto waited = kLook; waited < kBetween && !stop.stop_requested(); waited += kLook) {
        std::this_thread::sleep_for(kLook);
      }
    }
  }

  std::jthread thread_;
};

Result<void> export_pages(const WebSettings& settings, WebStore& store) {
  OPBENCH_CHECK(store.refresh());
  OPBENCH_TRY(const BundleFiles files, read_bundle(settings.bundle));
  OPBENCH_TRY(const SiteExport site,
              export_site(store, build_info().version, files, settings.export_folder));
  if (settings.is_quiet) return {};
  std::cerr << fmt::format("{} files, {:.1f} MB, in {}\n", site.files,
                           static_cast<double>(site.bytes) / 1e6, settings.export_folder);
  for (const std::string& sentence : site.left_out) std::cerr << "left out: " << sentence << "\n";
  return {};
}

Result<void> serve_pages(const WebSettings& settings, WebStore& store) {
  OPBENCH_TRY(BundleFiles files, read_bundle(settings.bundle));
  const std::string version = build_info().version;
  AnswerCache answers;
  KeptPairs pairs;
  WebServer server({settings.address, settings.port, settings.token}, std::move(files),
                   [&](const std::string& path, const WebRequest& request) {
                     return answer_to(
                         path,
                         {.store = store, .answers = &answers, .pairs = &pairs, .version = version},
                         request);
                   });
  OPBENCH_CHECK(server.bind());
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const std::jthread waiter([&] {
    int signal = 0;
    sigwait(&ends, &signal);
    server.stop();
  });
  const StoreReader reader(store);
  std::cout << url_of(server.rules()) << std::endl;
  server.run();
  kill(getpid(), SIGTERM);  // lets the waiter end, whatever ended the server
  return {};
}

Result<void> run_web() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  OPBENCH_TRY(const WebSettings settings, web_settings_of(text));
  OPBENCH_TRY(const auto store, WebStore::open(settings.store));
  if (!settings.export_folder.empty()) return export_pages(settings, *store);
  return serve_pages(settings, *store);
}

}  // namespace
}  // namespace opbench

/// Started by `opbench web`, which hands the settings over on stdin.
int main() {
  // A pool of memory for each thread would keep what its largest answer took.
  mallopt(M_ARENA_MAX, 2);
  const auto done = opbench::run_web();
  if (done) return 0;
  std::cerr << opbench::to_text(done.error());
  return static_cast<int>(done.error().code);
}
