// Every environment variable that libcuttle reads, in one place. docs/environment.md is the same list for users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cuttle::environment {

/// Value of the variable, or empty where it is unset. What cannot be a variable's value is ignored, with a line on stderr that says what can.
[[nodiscard]] std::string default_device();               // CUTTLE_DEFAULT_DEVICE: cpu, cuda, cuda:1
[[nodiscard]] std::string dump_directory();               // CUTTLE_DUMP: a folder for each compilation's source, IR, PTX and cubin
[[nodiscard]] bool check_is_on();                         // CUTTLE_CHECK: 1 for kernels that find their mistakes
[[nodiscard]] std::string compiler_library();             // CUTTLE_COMPILER: path of libcuttle-compiler.so
[[nodiscard]] std::string driver_library();               // CUTTLE_DRIVER: path of libcuda.so.1
[[nodiscard]] bool cache_is_off();                        // CUTTLE_CACHE: 0 turns the cache on disk off
[[nodiscard]] std::string cache_directory();              // CUTTLE_CACHE_DIR: where compiled kernels are kept
[[nodiscard]] std::optional<std::uint64_t> cache_size();  // CUTTLE_CACHE_SIZE: the most bytes to keep, as 500M or 2G
[[nodiscard]] std::string user_cache_directory();         // XDG_CACHE_HOME
[[nodiscard]] std::string home_directory();               // HOME
[[nodiscard]] bool log_is_on();                           // CUTTLE_LOG: info for a line on stderr about each compilation, cache hit and load
[[nodiscard]] bool progress_is_off();                     // CUTTLE_PROGRESS: 0 for no line on the terminal while a compilation takes long
[[nodiscard]] std::string bundle();                       // CUTTLE_BUNDLE: a file of entries, from `cuttle cache bundle`
[[nodiscard]] std::string include_path();                 // CUTTLE_INCLUDE_PATH: folders, colons between, of headers that CUTTLE_DEVICE_HEADER names
[[nodiscard]] std::string libdevice();                    // CUTTLE_LIBDEVICE: path of libdevice.10.bc
[[nodiscard]] std::string cuda_home();                    // CUDA_HOME, and
[[nodiscard]] std::string cuda_path();                    // CUDA_PATH: a CUDA toolkit, which has one

}  // namespace cuttle::environment
