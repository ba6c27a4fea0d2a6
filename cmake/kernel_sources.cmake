# The room of schedules needs more than its C++ sources: a version for the keys of cached kernels, and
# code that Halide cannot make.
set(schedules ${PROJECT_SOURCE_DIR}/src/kernels/schedules)

# schedule_version() changes with every source of the room, in any folder of it, and with Halide.
file(GLOB_RECURSE schedule_sources CONFIGURE_DEPENDS
     ${schedules}/*.cpp ${schedules}/*.h ${schedules}/*.ll)
set(schedule_version ${PROJECT_BINARY_DIR}/generated/schedule_version.cpp)
add_custom_command(OUTPUT ${schedule_version}
  COMMAND ${CMAKE_COMMAND} -D DIR=${schedules} -D OUT=${schedule_version}
          -D HALIDE=${OPBENCH_LIB_Halide14} -P ${PROJECT_SOURCE_DIR}/cmake/schedule_version.cmake
  DEPENDS ${schedule_sources} ${PROJECT_SOURCE_DIR}/cmake/schedule_version.cmake VERBATIM)
target_sources(opbench_kernels_schedules PRIVATE ${schedule_version})

# Bitcode of the LLVM that Halide has.
find_program(OPBENCH_LLVM_AS llvm-as-14 REQUIRED)
file(GLOB_RECURSE bitcode_sources CONFIGURE_DEPENDS ${schedules}/*.ll)
foreach(bitcode_source IN LISTS bitcode_sources)
  get_filename_component(name ${bitcode_source} NAME_WE)
  # A header declares all variants of a function: nan_keeping.h that of nan_keeping_avx2.ll too.
  file(RELATIVE_PATH header ${PROJECT_SOURCE_DIR}/src ${bitcode_source})
  string(REGEX REPLACE "(_(avx2|avx512|bits))?\\.ll$" ".h" header ${header})
  set(bitcode ${PROJECT_BINARY_DIR}/generated/${name}_bitcode)
  add_custom_command(OUTPUT ${bitcode}.cpp
    COMMAND ${OPBENCH_LLVM_AS} -o ${bitcode}.bc ${bitcode_source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D HEADER=${header} -D BITCODE=${bitcode}.bc
            -D OUT=${bitcode}.cpp -P ${PROJECT_SOURCE_DIR}/cmake/bitcode.cmake
    DEPENDS ${bitcode_source} ${PROJECT_SOURCE_DIR}/cmake/bitcode.cmake VERBATIM)
  target_sources(opbench_kernels_schedules PRIVATE ${bitcode}.cpp)
endforeach()
set_source_files_properties(${schedules}/codegen/prefetch.cpp ${schedules}/codegen/replaced_variables.cpp
                            ${schedules}/codegen/device_code.cpp ${schedules}/codegen/dense_accumulators.cpp
                            ${schedules}/codegen/register_limit.cpp
                            PROPERTIES COMPILE_OPTIONS -fno-rtti SKIP_PRECOMPILE_HEADERS ON)

# Hides inline functions of Halide's header. An executable that exports them would offer them to
# libHalide, which calls them while it is loaded. The jumps lead nowhere then, and the program crashes.
target_compile_options(opbench_kernels_schedules PRIVATE -fvisibility-inlines-hidden)

# Reads Halide's header once: that takes a second.
target_precompile_headers(opbench_kernels_schedules PRIVATE <halide14/Halide.h>)
