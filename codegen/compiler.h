/* The boundary of libcuttle-compiler.so: source, signature and target in; PTX or a host object out.
 *
 * Plain C and plain structs, so that no LLVM or C++ library type crosses. Every pointer that a request holds is borrowed
 * for the duration of the call; everything that a result returns lives until cuttle_compile_result_free(). All functions may
 * be called from any number of threads at once. Nothing here throws, prints or ends the process.
 */
#ifndef CUTTLE_CODEGEN_COMPILER_H
#define CUTTLE_CODEGEN_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct or a function below changes; the caller refuses a library of another number. */
#define CUTTLE_COMPILER_ABI 6

typedef struct cuttle_text {
  const char* data;
  size_t size;
} cuttle_text;

enum { CUTTLE_BACKEND_PTX = 0, CUTTLE_BACKEND_CPU = 1 };

/* Every choice that changes the code: one list, so that a field can neither miss in the key nor in a print-out.
 *   sm, sm_suffix     90 and 0, 'a' or 'f'                         ptx            83 for PTX ISA 8.3
 *   contract          fuse a*b+c into fma, as nvcc does by default flush_denormals, fast_math   as nvcc's switches
 *   max_threads, min_blocks, max_registers   launch bounds, 0 for none
 *   line_info         keep the user's lines for profilers          check          instrument accesses
 *   facts             what is known of the arguments (dsl/include/cuttle/dsl/facts.hpp) */
#define CUTTLE_TARGET_FIELDS(X)                                                                                       \
  X(backend) X(sm) X(sm_suffix) X(ptx) X(contract) X(flush_denormals) X(fast_math) X(max_threads) X(min_blocks)       \
      X(max_registers) X(line_info) X(check) X(facts)

typedef struct cuttle_target {
#define CUTTLE_TARGET_MEMBER(name) uint32_t name;
  CUTTLE_TARGET_FIELDS(CUTTLE_TARGET_MEMBER)
#undef CUTTLE_TARGET_MEMBER
} cuttle_target;

/* The bits of a class that one initialiser of an aggregate fills on the host: none where both are equal. */
typedef struct cuttle_member {
  uint32_t first_bit, end_bit;
} cuttle_member;

/* One kernel parameter, or one captured value: its type as the kernel spells it ("cuttle::view<float, 1>") and, for messages, as the signature does
 * ("view<f32>"). Sizes, alignments and members are the host compiler's, with which Clang must agree: of the type, and of the class that it is
 * or shows elements of, where there is one. */
typedef struct cuttle_parameter {
  cuttle_text type;
  cuttle_text short_type;
  size_t size;
  size_t align;
  size_t class_size; /* 0 without a class */
  size_t class_align;
  const cuttle_member* members; /* of an aggregate, the first ones */
  size_t member_count;
} cuttle_parameter;

/* Declarations that precede the kernel: a CUTTLE_DEVICE block, or a whole header, which may have preprocessor directives, but none that includes. Its
 * scope is the namespaces that it stands in, outermost first, each with a slash behind it: "sim/detail/"; "sim//" is the unnamed namespace in sim, ""
 * none at all. */
typedef struct cuttle_block {
  cuttle_text text;
  cuttle_text file;
  uint32_t line;
  cuttle_text scope;
  uint32_t is_header; /* 1: the text has its own lines */
} cuttle_block;

typedef struct cuttle_compile_request {
  uint32_t abi; /* CUTTLE_COMPILER_ABI */
  cuttle_target target;
  cuttle_text kernel; /* the lambda expression, as stringised */
  cuttle_text file;   /* where it was written; need not exist */
  uint32_t line;
  cuttle_text entry;                /* name of the entry point to make */
  cuttle_text scope;                /* the kernel's namespaces, as a block's */
  cuttle_text constants;            /* declarations of the captured values and types */
  const cuttle_parameter* captures; /* the values' types, in the order of their declarations */
  size_t capture_count;
  const cuttle_block* blocks;
  size_t block_count;
  const cuttle_parameter* parameters;
  size_t parameter_count;
  uint32_t want_llvm_ir;          /* 1: fill llvm_ir, which takes time to print */
  cuttle_text libdevice;          /* path of NVIDIA's libdevice.10.bc, or empty; read only for a kernel that needs it */
  cuttle_text libdevice_searched; /* where it was looked for, for the message where there is none */
} cuttle_compile_request;

