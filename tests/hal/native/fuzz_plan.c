// Mutates plan files and gives them to the loader: `fuzz_plan SEED FIRST COUNT PLAN...`.
//
// A mutant is a function of the seed and its number; the first ones are the plans as they are. Built with sanitizers,
// it ends with a report, and the number, at the first read beyond a file. Most mutants get a good digest,
// since nothing else would come past it. A mutant that the checks let through is bound and run, with kernels
// that touch every byte of what they are given: had a check been wrong, the sanitizers would see it.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_internal.h"
#include "pr_sha256.h"

static uint64_t state;
static unsigned long long mutant;

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
static void tell_mutant(void) { fprintf(stderr, "mutant %llu\n", mutant); }

// Neighbours have nothing to do with each other (splitmix64).
static void begin(uint64_t seed) {
  uint64_t z = seed * 0x9e3779b97f4a7c15ull + (mutant + 1) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  state = (z ^ (z >> 31)) | 1;
}

static uint64_t draw(void) {  // xorshift64*
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717ull;
}

static uint32_t below(uint64_t n) { return n ? (uint32_t)(draw() % n) : 0; }

// Exactly so many bytes, so that the sanitizers see the first one beyond.
static void *exact(size_t nbytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, PR_ALIGNMENT, nbytes ? nbytes : 1)) abort();
  memset(memory, 0, nbytes);
  return memory;
}

// Numbers that are more likely than others to be taken wrongly.
static uint64_t odd_number(void) {
  static const uint64_t known[] = {0, 1, 63, 64, 65, 255, 256, 4096, 65535, 65536, INT32_MAX, UINT32_MAX,
                                   (uint64_t)UINT32_MAX + 1, INT64_MAX, UINT64_MAX, UINT64_MAX - 63, 1ull << 40};
  uint64_t n = known[below(sizeof known / sizeof *known)];
  return below(4) ? n : n + below(3) - 1;
}

static void sign(uint8_t *file, size_t size) {
  if (size < PR_DIGEST_END) return;
  pr_header *h = (pr_header *)file;
  if (below(16)) memcpy(h->magic, PR_FILE_MAGIC, sizeof h->magic);
  if (below(16)) h->version = PR_FILE_VERSION;
  if (below(16)) h->library_abi = PR_LIBRARY_ABI;
  if (below(16)) h->size = size;
  pr_sha256(file + PR_DIGEST_END, size - PR_DIGEST_END, h->digest);
}

static size_t mutate(uint8_t *file, size_t size, size_t room) {
  for (uint32_t n = 1 + below(6); n; --n) {
    uint64_t number = odd_number();
    // Half of them in the header and the records right after it, where few bytes say much.
    size_t at = below(2) ? below(size) : below(size < 2048 ? size : 2048);
    switch (below(7)) {
      case 0:
        file[at] ^= (uint8_t)(1u << below(8));
        break;
      case 1:
        file[at] = (uint8_t)draw();
        break;
      case 2:
      case 3:
        at -= at % 4;
        if (at + 4 <= size) memcpy(file + at, &number, 4);
        break;
      case 4:
        at -= at % 8;
        if (at + 8 <= size) memcpy(file + at, &number, 8);
        break;
      case 5: {  // one record over another
        size_t from = below(size) & ~(size_t)7, length = 8u * (1 + below(8));
        at &= ~(size_t)7;
        if (from + length <= size && at + length <= size) memmove(file + at, file + from, length);
        break;
      }
      default:
        if (below(8) == 0) size = below(4) ? below(size) + 1 : size + below(room - size);
        if (size > room) size = room;
    }
  }
  return size;
}

// A kernel that reads and writes all that it may.
static int touch(const pr_environment *environment, const pr_dispatch *d, const pr_workgroup *w) {
  (void)environment;
  uint32_t sum = (uint32_t)w->x;
  for (uint16_t i = 0; i < d->constant_count; ++i) sum += d->constants[i];
  for (uint8_t i = 0; i < d->binding_count; ++i) {
    const volatile uint8_t *bytes = d->bindings[i];
    if (d->lengths[i]) sum += bytes[0] + (uint32_t)bytes[d->lengths[i] - 1];
  }
  return sum == 0xdeadbeef;
}

enum { MOST_BYTES = 1 << 20 };

