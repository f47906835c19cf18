#include "cpu_cluster.h"

namespace cuttle::detail {
namespace {

thread_local Cluster* cluster_of_this_thread = nullptr;
thread_local std::uint32_t rank_of_this_thread = 0;

}  // namespace

Cluster::Cluster(const Geometry& geometry, std::uint64_t number)
    : geometry_(geometry), size_(static_cast<std::uint32_t>(geometry.cluster_size())), barrier_(geometry.cluster_size()) {
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t along = geometry.grid[i] / geometry.cluster[i];
    first_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(number % along) * geometry.cluster[i];
    number /= along;
  }
}

std::array<std::uint32_t, 3> Cluster::index(std::uint32_t rank) const {
  const std::uint32_t* extents = geometry_.cluster;
  return {rank % extents[0], rank / extents[0] % extents[1], rank / extents[0] / extents[1]};
}

std::uint64_t Cluster::block(std::uint32_t rank) const {
  const auto in_cluster = index(rank);
  const std::uint64_t row = std::uint64_t{first_[2] + in_cluster[2]} * geometry_.grid[1] + first_[1] + in_cluster[1];
  return row * geometry_.grid[0] + first_[0] + in_cluster[0];
}

void Cluster::join(std::uint32_t rank, unsigned char* shared) {
  shared_[rank] = shared;
  wait();
}

ClusterMember::ClusterMember(Cluster& cluster, std::uint32_t rank, unsigned char* shared) : cluster_(cluster) {
  cluster_of_this_thread = &cluster;
  rank_of_this_thread = rank;
  cluster.join(rank, shared);
}

ClusterMember::~ClusterMember() {
  cluster_of_this_thread = nullptr;
  rank_of_this_thread = 0;
  cluster_.leave();
}

void wait_for_cluster() {
  if (cluster_of_this_thread) cluster_of_this_thread->wait();
}

std::uint32_t cluster_fact(std::uint32_t which) {
  const Cluster* cluster = cluster_of_this_thread;
  if (which == 0) return rank_of_this_thread;
  if (which == 1) return cluster ? cluster->size() : 1;
  if (which < 5) return cluster ? cluster->index(rank_of_this_thread)[which - 2] : 0;
  return cluster ? cluster->extents()[which - 5] : 1;
}

void* cluster_shared_address(void* address, std::uint32_t rank) {
  const Cluster* cluster = cluster_of_this_thread;
  if (!cluster) return address;
  return cluster->shared(rank) + (static_cast<unsigned char*>(address) - cluster->shared(rank_of_this_thread));
}

}  // namespace cuttle::detail
