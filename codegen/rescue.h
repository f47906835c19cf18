// Runs one compilation on a thread of its own, with a large stack, and turns LLVM's fatal errors and crashes into a message.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace cuttle::codegen {

/// Runs `work` to its end on a thread with a 256 MB stack (committed as it is touched) and returns nothing; or, where `work` threw,
/// LLVM gave up (report_fatal_error, out of memory) or crashed (a signal, a stack overflow), a sentence that says how. What a crashed
/// `work` held is leaked on purpose: its destructors cannot be trusted to run.
[[nodiscard]] std::optional<std::string> run_rescued(const std::function<void()>& work);

}  // namespace cuttle::codegen
