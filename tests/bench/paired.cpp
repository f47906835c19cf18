#include "paired.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace cuttle::bench {
namespace {

double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Median median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  const double middle = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  // The number of samples under the true median is binomial (n, 1/2); its normal approximation gives the ranks.
  const double half_width = 1.96 * std::sqrt(static_cast<double>(n)) / 2;
  const double centre = static_cast<double>(n - 1) / 2;
  const auto rank = [n](double r) { return static_cast<std::size_t>(std::clamp(r, 0.0, static_cast<double>(n - 1))); };
  return {middle, samples[rank(std::floor(centre - half_width))], samples[rank(std::ceil(centre + half_width))]};
}

double wall_seconds() { return seconds(CLOCK_MONOTONIC); }
double cpu_seconds() { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

void Paired::add(double our_sample, double their_sample) {
  ours.push_back(our_sample);
  theirs.push_back(their_sample);
}

Median Paired::ratio() const {
  std::vector<double> ratios(count());
  std::transform(ours.begin(), ours.end(), theirs.begin(), ratios.begin(), [](double a, double b) { return a / b; });
  return median_of(std::move(ratios));
}

Median Paired::difference() const {
  std::vector<double> differences(count());
  std::transform(ours.begin(), ours.end(), theirs.begin(), differences.begin(), [](double a, double b) { return a - b; });
  return median_of(std::move(differences));
}

}  // namespace cuttle::bench
