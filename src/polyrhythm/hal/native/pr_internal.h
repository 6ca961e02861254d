// What the parts of the runner share: the file's records, a module, and how messages are written.
#ifndef PR_INTERNAL_H_
#define PR_INTERNAL_H_

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "pr_plan.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "plan files are little-endian"
#endif

#define PR_FILE_MAGIC "PRPLAN\r\n"
enum { PR_FILE_VERSION = 1, PR_LIBRARY_ABI = 6, PR_DIGEST_END = 56 };
enum { PR_MAX_BINDINGS = 64, PR_MAX_CONSTANTS = 256, PR_MAX_TEXT = 65535, PR_MAX_EXECUTABLES = 64 };
enum { PR_MAX_TENSORS = 4096 };  // of an entry: each may have to be looked for in all bindings
#define PR_MAX_RECORDS ((uint64_t)1 << 24)
#define PR_MAX_BYTES ((uint64_t)1 << 40)
#define PR_MAX_MEMORY ((uint64_t)1 << 36)  // what a module keeps; the tensors and the scratch of an entry; a file
#define PR_NO_ALIAS UINT32_MAX

// The file, as docs/reference/static-plan.md describes it.
enum {
  PR_STRINGS, PR_EXECUTABLES, PR_FUNCTIONS, PR_PARAMETERS, PR_ENTRIES, PR_TENSORS, PR_STEPS, PR_BINDINGS, PR_CONSTANTS,
  PR_DATA, PR_SECTIONS
};
enum { PR_IN_DATA, PR_IN_PARAMETER, PR_IN_STATE, PR_IN_ARENA, PR_IN_INPUT, PR_IN_OUTPUT, PR_PLACES };
enum { PR_DISPATCH, PR_FILL, PR_COPY, PR_KINDS };

typedef struct { uint64_t offset, count; } pr_section;
typedef struct {
  char magic[8];
  uint32_t version, library_abi;
  uint64_t size;
  uint8_t digest[32];
  uint8_t library_digest[32];
  uint64_t library_size, state_bytes;
  uint32_t compiler, arch, features, zero0;
  uint64_t zero1;
  pr_section sections[PR_SECTIONS];
  uint8_t zero2[32];
} pr_header;
typedef struct { uint64_t offset, size; uint32_t name, zero; } pr_executable;
typedef struct { uint32_t executable, name; } pr_function;
typedef struct { uint64_t nbytes; uint32_t name, zero; } pr_weight;
typedef struct {
  uint32_t name, declaration, refusal, first_input, inputs, first_output, outputs, first_step, steps, zero;
  uint64_t arena_bytes;
} pr_entry;
typedef struct { uint64_t nbytes; uint32_t name, type, alias, zero; } pr_tensor;
typedef struct {
  uint32_t kind, function, groups[3], first_binding, bindings, first_constant, constants, pattern, pattern_size, zero;
} pr_record;
typedef struct { uint64_t offset, length; uint32_t place, index; } pr_binding;

_Static_assert(sizeof(pr_header) == 320 && sizeof(pr_executable) == 24 && sizeof(pr_function) == 8, "file");
_Static_assert(sizeof(pr_weight) == 16 && sizeof(pr_entry) == 48 && sizeof(pr_tensor) == 24, "file");
_Static_assert(sizeof(pr_record) == 48 && sizeof(pr_binding) == 24, "file");

// A checked file: every reference in it is good.
typedef struct {
  const pr_header *header;
  const char *strings;
  const pr_executable *executables;
  const pr_function *functions;
  const pr_weight *parameters;
  const pr_entry *entries;
  const pr_tensor *tensors;
  const pr_record *steps;
  const pr_binding *bindings;
  const uint32_t *constants;
  const uint8_t *data;
} pr_file;

// Kernels: version 6 of the interface that the compiler's libraries have (iree/hal/local/executable_library.h).
typedef struct {
  const uint32_t *constants;
  const void *import_thunk, *imports, *import_contexts;
  uint64_t processor[8];
} pr_environment;
typedef struct {
  uint32_t size_x, size_y;
  uint16_t size_z, constant_count;
  uint32_t count_x, count_y;
  uint16_t count_z;
  uint8_t max_concurrency, binding_count;
  const uint32_t *constants;
  void *const *bindings;
  const size_t *lengths;
} pr_dispatch;
typedef struct {
  uint32_t x, y;
  uint16_t z, reserved;
  uint32_t processor;
  void *local_memory;
  uint32_t local_memory_size;
} pr_workgroup;
typedef int (*pr_kernel)(const pr_environment *, const pr_dispatch *, const pr_workgroup *);
typedef struct {
  uint64_t flags;
  uint16_t local_memory_pages;
  uint8_t constant_count, binding_count;
  uint32_t size_x, size_y;
  uint16_t size_z, parameter_count;
  uint64_t reserved[5];
} pr_attributes;
_Static_assert(sizeof(pr_attributes) == 64, "kernel interface");

// What a kernel library answers when it is asked for itself.
typedef struct { uint32_t version; const char *name; uint32_t features; int sanitizer; } pr_library_header;
typedef struct {
  const pr_library_header *header;
  struct { uint32_t count; const char *const *symbols; } imports;
  struct {
    uint32_t count;
    const pr_kernel *kernels;
    const pr_attributes *attributes;
    const void *parameters, *occupancy;
    const char *const *names;
  } exports;
} pr_library;

typedef struct { pr_kernel kernel; const pr_attributes *attributes; } pr_entry_point;

// A loaded executable and the memory file that it was loaded from.
typedef struct {
  void *handle;
  int fd;
} pr_kernels;

struct pr_module {
  pr_file file;
  void *own;  // the file's bytes; NULL if they are the caller's
  atomic_int holders;
  int loaded;
  pr_kernels *kernels;
  size_t kernel_count;
  pr_entry_point *functions;
  pr_environment environment;
  const void **parameters;
  uint8_t *state;
  size_t local_memory_bytes;  // of the kernel that needs most
};

// One step, ready to run.
typedef struct {
  pr_kernel kernel;  // NULL: a fill or copy
  uint32_t groups;
  uint32_t pattern, pattern_size;  // size 0: a copy
  pr_dispatch dispatch;
} pr_step;

struct pr_plan {
  pr_module *module;
  const pr_entry *entry;
  pr_step *steps;
  void **pointers;  // of all bindings, in the order of the file
  size_t *lengths;
  uint32_t bindings, first_binding;
  uint32_t cursor;
  uint32_t unbound;  // inputs, outputs and scratch that have no memory yet
  void **tensors;    // memory of inputs, then of outputs
  void *scratch;
  void *own;  // memory that goes with the plan; NULL if all of it is the caller's
  uint8_t *local_memory[2];
  pr_team *team;  // NULL: alone
};

// Input number `index`, or an output, which are counted on after the inputs.
static inline const pr_tensor *pr_tensor_of(const pr_plan *p, size_t index) {
  const pr_entry *e = p->entry;
  return &p->module->file.tensors[index < e->inputs ? e->first_input + index : e->first_output + (index - e->inputs)];
}

// Writes a message; always returns -1.
int pr_say(char *err, size_t err_size, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Zeroed memory at a multiple of PR_ALIGNMENT; NULL if there is none, or this machine has not so much at all (it might
// be promised, and then the process is killed for it). At least one byte long.
void *pr_zeroed(uint64_t nbytes);

// Checks a file of `nbytes` bytes and fills in `file`. 0, or -1 and a message.
int pr_check(const void *bytes, size_t nbytes, pr_file *file, char *err, size_t err_size);

#endif  // PR_INTERNAL_H_
