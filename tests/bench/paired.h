// Paired measurement: two things are timed in turn, so that a change of the machine's speed meets both, and each pair gives one ratio.
#pragma once

#include <cstddef>
#include <vector>

namespace cuttle::bench {

/// A median with its 95 % confidence interval.
struct Median {
  double value, low, high;
};

/// By order statistics: no distribution is assumed. At least one sample.
[[nodiscard]] Median median_of(std::vector<double> samples);

/// Seconds of the monotonic clock, and of this process's threads together. The latter does not see what else runs on the machine.
[[nodiscard]] double wall_seconds();
[[nodiscard]] double cpu_seconds();

/// Samples of two things that were measured in turn; all in one unit.
struct Paired {
  std::vector<double> ours, theirs;

  void add(double our_sample, double their_sample);
  [[nodiscard]] std::size_t count() const { return ours.size(); }
  /// Median of ours[i] / theirs[i], and of ours[i] - theirs[i].
  [[nodiscard]] Median ratio() const;
  [[nodiscard]] Median difference() const;
};

}  // namespace cuttle::bench
