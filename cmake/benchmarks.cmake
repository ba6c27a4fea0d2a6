# benchmarks/NAME/bench_NAME.cpp defines bench_NAME_main(), the program of `./dev bench NAME`; the other files of the
# folder are its parts. A subfolder holds a program of its own. benchmarks/common has what several share.
# `./dev bench` compiles and links one of them; everyone else only compiles all of them, joined, so that they do not rot.
set(benchmarks_root ${PROJECT_BINARY_DIR}/include/of_benchmarks)  # holds one link: includes name the path from here
file(MAKE_DIRECTORY ${benchmarks_root})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/benchmarks ${benchmarks_root}/benchmarks SYMBOLIC)
file(GLOB common_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/common/*.cpp)
add_library(benchmark_parts STATIC EXCLUDE_FROM_ALL ${common_parts})
target_link_libraries(benchmark_parts PUBLIC opbench_presentation_cli PRIVATE DNNL::dnnl OpenMP::OpenMP_CXX)
target_include_directories(benchmark_parts PUBLIC ${benchmarks_root})
set(benchmark_definitions OPBENCH_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data"
    OPBENCH_LAUNCHER="${PROJECT_SOURCE_DIR}/opbench")
file(GLOB benchmarks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*/bench_*.cpp)
foreach(source IN LISTS benchmarks)
  get_filename_component(function ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/*.cpp)
  string(REPLACE "_" "-" name ${function})
  set(main ${PROJECT_BINARY_DIR}/generated/${function}_main.cpp)
  file(CONFIGURE OUTPUT ${main} @ONLY CONTENT "int ${function}_main(int argc, char** argv);
int main(int argc, char** argv) { return ${function}_main(argc, argv); }
")
  add_executable(${name} EXCLUDE_FROM_ALL ${parts} ${main})
  target_link_libraries(${name} PRIVATE benchmark_parts)
  target_compile_options(${name} PRIVATE ${OPBENCH_HOT_FLAGS})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)  # for kernels that are loaded into it
  add_dependencies(${name} opbench)
  target_compile_definitions(${name} PRIVATE ${benchmark_definitions})
endforeach()
# What some need beside it.
target_link_libraries(bench-store-kills PRIVATE store_kills)
target_link_libraries(bench-tune-kills PRIVATE tune_kills)
target_link_libraries(bench-compile PRIVATE kernel_harness)
target_link_libraries(bench-predict PRIVATE opbench_prediction_few_shot opbench_prediction_zero_shot opbench_prediction_analysis)
target_link_libraries(bench-web PRIVATE opbench_presentation_web)
# Reads the texts of kernels as their tests do.
target_link_libraries(bench-devices PRIVATE kernel_harness)
# The simulated machine of the tests.
target_include_directories(bench-verdicts PRIVATE tests/unit/experiments/compare tests/unit/measuring/sampling)
# What tests draw and search too.
target_include_directories(bench-together PRIVATE tests/unit/planning/graphs
                           tests/unit/planning/planners tests/unit/planning/place
                           tests/unit/planning/serve)
# Calls ONNX Runtime itself.
target_sources(bench-engines PRIVATE src/engines/onnxruntime/runtime.cpp
               src/engines/onnxruntime/runtime_api.cpp src/engines/onnxruntime/element_types.cpp)
target_include_directories(bench-engines PRIVATE ${PROJECT_BINARY_DIR}/include/engine_onnxruntime)
# Compiles schedules in its own way.
target_link_libraries(bench-symbolic PRIVATE kernel_harness Halide::linked)

# Kernels of the workloads that one names, for decisions about schedules.
add_executable(kernel-bench EXCLUDE_FROM_ALL benchmarks/kernel_bench/kernel_bench.cpp benchmarks/common/dnnl_peers.cpp)
target_link_libraries(kernel-bench PRIVATE kernel_harness DNNL::dnnl OpenMP::OpenMP_CXX)
target_include_directories(kernel-bench PRIVATE ${benchmarks_root})
set_target_properties(kernel-bench PROPERTIES ENABLE_EXPORTS ON)

# A process of its own for what Halide's autoschedulers make of a kernel: they may end it.
file(GLOB duel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/kernels/autoscheduled/*.cpp)
add_executable(autoscheduled-duel EXCLUDE_FROM_ALL ${duel_sources} benchmarks/kernels/operand_reads.cpp)
target_include_directories(autoscheduled-duel PRIVATE ${benchmarks_root})
target_link_libraries(autoscheduled-duel PRIVATE kernel_harness opbench_experiments_compare Halide::linked)
set_target_properties(autoscheduled-duel PROPERTIES ENABLE_EXPORTS ON)
get_filename_component(halide_folder ${OPBENCH_LIB_Halide14} DIRECTORY)
target_compile_definitions(autoscheduled-duel PRIVATE
  OPBENCH_HALIDE_PLUGINS="${halide_folder}/halide14")
add_dependencies(bench-kernels autoscheduled-duel)

# What `./dev build` and `./dev test` compile of all benchmarks: no program comes of it.
file(GLOB_RECURSE benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cpp)
list(FILTER benchmark_sources EXCLUDE REGEX "/(autoscheduled_duel|kernel_bench)\\.cpp$")  # have a main() of their own
add_library(benchmarks_compiled OBJECT ${benchmark_sources})
target_link_libraries(benchmarks_compiled PRIVATE opbench_presentation_cli opbench_prediction_few_shot
  opbench_prediction_zero_shot opbench_prediction_analysis opbench_presentation_web
  store_kills tune_kills kernel_harness Halide::linked DNNL::dnnl OpenMP::OpenMP_CXX)
target_include_directories(benchmarks_compiled PRIVATE ${benchmarks_root}
  tests/unit/experiments/compare tests/unit/measuring/sampling
  tests/unit/planning/graphs tests/unit/planning/planners tests/unit/planning/place tests/unit/planning/serve
  ${PROJECT_BINARY_DIR}/include/engine_onnxruntime)
target_compile_definitions(benchmarks_compiled PRIVATE ${benchmark_definitions}
  OPBENCH_HALIDE_PLUGINS="${halide_folder}/halide14")
target_compile_options(benchmarks_compiled PRIVATE ${OPBENCH_COLD_FLAGS})
target_precompile_headers(benchmarks_compiled PRIVATE <fmt/format.h> <nlohmann/json.hpp> <string> <vector>)
opbench_join(benchmarks_compiled)
