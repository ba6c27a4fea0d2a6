# What src/machine/facts/build_info.cpp tells about this build. The commit is read at every build, by a
# script that rewrites its header only when the answer changed.
set(git_state_header ${PROJECT_BINARY_DIR}/generated/git_state.h)
add_custom_target(opbench_git_state
  COMMAND ${CMAKE_COMMAND} -DHEADER=${git_state_header} -DSOURCE=${PROJECT_SOURCE_DIR}
          -P ${CMAKE_CURRENT_LIST_DIR}/git_state.cmake
  BYPRODUCTS ${git_state_header}
  COMMENT "")
add_dependencies(opbench_machine_facts opbench_git_state)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}} -std=c++${CMAKE_CXX_STANDARD}"
       compiler_flags)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/machine/facts/build_info.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/generated
  COMPILE_DEFINITIONS "OPBENCH_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";\
OPBENCH_COMPILER_FLAGS=\"${compiler_flags}\";OPBENCH_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")

# Engine executables take topology and pinning from this room. Without what tells the commit they are the same
# program at every commit that does not change them, and so is the hash of what they run.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/machine/facts/environment.cpp
                            ${PROJECT_SOURCE_DIR}/src/machine/facts/software_facts.cpp
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# The measured loops are fast in every build type, and GCC contracts a * b + c also where no
# intrinsic asks for it.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/machine/ceilings/ceiling_kernels.cpp PROPERTIES
  COMPILE_OPTIONS "-O2;-ffp-contract=fast" SKIP_PRECOMPILE_HEADERS ON)
