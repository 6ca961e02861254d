// Counts allocations that are large enough to hold a tensor; preloaded by `allocations.py`.
#include <stdatomic.h>
#include <stddef.h>
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic long counted;
static _Atomic size_t least = (size_t)-1;

void count_from(size_t nbytes) {
  atomic_store(&least, nbytes);
  atomic_store(&counted, 0);
}

long count_so_far(void) { return atomic_load(&counted); }

static void count(size_t nbytes) {
  if (nbytes >= atomic_load_explicit(&least, memory_order_relaxed)) atomic_fetch_add(&counted, 1);
}

void *malloc(size_t n) { count(n); return __libc_malloc(n); }
void *calloc(size_t n, size_t size) { count(n * size); return __libc_calloc(n, size); }
void *realloc(void *old, size_t n) { count(n); return __libc_realloc(old, n); }
void *memalign(size_t alignment, size_t n) { count(n); return __libc_memalign(alignment, n); }
void *aligned_alloc(size_t alignment, size_t n) { count(n); return __libc_memalign(alignment, n); }

int posix_memalign(void **out, size_t alignment, size_t n) {
  count(n);
  *out = __libc_memalign(alignment, n);
  return *out == NULL ? ENOMEM : 0;
}
