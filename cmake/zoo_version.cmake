# Writes ${OUT} with zoo_version(): a hash over the sources of the built-in models in ${DIR}. Run by the
# build whenever one of them changes.
file(GLOB_RECURSE sources ${DIR}/*.cpp ${DIR}/*.h)
list(SORT sources)
set(text "")
foreach(source IN LISTS sources)
  file(SHA256 ${source} hash)
  string(APPEND text "${hash}\n")
endforeach()
string(SHA256 version "${text}")
string(SUBSTRING ${version} 0 12 version)
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "// Generated from the sources of src/model/zoo.
#include \"model/zoo/zoo.h\"
namespace opbench {
std::string zoo_version() { return \"${version}\"; }
}  // namespace opbench
")
