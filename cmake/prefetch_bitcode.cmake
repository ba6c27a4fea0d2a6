# Writes ${OUT} with prefetch_bitcode(): the bytes of ${BITCODE}.
file(READ ${BITCODE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1, " bytes "${bytes}")
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "// Generated from src/schedule/prefetch.ll.
#include \"opbench/schedule/prefetch.h\"
namespace opbench {
const std::vector<uint8_t>& prefetch_bitcode() {
  static const std::vector<uint8_t> bytes = {${bytes}};
  return bytes;
}
}  // namespace opbench
")
