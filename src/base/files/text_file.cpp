#include "base/files/text_file.h"

#include <array>

#include "base/files/file.h"
#include "base/text/shell_word.h"

namespace opbench {
namespace {

struct WideMark {
  std::string_view bytes;
  const char* encoding;
};

/// The longer ones first: that of UTF-32 begins as that of UTF-16.
constexpr std::array<WideMark, 4> kWideMarks = {{{std::string_view("\xff\xfe\0\0", 4), "UTF-32"},
                                                 {std::string_view("\0\0\xfe\xff", 4), "UTF-32"},
                                                 {std::string_view("\xff\xfe", 2), "UTF-16"},
                                                 {std::string_view("\xfe\xff", 2), "UTF-16"}}};

}  // namespace

size_t utf8_mark_bytes(std::string_view begin) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return begin.starts_with(kMark) ? kMark.size() : 0;
}

Result<void> check_encoding(std::string_view begin, const std::string& path) {
  for (const WideMark& mark : kWideMarks) {
    if (!begin.starts_with(mark.bytes)) continue;
    return Error{ErrorCode::kInvalidInput,
                 "\"" + path + "\" is text in " + mark.encoding + ", which is not read"}
        .with("convert it", std::string("iconv -f ") + mark.encoding + " -t UTF-8 " +
                                shell_word(path) + " > FILE");
  }
  return {};
}

Result<std::string> read_text_file(const std::filesystem::path& path) {
  OPBENCH_TRY(std::string text, read_file(path));
  OPBENCH_CHECK(check_encoding(text, path.string()));
  text.erase(0, utf8_mark_bytes(text));
  return text;
}

}  // namespace opbench
