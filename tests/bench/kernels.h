// Kernels as text for two compilers: one body, under a lambda for cuttle and under a __global__ function for NVRTC.
#pragma once

#include <cuttle/cuttle.hpp>

#include <span>
#include <string>

namespace cuttle::bench {

struct KernelPair {
  const char* name;
  const detail::Signature* signature;  // parameter types of the lambda
  const char* lambda_parameters;
  const char* cuda_parameters;
  const char* body;

  /// The texts, with the constant `salt` in the body: another value makes another text, which no cache has seen.
  [[nodiscard]] std::string lambda(int salt) const;
  [[nodiscard]] std::string cuda(int salt) const;
  /// What the kernel is called in cuda().
  [[nodiscard]] std::string cuda_name(int salt) const;
};

[[nodiscard]] std::span<const KernelPair> kernel_pairs();

}  // namespace cuttle::bench
