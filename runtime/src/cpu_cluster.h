// Clusters of the CPU device: blocks that run together, each on a thread of its own, wait for each other and reach each other's shared memory.
#pragma once

#include <thread>  // GCC 12's <barrier> needs it

#include <array>
#include <barrier>
#include <cstdint>

#include "device_state.h"

namespace cuttle::detail {

/// One cluster of a launch, numbered as its blocks are: x runs fastest.
class Cluster {
 public:
  Cluster(const Geometry& geometry, std::uint64_t number);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// The number in the grid of the block with that rank in the cluster.
  [[nodiscard]] std::uint64_t block(std::uint32_t rank) const;

  /// Its index in the cluster.
  [[nodiscard]] std::array<std::uint32_t, 3> index(std::uint32_t rank) const;
  [[nodiscard]] const std::uint32_t* extents() const { return geometry_.cluster; }

  /// The block's shared memory is there, once all blocks have joined.
  void join(std::uint32_t rank, unsigned char* shared);
  void wait() { barrier_.arrive_and_wait(); }
  void leave() { barrier_.arrive_and_drop(); }
  [[nodiscard]] unsigned char* shared(std::uint32_t rank) const { return shared_[rank]; }

 private:
  const Geometry& geometry_;
  std::array<std::uint32_t, 3> first_;  // block
  std::uint32_t size_;
  std::barrier<> barrier_;
  std::array<unsigned char*, 16> shared_{};  // of each block; no cluster has more
};

/// While it lives, the block that runs on this thread is one of the cluster's. It waits for the others when it begins, so that they have shared
/// memory to be found in; a block that ends waits for nobody any more.
class ClusterMember {
 public:
  ClusterMember(Cluster& cluster, std::uint32_t rank, unsigned char* shared);
  ~ClusterMember();
  ClusterMember(const ClusterMember&) = delete;
  ClusterMember& operator=(const ClusterMember&) = delete;

 private:
  Cluster& cluster_;
};

// What compiled kernels call (dsl/device/grid.h); the first for one thread of each block. Outside of a launch with .cluster each block is a cluster.
void wait_for_cluster();
/// The block's rank, the number of blocks, the block's index in the cluster (2 to 4), the cluster's extents (5 to 7).
[[nodiscard]] std::uint32_t cluster_fact(std::uint32_t which);
/// What lies at `address` of this block's shared memory, in that of another block.
[[nodiscard]] void* cluster_shared_address(void* address, std::uint32_t rank);

}  // namespace cuttle::detail
