// Opens plan files and kernel libraries. Everything slow or fallible happens here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pr_internal.h"
#include "pr_sha256.h"

#if defined(__x86_64__)
#define HOST_ARCH "x86_64"
#elif defined(__aarch64__)
#define HOST_ARCH "aarch64"
#else
#define HOST_ARCH "unknown"
#endif

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, MOST_EXPORTS = 65536 };

typedef const pr_library *(*library_query)(uint32_t max_version, const pr_environment *environment);

// Whether this machine has not so much memory at all; of little nobody asks.
static int too_much(uint64_t nbytes) {
  if (nbytes < HUGE_PAGE) return 0;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  return nbytes > PR_MAX_BYTES || (pages > 0 && page > 0 && nbytes / (uint64_t)page > (uint64_t)pages);
}

void *pr_zeroed(uint64_t nbytes) {
  if (too_much(nbytes)) return NULL;
  size_t whole = (size_t)(nbytes / PR_ALIGNMENT + 1) * PR_ALIGNMENT;
  void *memory = NULL;
  // What is large is read from end to end: in few pages, where the system has such.
  if (posix_memalign(&memory, whole < HUGE_PAGE ? PR_ALIGNMENT : HUGE_PAGE, whole)) return NULL;
  if (whole >= HUGE_PAGE) (void)!madvise(memory, whole / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  memset(memory, 0, whole);
  return memory;
}

// A file's content, for the caller to free: a copy, because a file that changes under a mapping changes what was
// checked, and one that gets shorter ends the process. NULL and errno if that can't be.
static void *content_of(const char *path, size_t *nbytes) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe keeps nobody waiting
  if (fd < 0) return NULL;
  struct stat found;
  uint8_t *memory = NULL;
  size_t done = 0;
  if (!fstat(fd, &found)) {
    *nbytes = S_ISREG(found.st_mode) ? (size_t)found.st_size : 0;
    errno = *nbytes ? EFBIG : ENODATA;
    if (*nbytes && *nbytes <= PR_MAX_MEMORY && !(memory = pr_zeroed(*nbytes))) errno = ENOMEM;
  }
  while (memory && done < *nbytes) {
    ssize_t got = read(fd, memory + done, *nbytes - done);
    if (got > 0) done += (size_t)got;
    if (!got) *nbytes = done;  // it has become shorter: whoever asked checks what is left
    if (got < 0 && errno != EINTR) {
      int problem = errno;
      free(memory);
      memory = NULL;
      errno = problem;
    }
  }
  int problem = errno;
  close(fd);
  errno = problem;
  return memory;
}

pr_module *pr_module_parse(const void *file, size_t nbytes, char *err, size_t err_size) {
  pr_file checked;
  if (pr_check(file, nbytes, &checked, err, err_size)) return NULL;
  pr_module *module = calloc(1, sizeof *module);
  if (!module) {
    pr_say(err, err_size, "no memory for a module");
    return NULL;
  }
  module->file = checked;
  atomic_init(&module->holders, 1);
  return module;
}

pr_module *pr_module_read(const char *path, char *err, size_t err_size) {
  size_t nbytes = 0;
  void *content = content_of(path, &nbytes);
  if (!content) {
    pr_say(err, err_size, "the plan can't be read: %s", strerror(errno));
    return NULL;
  }
  pr_module *module = pr_module_parse(content, nbytes, err, err_size);
  if (!module) {
    free(content);
    return NULL;
  }
  module->own = content;
  return module;
}

// Whether every word of `wanted` (between commas) is one of `has` (between spaces); else the first that isn't.
static int lacks(const char *wanted, const char *has, char *missing, size_t missing_size) {
  while (*wanted) {
    size_t length = strcspn(wanted, ",");
    const char *at = has;
    int found = 0;
    while (!found && *at) {
      at += strspn(at, " \t\n");
      size_t word = strcspn(at, " \t\n");
      found = word == length && !memcmp(at, wanted, length);
      at += word;
    }
    if (!found && length) {
      snprintf(missing, missing_size, "%.*s", (int)length, wanted);
      return 1;
    }
    wanted += length + (wanted[length] == ',');
  }
  return 0;
}

// The CPU of this machine against the one that the kernels are for. Without /proc nothing is known to lack.
static int check_cpu(const pr_module *module, char *err, size_t err_size) {
  const char *arch = module->file.strings + module->file.header->arch;
  if (strcmp(arch, HOST_ARCH)) return pr_say(err, err_size, "the plan is for %s, this machine is " HOST_ARCH, arch);
  FILE *info = fopen("/proc/cpuinfo", "re");
  if (!info) return 0;
  char *line = NULL, missing[64];
  size_t room = 0;
  int result = 0;
  while (!result && getline(&line, &room, info) > 0) {
    char *colon = strchr(line, ':');
    if (colon && (!strncmp(line, "flags", 5) || !strncmp(line, "Features", 8)) &&
        lacks(module->file.strings + module->file.header->features, colon + 1, missing, sizeof missing)) {
      result = pr_say(err, err_size, "the plan's kernels use %s, which this CPU lacks", missing);
    }
  }
  free(line);
  fclose(info);
  return result;
}