/* A file that a module's source includes, found by the caller. */
typedef struct cuttle_header {
  cuttle_text path; /* absolute */
  cuttle_text text;
} cuttle_header;

/* A whole CUDA C++ source, with its kernels and variables. */
typedef struct cuttle_module_request {
  uint32_t abi; /* CUTTLE_COMPILER_ABI */
  cuttle_target target;
  cuttle_text source;
  cuttle_text name;           /* of the source, for messages */
  const cuttle_text* kernels; /* name expressions of templates to instantiate: "scale<float, 4>" */
  size_t kernel_count;
  const cuttle_text* defines; /* "N=4", "DEBUG" */
  size_t define_count;
  const cuttle_text* folders; /* where headers are looked for; absolute */
  size_t folder_count;
  const cuttle_header* headers; /* all that there is in these folders for this source */
  size_t header_count;
  uint32_t want_llvm_ir;
  cuttle_text libdevice, libdevice_searched; /* as in cuttle_compile_request */
} cuttle_module_request;

enum { CUTTLE_SEVERITY_NOTE = 0, CUTTLE_SEVERITY_WARNING = 1, CUTTLE_SEVERITY_ERROR = 2 };

typedef struct cuttle_diagnostic {
  uint32_t severity;
  uint32_t line, column; /* 1-based; 0 where unknown */
  cuttle_text file;
  cuttle_text message;
  cuttle_text source_line; /* the line it points at, may be empty */
  cuttle_text hint;        /* what to write instead, may be empty */
} cuttle_diagnostic;

enum {
  CUTTLE_COMPILE_OK = 0,
  CUTTLE_COMPILE_USER_ERROR = 1,    /* the kernel is wrong: see the diagnostics */
  CUTTLE_COMPILE_INTERNAL_ERROR = 2 /* the compiler failed: see message */
};

/* Milliseconds of each stage. */
typedef struct cuttle_stage_times {
  double assemble, parse, link, optimise, lower, load;
} cuttle_stage_times;

/* What a launch on the CPU device passes to a block. The prelude has the same struct (dsl/device/cpu.h). */
typedef struct cuttle_block_context {
  const void* const* arguments; /* one pointer a parameter */
  uint32_t block_index[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  uint32_t dynamic_shared_bytes;
  unsigned char* shared; /* static, then dynamic shared memory; aligned to 128 */
} cuttle_block_context;

typedef void (*cuttle_block_function)(const cuttle_block_context*);

typedef struct cuttle_compile_output {
  uint32_t status;
  const cuttle_diagnostic* diagnostics;
  size_t diagnostic_count;
  cuttle_text message;        /* internal error, else empty */
  cuttle_text source;         /* what Clang was given */
  cuttle_text llvm_ir;        /* after optimisation, where asked for */
  cuttle_text code;           /* PTX text, or assembly for the CPU (NUL-terminated, size excludes it) */
  cuttle_text object;         /* CPU: relocatable object */
  cuttle_text symbols;        /* a module's kernels and variables (dsl/text/module_symbols.h) */
  size_t static_shared_bytes; /* of the kernel; for a module see the symbols */
  size_t least_shared_bytes;  /* of dynamic shared memory, that a launch of the kernel has to give as far as its code shows */
  uint32_t uses_libdevice;    /* 1: the code has functions of it */
  uint32_t cooperative;       /* 1: blocks wait for each other, and all must run at once */
  cuttle_stage_times times;
} cuttle_compile_output;

typedef struct cuttle_compile_result cuttle_compile_result;

#pragma GCC visibility push(default)

/* Version of this interface, and an identity of the library's code that enters every cache key. */
uint32_t cuttle_compiler_abi(void);
const char* cuttle_compiler_build_id(void);

/* Newest PTX ISA version (83 for 8.3) that this LLVM can write. */
uint32_t cuttle_compiler_max_ptx(void);

/* Compiles. Never NULL except when memory ran out. */
cuttle_compile_result* cuttle_compile(const cuttle_compile_request* request);
cuttle_compile_result* cuttle_compile_module(const cuttle_module_request* request);
const cuttle_compile_output* cuttle_compile_get(const cuttle_compile_result* result);
void cuttle_compile_result_free(cuttle_compile_result* result);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
