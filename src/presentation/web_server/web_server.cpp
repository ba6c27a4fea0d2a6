#include "presentation/web_server/web_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/files/file.h"

namespace opbench {
namespace {

using std::chrono::milliseconds;

constexpr size_t kThreads = 16;
constexpr size_t kMostBody = 4096;            // no request needs one
constexpr milliseconds kRequestTime{10'000};  // from its first byte to the last of the answer
constexpr milliseconds kIdleTime{2'000};      // between requests of one connection
constexpr int kRequestsOfConnection = 1000;
constexpr int kBadMethod = 405, kNotThere = 404, kSeeOther = 303;

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src "
    "'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const char* type_of(const std::string& name) {
  static const std::map<std::string, const char*> kTypes = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".woff2", "font/woff2"},
      {".json", "application/json"},
      {".txt", "text/plain; charset=utf-8"}};
  const auto found = kTypes.find(std::filesystem::path(name).extension().string());
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

AskingParty party_of(const httplib::Request& request) {
  return {.host = request.get_header_value("Host"),
          .origin = request.get_header_value("Origin"),
          .fetch_site = request.get_header_value("Sec-Fetch-Site"),
          .cookie = request.get_header_value("Cookie"),
          .authorization = request.get_header_value("Authorization"),
          .is_of_page = request.get_header_value("Sec-Fetch-Mode") == "navigate" &&
                        !request.path.starts_with("/api/")};
}

void send_answer(const WebAnswer& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_header("Cache-Control", "no-store");
  response.set_content(answer.body, answer.type);
}

bool poll_for(socket_t socket, short event, std::chrono::milliseconds time) {
  pollfd entry{.fd = socket, .events = event, .revents = 0};
  const auto wait = std::max<int64_t>(0, time.count());
  return poll(&entry, 1, static_cast<int>(wait)) > 0 && (entry.revents & (event | POLLHUP)) != 0;
}

/// A connection that is given so much time and so many bytes for each request: slow clients and
/// endless headers end.
class DeadlineStream : public httplib::Stream {
 public:
  static constexpr size_t kMostBytes = 64 * 1024;  ///< of a request

  explicit DeadlineStream(socket_t socket) : socket_(socket) {}

  /// A new request begins. The answer has as much time again, from its first byte on: what a view
  /// takes is not the client's fault.
  void begin(std::chrono::milliseconds time);

  /// Waits for a byte; false: none came within the time, or the other side has gone.
  bool wait_for_request(std::chrono::milliseconds time) const;

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, size_t size) override;
  ssize_t write(const char* data, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool wait(short event) const;

  socket_t socket_;
  std::chrono::steady_clock::time_point end_;
  std::chrono::milliseconds time_{0};
  bool is_answered_ = false;  ///< the answer has begun
  size_t bytes_left_ = 0;
  char buffer_[4096];
  size_t begin_ = 0, filled_ = 0;  ///< of the buffer: bytes that were received and not read
};

void DeadlineStream::begin(std::chrono::milliseconds time) {
  end_ = std::chrono::steady_clock::now() + time;
  time_ = time;
  is_answered_ = false;
  bytes_left_ = kMostBytes;
}

bool DeadlineStream::wait_for_request(std::chrono::milliseconds time) const {
  return begin_ < filled_ || poll_for(socket_, POLLIN, time);
}

bool DeadlineStream::wait(short event) const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      end_ - std::chrono::steady_clock::now());
  return left.count() > 0 && poll_for(socket_, event, left);
}

bool DeadlineStream::is_readable() const { return begin_ < filled_ || wait(POLLIN); }

bool DeadlineStream::is_writable() const {
  return is_answered_ ? wait(POLLOUT) : poll_for(socket_, POLLOUT, time_);
}

ssize_t DeadlineStream::read(char* data, size_t size) {
  if (begin_ == filled_) {
    if (!wait(POLLIN)) return -1;
    const ssize_t received = recv(socket_, buffer_, sizeof buffer_, 0);
    if (received <= 0) return received;
    begin_ = 0;
    filled_ = static_cast<size_t>(received);
  }
  const size_t taken = std::min({size, filled_ - begin_, bytes_left_});
  if (taken == 0) return -1;
  std::memcpy(data, buffer_ + begin_, taken);
  begin_ += taken;
  bytes_left_ -= taken;
  return static_cast<ssize_t>(taken);
}

