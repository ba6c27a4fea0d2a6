#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/errors/error.h"
#include "presentation/access/access_rules.h"
#include "presentation/web/requests/view_answer.h"

namespace httplib {
struct Request;
struct Response;
}  // namespace httplib

namespace opbench {

/// Files of the front end by their names, read at the start: nothing else of the disk is served.
using BundleFiles = std::map<std::string, std::string>;

/// All files of the folder. `kEnvironment` where it has no index.html.
Result<BundleFiles> read_bundle(const std::string& folder);

/// Answers `api/PATH` requests.
using AnswerViews = std::function<WebAnswer(const std::string& path, const WebRequest& request)>;

/// The pages over HTTP.
class WebServer {
 public:
  WebServer(AccessRules rules, BundleFiles files, AnswerViews views);
  ~WebServer();

  /// Takes the port; 0: any. `kEnvironment` where another program has it, `kInvalidInput` for an
  /// address that is none of this machine.
  Result<void> bind();

  /// With the port that bind() took.
  const AccessRules& rules() const { return rules_; }

  /// Answers until stop().
  void run();
  void stop();

 private:
  class Listener;
  void answer(const httplib::Request& request, httplib::Response& response) const;

  AccessRules rules_;
  BundleFiles files_;
  AnswerViews views_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace opbench
