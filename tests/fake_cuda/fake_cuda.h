#pragma once

#include <cstddef>
#include <string>

// A CUDA driver of our own for tests. Its memory is the host's, its clock goes on with what it is
// given, and its kernels compute nothing. It checks what a driver checks: handles, ranges of
// copies, entries of modules, limits of a launch. The environment tells it what to be:
//
// FAKE_CUDA_DEVICES=N      so many devices (1)
// FAKE_CUDA_ARCH=75        their compute capability
// FAKE_CUDA_INIT=CODE      the answer of cuInit
// FAKE_CUDA_CRASH=1        cuInit ends the process
// FAKE_CUDA_REFUSES=N      the attribute that devices do not tell
// FAKE_CUDA_MEMORY=BYTES   of a device
// FAKE_CUDA_FAULT=N:CODE   the Nth call after cuInit fails; codes that end a context end it
// FAKE_CUDA_LOG=FILE       gets a line for each module, launch, copy and failure

namespace fake_cuda {

int setting(const char* name, int otherwise);

/// Adds a line to the log, if there is one.
void log(const std::string& line);

/// Counts a call, and returns what it is answered with before it does anything: 0, the fault that
/// the environment asks for, or what has ended the context.
int begin_call(const char* name);

/// The calls so far.
int calls();

/// The device's clock, ms.
double now_ms();
void pass_ms(double ms);

}  // namespace fake_cuda
