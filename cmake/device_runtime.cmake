# Halide's runtime for kernels of a kind of device: an object that the build has Halide write, so that only
# engines of devices have it. Kernels are compiled without a runtime.
add_executable(make-device-runtime ${PROJECT_SOURCE_DIR}/src/engines/device_runtime/make_device_runtime.cpp)
target_include_directories(make-device-runtime SYSTEM PRIVATE ${OPBENCH_INCLUDE_Halide14})
target_link_libraries(make-device-runtime PRIVATE ${OPBENCH_LIB_Halide14})
foreach(device IN ITEMS opencl cuda)
  string(TOUPPER ${device} upper)
  set(OPBENCH_${upper}_RUNTIME ${PROJECT_BINARY_DIR}/generated/halide_${device}_runtime.o)
  add_custom_command(OUTPUT ${OPBENCH_${upper}_RUNTIME}
    COMMAND make-device-runtime ${device} ${OPBENCH_${upper}_RUNTIME} DEPENDS make-device-runtime VERBATIM)
endforeach()
