// Forks after the first use of a GPU. Exits with 0 where the child is told that the driver does not work in it, and computes right on the CPU
// device, compiled code of before the fork and new code alike.

#include <sys/wait.h>
#include <unistd.h>
#include <cuttle/cuttle.hpp>

#include <string>
#include <vector>

namespace {

auto add = CUTTLE_KERNEL([](auto x, auto a) { x[threadIdx.x] += a; });
auto scale = CUTTLE_KERNEL([](auto x, auto a) { x[threadIdx.x] *= a; });

int child() {
  try {
    const cuttle::Array<float> y({1});
    return 2;
  } catch (const cuttle::Error& error) {
    if (std::string(error.what()).find("forked") == std::string::npos) return 3;
  }
  const cuttle::Use use(cuttle::Device::cpu());
  cuttle::Array<float> x({1, 2, 3});
  add[{1, 3}](x, 1.0f);
  scale[{1, 3}](x, 2.0f);
  return x.to_vector() == std::vector<float>{4, 6, 8} ? 0 : 4;
}

}  // namespace

int main() {
  const cuttle::Array<float> on_the_gpu({1});
  {
    const cuttle::Use use(cuttle::Device::cpu());
    cuttle::Array<float> x({1});
    add[{1, 1}](x, 1.0f);
  }
  const pid_t pid = fork();
  if (pid == 0) _exit(child());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
