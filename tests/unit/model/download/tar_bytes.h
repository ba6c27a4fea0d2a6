#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace opbench {

/// One member of a tar file in the form of POSIX 1003.1-1988 (ustar). `type`: `0` a file, `1` a
/// hard link, `2` a symbolic link, `3` and `4` devices, `5` a folder, `6` a pipe.
struct TarMember {
  std::string name;
  std::string content = {};
  char type = '0';
  std::string link = {};
  int64_t size = -1;  ///< what the head says; -1: that of the content
};

inline std::string tar_bytes(const TarMember& member) {
  constexpr size_t kBlock = 512;
  std::string head(kBlock, '\0');
  const auto put = [&](size_t at, std::string_view text) { head.replace(at, text.size(), text); };
  const int64_t size = member.size < 0 ? static_cast<int64_t>(member.content.size()) : member.size;
  put(0, member.name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(148, "        ");
  put(156, std::string(1, member.type));
  put(157, member.link);
  put(257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  head[154] = '\0';
  const size_t padding = (kBlock - member.content.size() % kBlock) % kBlock;
  return head + member.content + std::string(padding, '\0');
}

/// The members, then the end of the archive.
template <class Members>
std::string tar_of(const Members& members) {
  std::string bytes;
  for (const TarMember& member : members) bytes += tar_bytes(member);
  return bytes + std::string(1024, '\0');
}

}  // namespace opbench