// Binds and runs a file that was found good, as far as it asks for little memory.
static void run(pr_module *m) {
  const pr_file *f = &m->file;
  size_t functions = (size_t)f->header->sections[PR_FUNCTIONS].count;
  size_t parameters = (size_t)f->header->sections[PR_PARAMETERS].count;
  uint64_t steps = 0, bytes = f->header->state_bytes;
  for (uint64_t i = 0; i < f->header->sections[PR_STEPS].count; ++i) {
    const pr_record *r = &f->steps[i];
    steps += r->kind == PR_DISPATCH ? (uint64_t)r->groups[0] * r->groups[1] * r->groups[2] : 1;
  }
  for (size_t i = 0; i < parameters; ++i) bytes += f->parameters[i].nbytes;
  for (uint64_t i = 0; i < f->header->sections[PR_TENSORS].count; ++i) bytes += f->tensors[i].nbytes;
  for (uint64_t i = 0; i < f->header->sections[PR_ENTRIES].count; ++i) bytes += f->entries[i].arena_bytes;
  if (bytes > MOST_BYTES || steps > 4096) return;

  static const pr_attributes attributes = {.size_x = 1, .size_y = 1, .size_z = 1, .local_memory_pages = 1};
  m->functions = calloc(functions + 1, sizeof *m->functions);
  for (size_t i = 0; i < functions; ++i) m->functions[i] = (pr_entry_point){touch, &attributes};
  m->parameters = calloc(parameters + 1, sizeof *m->parameters);
  for (size_t i = 0; i < parameters; ++i) m->parameters[i] = exact((size_t)f->parameters[i].nbytes);
  m->state = exact((size_t)f->header->state_bytes);
  m->loaded = 1;
  for (size_t e = 0; e < pr_module_entry_count(m); ++e) {
    char err[256];
    pr_plan *plan = pr_module_plan(m, e, err, sizeof err);
    if (!plan) continue;
    size_t inputs = pr_plan_input_count(plan), outputs = pr_plan_output_count(plan);
    void **owned = calloc(inputs + outputs + 1, sizeof *owned);
    for (size_t i = 0; i < inputs + outputs; ++i) {
      size_t nbytes;
      if (i < inputs) {
        pr_plan_input(plan, i, &nbytes);
      } else {
        pr_plan_output(plan, i - inputs, &nbytes);
      }
      owned[i] = exact(nbytes);
      if (i < inputs) {
        pr_plan_bind_input(plan, i, owned[i], nbytes);
      } else {
        pr_plan_bind_output(plan, i - inputs, owned[i], nbytes);
      }
    }
    size_t scratch = pr_module_entry_scratch(m, e);
    owned[inputs + outputs] = exact(scratch);
    pr_plan_bind_scratch(plan, owned[inputs + outputs], scratch);
    pr_plan_run(plan, NULL);
    pr_plan_close(plan);
    for (size_t i = 0; i <= inputs + outputs; ++i) free(owned[i]);
    free(owned);
  }
  for (size_t i = 0; i < parameters; ++i) free((void *)(uintptr_t)m->parameters[i]);
}

static void try_one(const uint8_t *seed, size_t nbytes, int whole, unsigned long long *good) {
  size_t room = nbytes + 512, size = nbytes;
  uint8_t *scratch = exact(room);
  memcpy(scratch, seed, nbytes);
  if (!whole) {
    size = mutate(scratch, nbytes, room);
    if (below(32)) sign(scratch, size);
  }
  uint8_t *file = exact(size);
  memcpy(file, scratch, size);
  free(scratch);
  char err[256];
  pr_module *module = pr_module_parse(file, size, err, sizeof err);
  if (module) {
    ++*good;
    run(module);
    pr_module_close(module);
  }
  free(file);
}

int main(int argc, char **argv) {
  enum { MOST_PLANS = 64 };
  static uint8_t *plans[MOST_PLANS];
  static size_t sizes[MOST_PLANS];
  int n = argc - 4;
  if (n < 1 || n > MOST_PLANS) return 2;
  for (int i = 0; i < n; ++i) {
    FILE *stream = fopen(argv[4 + i], "rb");
    if (!stream || fseek(stream, 0, SEEK_END)) return 2;
    sizes[i] = (size_t)ftell(stream);
    rewind(stream);
    plans[i] = malloc(sizes[i]);
    if (!plans[i] || fread(plans[i], 1, sizes[i], stream) != sizes[i]) return 2;
    fclose(stream);
  }
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell_mutant);
  unsigned long long seed = strtoull(argv[1], NULL, 10), first = strtoull(argv[2], NULL, 10);
  unsigned long long count = strtoull(argv[3], NULL, 10), good = 0;
  for (mutant = first; mutant < first + count; ++mutant) {
    begin(seed);
    int whole = mutant < (unsigned long long)n, at = whole ? (int)mutant : (int)below((uint64_t)n);
    try_one(plans[at], sizes[at], whole, &good);
  }
  printf("%llu of %llu accepted\n", good, count);
  return 0;
}
