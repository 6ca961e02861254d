// A kernel library with the interface of the compiler's: `copy` gives its first buffer to its second; `wait` does
// so after as many nanoseconds as its constant says; `fail` fails with 7. `meet` has two workgroups, each of which
// copies half: the first thread begins when the second one has begun the other, and that one takes so many
// nanoseconds. With another constant, it fails with 9 after that.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "pr_internal.h"

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int copy(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e, (void)w;
  memcpy(d->bindings[1], d->bindings[0], d->lengths[0]);
  return 0;
}

static int wait(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  int64_t end_ns = now_ns() + d->constants[0];
  while (now_ns() < end_ns) continue;
  return copy(e, d, w);
}

static int fail(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e, (void)d, (void)w;
  return 7;
}

static int meet(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e;
  static atomic_uint begun, seen;
  enum { PATIENCE_NS = 20000000 };
  int64_t began_ns = now_ns();
  if (w->processor) {
    atomic_fetch_add(&begun, 1);
    while (now_ns() < began_ns + d->constants[0]) continue;
    if (d->constants[1]) return 9;
  } else {
    while (atomic_load(&begun) == atomic_load(&seen) && now_ns() < began_ns + PATIENCE_NS) continue;
    atomic_store(&seen, atomic_load(&begun));
  }
  size_t half = d->lengths[0] / 2;
  memcpy((char *)d->bindings[1] + w->x * half, (char *)d->bindings[0] + w->x * half, half);
  return 0;
}

const void *iree_hal_executable_library_query(uint32_t version, const void *environment) {
  (void)environment;
  static const pr_library_header about = {.version = PR_LIBRARY_ABI, .name = "kernels"};
  static const pr_kernel kernels[] = {copy, wait, fail, meet};
  static const pr_attributes attributes[] = {
      {.binding_count = 2}, {.binding_count = 2, .constant_count = 1}, {.binding_count = 2},
      {.binding_count = 2, .constant_count = 2}};
  static const char *const names[] = {"copy", "wait", "fail", "meet"};
  static const pr_library found = {.header = &about, .exports = {4, kernels, attributes, NULL, NULL, names}};
  return version >= PR_LIBRARY_ABI ? &found : NULL;
}
