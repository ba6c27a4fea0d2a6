#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "base/files/file.h"

namespace opbench {

/// tests/servers/model_server.mjs on a folder of its own, as long as this object lives.
class ModelServer {
 public:
  ModelServer() {
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    if (::pipe2(input.data(), O_CLOEXEC) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0) return;
    const std::string script = OPBENCH_TEST_FIXTURES "/../servers/model_server.mjs";
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(input[0], STDIN_FILENO);
      ::dup2(output[1], STDOUT_FILENO);
      ::execlp("node", "node", script.c_str(), folder_->path().c_str(), nullptr);
      ::_exit(127);
    }
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    std::array<char, 32> text{};
    if (::read(output[0], text.data(), text.size() - 1) > 0) port_ = std::atoi(text.data());
    ::close(output[0]);
  }
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;
  ~ModelServer() {
    ::close(input_);
    int status = 0;
    if (pid_ > 0) ::waitpid(pid_, &status, 0);
  }

  /// False where there is no node.
  bool is_there() const { return port_ > 0; }

  /// Adds a file to serve.
  void add(const std::string& name, const std::string& content) const {
    ASSERT_TRUE(write_file(folder_->path() / name, content));
  }

  /// `http://127.0.0.1:PORT/` and the path.
  std::string url(const std::string& path) const {
    return fmt::format("http://127.0.0.1:{}/{}", port_, path);
  }

  /// The requests so far, `PATH RANGE` with `-` for no range, joined by `;`.
  std::string requests() const {
    std::string text = read_file(folder_->path() / "requests.log").value_or("");
    if (!text.empty()) text.pop_back();
    std::ranges::replace(text, '\n', ';');
    return text;
  }

 private:
  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
  int port_ = 0;
  int pid_ = -1;
  int input_ = -1;  ///< the server ends when this is closed
};

}  // namespace opbench
