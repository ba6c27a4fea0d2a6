# Writes ${OUT} with schedule_version(): a hash over the sources of schedules below ${DIR} and the
# Halide library ${HALIDE}. Run by the build whenever one of them changes.
file(GLOB_RECURSE sources ${DIR}/*.cpp ${DIR}/*.h ${DIR}/*.ll)
list(SORT sources)
file(REAL_PATH ${HALIDE} library)
file(SIZE ${library} bytes)
get_filename_component(name ${library} NAME)
set(text "${name} ${bytes}\n")
foreach(source IN LISTS sources)
  file(SHA256 ${source} hash)
  get_filename_component(name ${source} NAME)
  string(APPEND text "${name} ${hash}\n")
endforeach()
string(SHA256 version "${text}")
string(SUBSTRING ${version} 0 16 version)
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "// Generated from the sources of src/kernels/schedules.
#include \"kernels/schedules/schedule.h\"
namespace opbench {
std::string schedule_version() { return \"${version}\"; }
}  // namespace opbench
")
