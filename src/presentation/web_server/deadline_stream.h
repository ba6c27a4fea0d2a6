#pragma once

#include <httplib.h>

#include <chrono>

namespace opbench {

/// A connection that is given so much time and so many bytes for each request: slow clients and
/// endless headers end.
class DeadlineStream : public httplib::Stream {
 public:
  static constexpr size_t kMostBytes = 64 * 1024;  ///< of a request

  explicit DeadlineStream(socket_t socket) : socket_(socket) {}

  /// A new request begins.
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
  size_t bytes_left_ = 0;
  char buffer_[4096];
  size_t begin_ = 0, filled_ = 0;  ///< of the buffer: bytes that were received and not read
};

}  // namespace opbench