// The kernels of one executable. What is loaded is what was checked: a copy that no file name leads to. Its file
// stays open as long as it is loaded, because the loader takes one that has the same name for the same library.
static const pr_library *load_executable(pr_module *module, const uint8_t *content, size_t nbytes, char *err,
                                      size_t err_size) {
  char path[64];
  int fd = memfd_create("polyrhythm-kernels", MFD_CLOEXEC);
  if (fd < 0) {
    pr_say(err, err_size, "no memory file for the kernels: %s", strerror(errno));
    return NULL;
  }
  pr_kernels *kernels = &module->kernels[module->kernel_count++];
  kernels->fd = fd;
  for (size_t done = 0; done < nbytes;) {
    ssize_t written = write(fd, content + done, nbytes - done);
    if (written < 0 && errno != EINTR) {
      pr_say(err, err_size, "no memory for the kernels: %s", strerror(errno));
      return NULL;
    }
    if (written > 0) done += (size_t)written;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  void *handle = kernels->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    pr_say(err, err_size, "the kernels can't be loaded: %s", dlerror());
    return NULL;
  }
  void *symbol = dlsym(handle, "iree_hal_executable_library_query");
  library_query query;
  memcpy(&query, &symbol, sizeof query);
  const pr_library *found = query ? query(PR_LIBRARY_ABI, &module->environment) : NULL;
  if (!found || found->header->version != PR_LIBRARY_ABI) {
    pr_say(err, err_size, "the kernels have another interface than %d", PR_LIBRARY_ABI);
    return NULL;
  }
  if (found->imports.count) {
    pr_say(err, err_size, "the kernels want %s from elsewhere", found->imports.symbols[0]);
    return NULL;
  }
  if (found->exports.count > MOST_EXPORTS || !found->exports.names || !found->exports.attributes) {
    pr_say(err, err_size, "the kernels don't say how they are called");
    return NULL;
  }
  return found;
}

static int find_functions(pr_module *module, const pr_library *const *libraries, char *err, size_t err_size) {
  const pr_file *f = &module->file;
  for (uint64_t i = 0; i < f->header->sections[PR_FUNCTIONS].count; ++i) {
    const pr_library *from = libraries[f->functions[i].executable];
    const char *name = f->strings + f->functions[i].name;
    uint32_t at = 0;
    while (at < from->exports.count && strcmp(from->exports.names[at], name)) ++at;
    if (at == from->exports.count) return pr_say(err, err_size, "there is no kernel %s", name);
    module->functions[i] = (pr_entry_point){from->exports.kernels[at], &from->exports.attributes[at]};
    size_t local = (size_t)PAGE * from->exports.attributes[at].local_memory_pages;
    if (local > module->local_memory_bytes) module->local_memory_bytes = local;
  }
  for (uint64_t i = 0; i < f->header->sections[PR_STEPS].count; ++i) {
    const pr_record *s = &f->steps[i];
    if (s->kind != PR_DISPATCH) continue;
    const pr_attributes *a = module->functions[s->function].attributes;
    if (a->binding_count != s->bindings || a->constant_count != s->constants) {
      return pr_say(err, err_size, "step %llu calls %s with %u buffers and %u numbers, it takes %u and %u",
                    (unsigned long long)i, f->strings + f->functions[s->function].name, s->bindings, s->constants,
                    a->binding_count, a->constant_count);
    }
  }
  return 0;
}

static int load_kernels(pr_module *module, const char *path, char *err, size_t err_size) {
  const pr_header *h = module->file.header;
  size_t count = (size_t)h->sections[PR_EXECUTABLES].count, nbytes = 0;
  if (!count) return 0;  // only fills and copies
  uint8_t *content = content_of(path, &nbytes), digest[32];
  if (!content) return pr_say(err, err_size, "the kernel library can't be read: %s", strerror(errno));
  const pr_library *libraries[PR_MAX_EXECUTABLES];
  int result = 0;
  module->kernels = calloc(count, sizeof *module->kernels);
  module->functions = calloc((size_t)h->sections[PR_FUNCTIONS].count + 1, sizeof *module->functions);
  if (!module->kernels || !module->functions) result = pr_say(err, err_size, "no memory for the kernels");
  if (!result) {
    pr_sha256(content, nbytes, digest);
    if (nbytes != h->library_size || memcmp(digest, h->library_digest, sizeof digest)) {
      result = pr_say(err, err_size, "the kernel library is not the one of this plan");
    }
  }
  for (size_t i = 0; !result && i < count; ++i) {
    pr_executable e = module->file.executables[i];
    libraries[i] = load_executable(module, content + e.offset, (size_t)e.size, err, err_size);
    if (!libraries[i]) result = -1;
  }
  if (!result) result = find_functions(module, libraries, err, err_size);
  free(content);
  return result;
}

