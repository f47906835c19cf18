#include "cuttle/error.hpp"

namespace cuttle {

CompileError::CompileError(const std::string& what, std::string signature, std::vector<Diagnostic> diagnostics)
    : Error(what), signature_(std::move(signature)), diagnostics_(std::move(diagnostics)) {}

}  // namespace cuttle
