#include "unreachable_pointers.h"

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

// Memory of another GPU to which this one has no access: neither peer access nor a pool's. Where the driver does not tell, the answer is no.
bool is_out_of_reach(const cuda::Driver& driver, int device, const char* address, int& home) {
  unsigned type = 0, access = 0;
  const auto pointer = reinterpret_cast<cuda::DevicePointer>(address);
  const auto ask = [&](void* value, cuda::PointerAttribute attribute) {
    return driver.cuPointerGetAttribute(value, attribute, pointer) == cuda::success;
  };
  return ask(&type, cuda::PointerAttribute::memory_type) && type == cuda::memory_type_device && ask(&home, cuda::PointerAttribute::device_ordinal) &&
         home != device && ask(&access, cuda::PointerAttribute::access_flags) && access == 0;
}

}  // namespace

UnreachablePointer::UnreachablePointer(std::size_t index, const std::string& which, const std::string& title, const std::string& reason)
    : LaunchError(which + " of kernel " + title + " points to " + reason), argument(index), kernel(title), why(reason) {}

void refuse_unreachable_pointers(const cuda::Driver& driver, const CudaMemory& memory, int device, const std::string& kernel,
                                 const Signature& signature, const void* const* arguments) {
  for (std::size_t i = 0; i < signature.count; ++i) {
    if (signature.parameters[i]->window == Window::none) continue;
    const char* address = nullptr;  // a view's first member
    std::memcpy(&address, arguments[i], sizeof(address));
    if (!address) continue;
    const auto refuse = [&](const std::string& why) { throw UnreachablePointer(i, "argument " + std::to_string(i + 1), kernel, why); };
    int home = device;
    if (is_out_of_reach(driver, device, address, home)) {
      refuse("memory of GPU " + std::to_string(home) + ", which GPU " + std::to_string(device) +
             " may not access. Copy it to the device of the launch, or launch under Use(Device::cuda(" + std::to_string(home) + ")).");
    }
    if (is_known(driver, address) || is_known(driver, address - 1)) continue;
    if (memory.was_freed(address)) refuse("the memory of an Array that was freed. Keep the Array until the launch.");
    if (can_be_read(address)) refuse("memory that only the host reaches. Pass an Array, its data(), or pinned or managed memory.");
  }
}

}  // namespace cuttle::detail