static int bind_parameters(pr_module *module, const pr_parameter *given, size_t n, char *err, size_t err_size) {
  const pr_file *f = &module->file;
  size_t count = (size_t)f->header->sections[PR_PARAMETERS].count;
  module->parameters = calloc(count + 1, sizeof *module->parameters);
  if (!module->parameters) return pr_say(err, err_size, "no memory for the weights");
  for (size_t i = 0; i < count; ++i) {
    const char *name = f->strings + f->parameters[i].name;
    size_t at = 0;
    while (at < n && strcmp(given[at].name, name)) ++at;
    if (at == n) return pr_say(err, err_size, "weight %s is missing", name);
    if (given[at].nbytes < f->parameters[i].nbytes) {
      return pr_say(err, err_size, "weight %s has %zu bytes, the plan reads %llu", name, given[at].nbytes,
                    (unsigned long long)f->parameters[i].nbytes);
    }
    if ((uintptr_t)given[at].data % PR_ALIGNMENT) {
      return pr_say(err, err_size, "weight %s is not %d-byte aligned", name, PR_ALIGNMENT);
    }
    module->parameters[i] = given[at].data;
  }
  return 0;
}

int pr_module_load(pr_module *module, const char *library_path, const pr_parameter *parameters, size_t n, char *err,
                   size_t err_size) {
  if (module->state) return pr_say(err, err_size, "the module was loaded before");
  module->state = pr_zeroed(module->file.header->state_bytes);
  if (!module->state) return pr_say(err, err_size, "no memory for what the module keeps");
  if (check_cpu(module, err, err_size) || bind_parameters(module, parameters, n, err, err_size) ||
      load_kernels(module, library_path, err, err_size)) {
    return -1;
  }
  module->loaded = 1;
  pr_plan *start = pr_module_plan(module, 0, err, err_size);
  int result = start ? pr_plan_run(start, NULL) : -1;
  if (start && result) pr_say(err, err_size, "the module does not start: %d", result);
  pr_plan_close(start);
  module->loaded = !result;
  return result ? -1 : 0;
}

void pr_module_close(pr_module *module) {
  if (!module || atomic_fetch_sub(&module->holders, 1) > 1) return;
  for (size_t i = 0; i < module->kernel_count; ++i) {
    if (module->kernels[i].handle) dlclose(module->kernels[i].handle);
    close(module->kernels[i].fd);
  }
  free(module->kernels);
  free(module->functions);
  free(module->parameters);
  free(module->state);
  free(module->own);
  free(module);
}

static const pr_entry *entry_of(const pr_module *module, size_t entry) {
  return entry < module->file.header->sections[PR_ENTRIES].count ? &module->file.entries[entry] : NULL;
}

size_t pr_module_entry_count(const pr_module *module) {
  return (size_t)module->file.header->sections[PR_ENTRIES].count;
}
const char *pr_module_entry_name(const pr_module *module, size_t entry) {
  const pr_entry *e = entry_of(module, entry);
  return e ? module->file.strings + e->name : NULL;
}
const char *pr_module_entry_declaration(const pr_module *module, size_t entry) {
  const pr_entry *e = entry_of(module, entry);
  return e ? module->file.strings + e->declaration : NULL;
}
const char *pr_module_entry_refusal(const pr_module *module, size_t entry) {
  const pr_entry *e = entry_of(module, entry);
  return e ? module->file.strings + e->refusal : NULL;
}
size_t pr_module_entry_scratch(const pr_module *module, size_t entry) {
  const pr_entry *e = entry_of(module, entry);
  return e ? (size_t)e->arena_bytes : 0;
}
size_t pr_module_parameter_count(const pr_module *module) {
  return (size_t)module->file.header->sections[PR_PARAMETERS].count;
}
const char *pr_module_parameter_name(const pr_module *module, size_t index) {
  if (index >= pr_module_parameter_count(module)) return NULL;
  return module->file.strings + module->file.parameters[index].name;
}
size_t pr_module_parameter_size(const pr_module *module, size_t index) {
  return index < pr_module_parameter_count(module) ? (size_t)module->file.parameters[index].nbytes : 0;
}
size_t pr_module_state(const pr_module *module) { return (size_t)module->file.header->state_bytes; }
const char *pr_module_compiler(const pr_module *module) {
  return module->file.strings + module->file.header->compiler;
}
const uint8_t *pr_module_library_digest(const pr_module *module) { return module->file.header->library_digest; }
