# Rooms in which runs spend time, and rooms in which they spend none. -O3 would compile the first kind a quarter
# longer; its loops over many elements come from the cost model.
set(OPBENCH_HOT_FLAGS -O2 -fvect-cost-model=dynamic)
set(OPBENCH_COLD_FLAGS -O1)

# The members of Json are compiled once, in room base: who includes this header takes them from there.
set(OPBENCH_JSON_INSTANCES ${PROJECT_BINARY_DIR}/generated/json_instances)
set(json_class "class nlohmann::basic_json<nlohmann::ordered_map>")
file(CONFIGURE OUTPUT ${OPBENCH_JSON_INSTANCES}.h @ONLY CONTENT "#pragma once
#include <nlohmann/json.hpp>
extern template ${json_class};
")
file(CONFIGURE OUTPUT ${OPBENCH_JSON_INSTANCES}.cpp @ONLY CONTENT "#include <nlohmann/json.hpp>
template ${json_class};
")

# Precompiled headers that rooms share. Each set of flags needs its own, and a library to own it.
function(opbench_common_headers name)
  set(source ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "" @ONLY)
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE opbench_flags)
  target_compile_options(${name} PRIVATE ${ARGN})
  target_precompile_headers(${name} PRIVATE ${OPBENCH_JSON_INSTANCES}.h <fmt/format.h> <algorithm> <chrono>
    <filesystem> <functional> <map> <memory> <optional> <set> <string> <utility> <vector>)
endfunction()
opbench_common_headers(opbench_headers ${OPBENCH_COLD_FLAGS})
opbench_common_headers(opbench_headers_hot ${OPBENCH_HOT_FLAGS})
