# Writes ${OUT} with ${NAME}_bitcode(), declared in src/${HEADER}: the bytes of ${BITCODE}.
file(READ ${BITCODE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1, " bytes "${bytes}")
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "// Generated from ${NAME}.ll.
#include \"${HEADER}\"
namespace opbench {
const std::vector<uint8_t>& ${NAME}_bitcode() {
  static const std::vector<uint8_t> bytes = {${bytes}};
  return bytes;
}
}  // namespace opbench
")
