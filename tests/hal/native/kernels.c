// A kernel library with the interface of the compiler's: `add` adds VALUE and its constant to 16 numbers, one for
// each workgroup; `fail` fails with 7.
#include <string.h>

#include "pr_internal.h"

static int add(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e;
  const float *from = d->bindings[0];
  float *to = d->bindings[1];
  to[w->x] = from[w->x] + VALUE + (float)d->constants[0];
  return 0;
}

static int fail(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e, (void)d, (void)w;
  return 7;
}

const void *iree_hal_executable_library_query(uint32_t version, const void *environment) {
  (void)environment;
  static const pr_library_header about = {.version = PR_LIBRARY_ABI, .name = "kernels"};
  static const pr_kernel kernels[] = {add, fail};
  static const pr_attributes attributes[] = {{.binding_count = 2, .constant_count = 1}, {.binding_count = 0}};
  static const char *const names[] = {"add", "fail"};
  static const pr_library found = {.header = &about, .exports = {2, kernels, attributes, NULL, NULL, names}};
  return version >= PR_LIBRARY_ABI ? &found : NULL;
}
