#include "host_pointers.h"

#include <sys/uio.h>
#include <unistd.h>
#include <cstring>
#include <string>

namespace cuttle::detail {
namespace {

bool is_known(const cuda::Driver& driver, const char* address) {
  unsigned type = 0;
  return driver.cuPointerGetAttribute(&type, cuda::PointerAttribute::memory_type, reinterpret_cast<cuda::DevicePointer>(address)) !=
         cuda::error_invalid_value;
}

// Addresses of GPUs are reserved in the process and cannot be read by it. Where the system does not let us look, the answer is no.
bool can_be_read(const char* address) {
  char byte = 0;
  const iovec to{&byte, 1}, from{const_cast<char*>(address), 1};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1;
}

}  // namespace

HostPointer::HostPointer(std::size_t index, const std::string& which, const std::string& title)
    : LaunchError(which + " of kernel " + title +
                  " points to memory that only the host reaches. Pass an Array, its data(), or pinned or managed memory."),
      argument(index),
      kernel(title) {}

void refuse_host_pointers(const cuda::Driver& driver, const std::string& kernel, const Signature& signature, const void* const* arguments) {
  for (std::size_t i = 0; i < signature.count; ++i) {
    if (signature.parameters[i]->window == Window::none) continue;
    const char* address = nullptr;  // a view's first member
    std::memcpy(&address, arguments[i], sizeof(address));
    if (!address || is_known(driver, address) || is_known(driver, address - 1) || !can_be_read(address)) continue;
    throw HostPointer(i, "argument " + std::to_string(i + 1), kernel);
  }
}

}  // namespace cuttle::detail
