#include "codegen/machines.h"

#include <map>
#include <mutex>
#include <vector>

namespace cuttle::codegen {
namespace {

struct Shelf {
  std::mutex mutex;
  std::map<std::string, std::vector<std::unique_ptr<llvm::TargetMachine>>> machines;
};

Shelf& shelf() {
  static auto* instance = new Shelf;  // threads may still compile while the process exits
  return *instance;
}

}  // namespace

Machine::Machine(std::string name, const std::function<std::unique_ptr<llvm::TargetMachine>()>& make) : name_(std::move(name)) {
  {
    const std::lock_guard lock(shelf().mutex);
    auto& kept = shelf().machines[name_];
    if (!kept.empty()) {
      machine_ = std::move(kept.back());
      kept.pop_back();
    }
  }
  if (!machine_) machine_ = make();
}

void Machine::keep() && {
  const std::lock_guard lock(shelf().mutex);
  shelf().machines[name_].push_back(std::move(machine_));
}

}  // namespace cuttle::codegen
