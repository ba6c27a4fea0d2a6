# benchmarks/bench_NAME.cpp defines bench_NAME_main(), the program of `./dev bench NAME`; the other files are what they
# share. `./dev bench` compiles and links one of them; everyone else only compiles all of them, joined, so that they
# do not rot.
add_library(benchmark_parts STATIC EXCLUDE_FROM_ALL
  benchmarks/benchmark.cpp benchmarks/program_run.cpp
  benchmarks/verdict_trials.cpp benchmarks/simulated_verdicts.cpp
  benchmarks/measured_verdicts.cpp benchmarks/exchanged_sides.cpp benchmarks/bursty_load.cpp
  benchmarks/dnnl_peers.cpp
  benchmarks/log_generator.cpp benchmarks/recorded_tasks.cpp
  benchmarks/kernel_shapes.cpp benchmarks/kernel_rows.cpp benchmarks/kernel_bars.cpp
  benchmarks/kernel_contender.cpp benchmarks/kernel_contest.cpp benchmarks/kernel_duel.cpp
  benchmarks/operand_reads.cpp)
target_link_libraries(benchmark_parts PUBLIC opbench_cli PRIVATE DNNL::dnnl OpenMP::OpenMP_CXX)
target_include_directories(benchmark_parts PRIVATE tests/unit/experiments/compare
                           tests/unit/measuring/sampling)  # the simulated machine
set(benchmark_definitions OPBENCH_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data"
    OPBENCH_LAUNCHER="${PROJECT_SOURCE_DIR}/opbench")
file(GLOB benchmarks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/bench_*.cpp)
foreach(source IN LISTS benchmarks)
  get_filename_component(function ${source} NAME_WE)
  string(REPLACE "_" "-" name ${function})
  set(main ${PROJECT_BINARY_DIR}/generated/${function}_main.cpp)
  file(CONFIGURE OUTPUT ${main} @ONLY CONTENT "int ${function}_main(int argc, char** argv);
int main(int argc, char** argv) { return ${function}_main(argc, argv); }
")
  add_executable(${name} EXCLUDE_FROM_ALL ${source} ${main})
  target_link_libraries(${name} PRIVATE benchmark_parts)
  target_compile_options(${name} PRIVATE ${OPBENCH_HOT_FLAGS})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)  # for kernels that are loaded into it
  add_dependencies(${name} opbench)
  target_compile_definitions(${name} PRIVATE ${benchmark_definitions})
endforeach()
target_link_libraries(bench-store-kills PRIVATE store_kills)
target_link_libraries(bench-tune-kills PRIVATE tune_kills)
target_link_libraries(bench-compile PRIVATE kernel_harness)
target_sources(bench-cliffs PRIVATE benchmarks/drawn_workloads.cpp benchmarks/drawn_products.cpp benchmarks/drawn_axes.cpp
  benchmarks/drawn_elements.cpp benchmarks/drawn_moves.cpp)
file(GLOB predict_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/predict_*.cpp)
target_sources(bench-predict PRIVATE ${predict_parts})
target_link_libraries(bench-predict PRIVATE opbench_few_shot opbench_zero_shot opbench_correlation)
# Its parts, and what their tests draw and search too.
file(GLOB together_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/together_*.cpp)
target_sources(bench-together PRIVATE ${together_parts})
target_include_directories(bench-together PRIVATE tests/unit/planning/graphs
                           tests/unit/planning/planners tests/unit/planning/placement
                           tests/unit/planning/serving)
# Calls ONNX Runtime itself.
target_sources(bench-engines PRIVATE benchmarks/plain_loops.cpp src/engines/onnxruntime/runtime.cpp
               src/engines/onnxruntime/runtime_api.cpp src/engines/onnxruntime/element_types.cpp)
target_include_directories(bench-engines PRIVATE ${PROJECT_BINARY_DIR}/include/engine_onnxruntime)
# Compiles schedules in its own way.
target_link_libraries(bench-symbolic PRIVATE kernel_harness Halide::linked)

# A process of its own for what Halide's autoschedulers make of a kernel: they may end it.
add_executable(autoscheduled-duel EXCLUDE_FROM_ALL benchmarks/autoscheduled_duel.cpp
               benchmarks/autoscheduled_kernel.cpp benchmarks/operand_reads.cpp)
target_link_libraries(autoscheduled-duel PRIVATE kernel_harness opbench_compare Halide::linked)
set_target_properties(autoscheduled-duel PROPERTIES ENABLE_EXPORTS ON)
get_filename_component(halide_folder ${OPBENCH_LIB_Halide14} DIRECTORY)
target_compile_definitions(autoscheduled-duel PRIVATE
  OPBENCH_HALIDE_PLUGINS="${halide_folder}/halide14")
add_dependencies(bench-kernels autoscheduled-duel)

# What `./dev build` and `./dev test` compile of all benchmarks: no program comes of it.
file(GLOB benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cpp)
list(FILTER benchmark_sources EXCLUDE REGEX "/(autoscheduled_duel|kernel_bench)\\.cpp$")  # have a main() of their own
add_library(benchmarks_compiled OBJECT ${benchmark_sources})
target_link_libraries(benchmarks_compiled PRIVATE opbench_cli opbench_few_shot opbench_zero_shot opbench_correlation
  store_kills tune_kills kernel_harness Halide::linked DNNL::dnnl OpenMP::OpenMP_CXX)
target_include_directories(benchmarks_compiled PRIVATE tests/unit/experiments/compare tests/unit/measuring/sampling
  tests/unit/planning/graphs tests/unit/planning/planners tests/unit/planning/placement tests/unit/planning/serving
  ${PROJECT_BINARY_DIR}/include/engine_onnxruntime)
target_compile_definitions(benchmarks_compiled PRIVATE ${benchmark_definitions}
  OPBENCH_HALIDE_PLUGINS="${halide_folder}/halide14")
target_compile_options(benchmarks_compiled PRIVATE ${OPBENCH_COLD_FLAGS})
target_precompile_headers(benchmarks_compiled PRIVATE <fmt/format.h> <nlohmann/json.hpp> <string> <vector>)
opbench_join(benchmarks_compiled)