ssize_t DeadlineStream::write(const char* data, size_t size) {
  if (!is_answered_) end_ = std::chrono::steady_clock::now() + time_;
  is_answered_ = true;
  if (!wait(POLLOUT)) return -1;
  return send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void DeadlineStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void DeadlineStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace

/// httplib with a limit of time and bytes on every request.
class WebServer::Listener : public httplib::Server {
 public:
  Listener() {
    new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    set_payload_max_length(kMostBody);
    // The library's own options let a second server take a port that is in use.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_tcp_nodelay(true);
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    DeadlineStream stream(socket);
    bool is_closed = false;
    for (int left = kRequestsOfConnection; left > 0 && !is_closed; --left) {
      if (!stream.wait_for_request(kIdleTime)) break;
      stream.begin(kRequestTime);
      bool has_body = false;
      const bool is_whole =
          process_request(stream, left == 1, is_closed, [&](httplib::Request& request) {
            // What is sent is small and goes to this machine: packing it would take longer.
            request.headers.erase("Accept-Encoding");
            request.headers.erase("Range");
            has_body = request.method != "GET" && request.method != "HEAD";
          });
      if (!is_whole || has_body) break;
    }
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return true;
  }
};

Result<BundleFiles> read_bundle(const std::string& folder) {
  BundleFiles files;
  std::error_code fault;
  const std::filesystem::path root(folder);
  for (std::filesystem::recursive_directory_iterator entry(root, fault), end;
       !fault && entry != end; entry.increment(fault)) {
    if (!entry->is_regular_file()) continue;
    OPBENCH_TRY(files[entry->path().lexically_relative(root).generic_string()],
                read_file(entry->path()));
  }
  if (files.contains("index.html")) return files;
  return Error{ErrorCode::kEnvironment, fmt::format("the pages are not built in \"{}\"", folder)}
      .with("run", "./dev web");
}

WebServer::WebServer(AccessRules rules, BundleFiles files, AnswerViews views)
    : rules_(std::move(rules)),
      files_(std::move(files)),
      views_(std::move(views)),
      listener_(std::make_unique<Listener>()) {
  listener_->set_default_headers({{"Content-Security-Policy", kPolicy},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"X-Frame-Options", "DENY"},
                                  {"Referrer-Policy", "no-referrer"},
                                  {"Cross-Origin-Resource-Policy", "same-origin"},
                                  {"Cross-Origin-Opener-Policy", "same-origin"}});
  // No patterns: every request is looked at here, and a long path meets no regular expression.
  listener_->set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        answer(request, response);
        return httplib::Server::HandlerResponse::Handled;
      });
}

WebServer::~WebServer() = default;

Result<void> WebServer::bind() {
  errno = 0;
  if (rules_.port == 0) {
    rules_.port = listener_->bind_to_any_port(rules_.address);
    if (rules_.port > 0) return {};
  } else if (listener_->bind_to_port(rules_.address, rules_.port)) {
    return {};
  }
  const int reason = errno;
  if (reason == EADDRINUSE || reason == EACCES) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("port {} of {} {}", rules_.port, rules_.address,
                             reason == EACCES ? "is not for this user" : "is in use")}
        .with("try", "--port 0, which takes a free one");
  }
  return invalid_input(
      fmt::format("cannot listen on \"{}\": it is no address of this machine", rules_.address));
}

void WebServer::run() { listener_->listen_after_bind(); }

void WebServer::stop() { listener_->stop(); }

void WebServer::answer(const httplib::Request& request, httplib::Response& response) const {
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    return send_answer(error_answer(kBadMethod, invalid_input("only GET and HEAD are taken")),
                       response);
  }
  AskingParty party = party_of(request);
  const bool brings_token = !rules_.token.empty() && request.has_param("token") &&
                            is_same_secret(request.get_param_value("token"), rules_.token);
  if (brings_token) party.authorization = "Bearer " + rules_.token;
  if (const auto refusal = refusal_of(rules_, party)) {
    return send_answer(error_answer(refusal->status, refusal->error), response);
  }
  if (brings_token) {
    // The token leaves the address line; a script never sees the cookie.
    response.set_header("Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                  kTokenCookie, rules_.token));
    response.set_header("Location", "/");
    response.status = kSeeOther;
    return;
  }
  constexpr std::string_view kViews = "/api/";
  if (request.path.starts_with(kViews)) {
    WebRequest::Parameters parameters;
    for (const auto& [name, value] : request.params) parameters.emplace_back(name, value);
    return send_answer(views_(request.path.substr(kViews.size()), WebRequest(parameters)),
                       response);
  }
  const std::string name = request.path == "/" ? "index.html" : request.path.substr(1);
  const auto file = files_.find(name);
  if (file == files_.end()) {
    return send_answer(error_answer(kNotThere, invalid_input("there is no such page")), response);
  }
  response.set_header("Cache-Control", "no-cache");
  response.set_content(file->second, type_of(name));
}

}  // namespace opbench
