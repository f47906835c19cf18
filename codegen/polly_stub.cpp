// Debian's LLVM refers to Polly from its pass builder; cuttle does not use Polly and answers for it with a plugin that does nothing.

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder&) {}, nullptr};
}
