#include "presentation/web_server/deadline_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace opbench {
namespace {

bool poll_for(socket_t socket, short event, std::chrono::milliseconds time) {
  pollfd entry{.fd = socket, .events = event, .revents = 0};
  const auto wait = std::max<int64_t>(0, time.count());
  return poll(&entry, 1, static_cast<int>(wait)) > 0 && (entry.revents & (event | POLLHUP)) != 0;
}

}  // namespace

void DeadlineStream::begin(std::chrono::milliseconds time) {
  end_ = std::chrono::steady_clock::now() + time;
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

bool DeadlineStream::is_writable() const { return wait(POLLOUT); }

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

}  // namespace opbench
