// How much work it is to check a plan: `count_steps PLAN` tells the steps that were taken, and the verdict.
//
// A step is a basic block of the loader, which is compiled with -fsanitize-coverage=trace-pc, or a byte that memchr
// was given to look at (linked with -Wl,--wrap=memchr).
#include <stdio.h>
#include <stdlib.h>

#include "pr_internal.h"

#define UNCOUNTED __attribute__((no_sanitize_coverage))

static unsigned long long steps;
void __sanitizer_cov_trace_pc(void);
UNCOUNTED void __sanitizer_cov_trace_pc(void) { ++steps; }

const void *__real_memchr(const void *from, int wanted, size_t n);
const void *__wrap_memchr(const void *from, int wanted, size_t n);
UNCOUNTED const void *__wrap_memchr(const void *from, int wanted, size_t n) {
  const char *found = __real_memchr(from, wanted, n);
  steps += found ? (size_t)(found - (const char *)from) : n;
  return found;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  char err[256] = "";
  pr_module *module = pr_module_read(argv[1], err, sizeof err);
  printf("%llu %s\n", steps, module ? "accepted" : err);
  pr_module_close(module);
  return 0;
}
