// Checks a plan file before anything of it is used: it may come from anywhere.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pr_internal.h"
#include "pr_sha256.h"

typedef struct {
  const uint8_t *bytes;
  uint64_t size;
  pr_file *file;
  // Records of the tables that have been given out. Each belongs to one entry or step, in the order of the
  // file, so that checking costs no more than reading it.
  uint64_t used[PR_SECTIONS];
  char *err;
  size_t err_size;
} checker;

#define REFUSE(...) return pr_say(c->err, c->err_size, __VA_ARGS__)

int pr_say(char *err, size_t err_size, const char *format, ...) {
  if (err && err_size) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err, err_size, format, arguments);
    va_end(arguments);
  }
  return -1;
}

static uint64_t count(const checker *c, int section) { return c->file->header->sections[section].count; }

// Whether `n` records from `first` on are the next ones of a section; they are given out then.
static int next(checker *c, int section, uint32_t first, uint32_t n) {
  if (first != c->used[section] || (uint64_t)first + n > count(c, section)) return 0;
  c->used[section] += n;
  return 1;
}

static int check_header(checker *c) {
  const pr_header *h = c->file->header;
  if (memcmp(h->magic, PR_FILE_MAGIC, sizeof h->magic)) REFUSE("this is not a static plan");
  if (h->version != PR_FILE_VERSION) {
    REFUSE("the plan has version %u, this runner reads version %d", h->version, PR_FILE_VERSION);
  }
  if (h->library_abi != PR_LIBRARY_ABI) {
    REFUSE("the plan's kernels have interface %u, this runner calls %d", h->library_abi, PR_LIBRARY_ABI);
  }
  if (h->size != c->size) {
    REFUSE("the plan has %llu bytes, its header says %llu", (unsigned long long)c->size,
           (unsigned long long)h->size);
  }
  uint8_t digest[32];
  pr_sha256(c->bytes + PR_DIGEST_END, c->size - PR_DIGEST_END, digest);
  if (memcmp(digest, h->digest, sizeof digest)) REFUSE("the plan has changed: its digest is another one");
  if (h->library_size > PR_MAX_MEMORY || h->state_bytes > PR_MAX_MEMORY) {
    REFUSE("its kernels have %llu bytes, and it keeps %llu for itself; at most %llu are allowed",
           (unsigned long long)h->library_size, (unsigned long long)h->state_bytes, (unsigned long long)PR_MAX_MEMORY);
  }
  return 0;
}

// Once for the whole section: as many records as there are may name the same string.
static int check_strings(checker *c) {
  const char *strings = c->file->strings, *end = strings + count(c, PR_STRINGS);
  if (strings == end || *strings || end[-1]) REFUSE("the strings have no end");
  for (const char *at = strings; at < end;) {
    const char *next_at = (const char *)memchr(at, 0, (size_t)(end - at)) + 1;
    if (next_at - at > PR_MAX_TEXT) REFUSE("a string is longer than %d bytes", PR_MAX_TEXT - 1);
    at = next_at;
  }
  return 0;
}

static int check_sections(checker *c) {
  static const uint32_t strides[PR_SECTIONS] = {
      1, sizeof(pr_executable), sizeof(pr_function), sizeof(pr_weight), sizeof(pr_entry),
      sizeof(pr_tensor), sizeof(pr_record), sizeof(pr_binding), sizeof(uint32_t), 1};
  const void *start[PR_SECTIONS];
  for (int i = 0; i < PR_SECTIONS; ++i) {
    pr_section s = c->file->header->sections[i];
    if (s.offset % PR_ALIGNMENT || s.offset < sizeof(pr_header) || s.offset > c->size ||
        s.count > (c->size - s.offset) / strides[i] || (i != PR_DATA && s.count > PR_MAX_RECORDS)) {
      REFUSE("section %d leaves the file", i);
    }
    start[i] = c->bytes + s.offset;
  }
  pr_file *f = c->file;
  f->strings = start[PR_STRINGS];
  f->executables = start[PR_EXECUTABLES];
  f->functions = start[PR_FUNCTIONS];
  f->parameters = start[PR_PARAMETERS];
  f->entries = start[PR_ENTRIES];
  f->tensors = start[PR_TENSORS];
  f->steps = start[PR_STEPS];
  f->bindings = start[PR_BINDINGS];
  f->constants = start[PR_CONSTANTS];
  f->data = start[PR_DATA];
  return check_strings(c);
}

// Whether a string begins outside of its section; each of those inside has an end, and is short enough.
static int bad_text(const checker *c, uint32_t at) { return at >= count(c, PR_STRINGS); }

static int check_library(checker *c) {
  const pr_file *f = c->file;
  const pr_header *h = f->header;
  if (bad_text(c, h->compiler) || bad_text(c, h->arch) || bad_text(c, h->features)) {
    REFUSE("a string of the header lies outside");
  }
  if (count(c, PR_EXECUTABLES) > PR_MAX_EXECUTABLES) REFUSE("more than %d executables", PR_MAX_EXECUTABLES);
  for (uint64_t i = 0; i < count(c, PR_EXECUTABLES); ++i) {
    pr_executable e = f->executables[i];
    if (e.offset % PR_ALIGNMENT || e.offset > h->library_size || e.size > h->library_size - e.offset ||
        bad_text(c, e.name)) {
      REFUSE("executable %llu leaves the library", (unsigned long long)i);
    }
  }
  for (uint64_t i = 0; i < count(c, PR_FUNCTIONS); ++i) {
    if (f->functions[i].executable >= count(c, PR_EXECUTABLES) || bad_text(c, f->functions[i].name)) {
      REFUSE("function %llu is of no executable", (unsigned long long)i);
    }
  }
  for (uint64_t i = 0; i < count(c, PR_PARAMETERS); ++i) {
    if (f->parameters[i].nbytes > PR_MAX_BYTES || bad_text(c, f->parameters[i].name)) {
      REFUSE("parameter %llu is absurd", (unsigned long long)i);
    }
  }
  return 0;
}

// How many bytes a place has; -1 if there is none.
static int64_t room(const checker *c, const pr_entry *e, const pr_binding *b) {
  const pr_file *f = c->file;
  int one_of_many = b->place == PR_IN_PARAMETER || b->place == PR_IN_INPUT || b->place == PR_IN_OUTPUT;
  if (b->index && !one_of_many) return -1;
  switch (b->place) {
    case PR_IN_DATA:
      return (int64_t)count(c, PR_DATA);
    case PR_IN_PARAMETER:
      return b->index < count(c, PR_PARAMETERS) ? (int64_t)f->parameters[b->index].nbytes : -1;
    case PR_IN_STATE:
      return (int64_t)f->header->state_bytes;
    case PR_IN_ARENA:
      return (int64_t)e->arena_bytes;
    case PR_IN_INPUT:
      return b->index < e->inputs ? (int64_t)f->tensors[e->first_input + b->index].nbytes : -1;
    case PR_IN_OUTPUT:
      if (b->index >= e->outputs || f->tensors[e->first_output + b->index].alias != PR_NO_ALIAS) return -1;
      return (int64_t)f->tensors[e->first_output + b->index].nbytes;
    default:
      return -1;
  }
}

static int check_step(checker *c, const pr_entry *e, uint32_t index) {
  const pr_file *f = c->file;
  const pr_record *s = &f->steps[index];
  if (s->kind >= PR_KINDS || s->bindings > PR_MAX_BINDINGS || s->constants > PR_MAX_CONSTANTS ||
      !next(c, PR_BINDINGS, s->first_binding, s->bindings) ||
      !next(c, PR_CONSTANTS, s->first_constant, s->constants)) {
    REFUSE("step %u is none", index);
  }
  const pr_binding *b = &f->bindings[s->first_binding];
  for (uint32_t i = 0; i < s->bindings; ++i) {
    int64_t bytes = room(c, e, &b[i]);
    if (bytes < 0 || b[i].offset > (uint64_t)bytes || b[i].length > (uint64_t)bytes - b[i].offset || !b[i].length) {
      REFUSE("binding %u of step %u is empty or out of bounds", i, index);
    }
    if (s->kind == PR_DISPATCH && b[i].offset % PR_ALIGNMENT) {
      REFUSE("binding %u of step %u is not aligned", i, index);
    }
  }
  if (s->kind == PR_DISPATCH) {
    uint64_t plane = (uint64_t)s->groups[0] * s->groups[1];
    if (s->function >= count(c, PR_FUNCTIONS)) REFUSE("step %u calls no function", index);
    // Each for itself too: a product with nothing is nothing.
    if (s->groups[0] > INT32_MAX || s->groups[1] > INT32_MAX || s->groups[2] > UINT16_MAX || plane > INT32_MAX ||
        plane * s->groups[2] > INT32_MAX) {
      REFUSE("step %u has too many workgroups", index);
    }
    return 0;
  }
  if (s->bindings != (s->kind == PR_COPY ? 2u : 1u) || s->constants) REFUSE("step %u is none", index);
  const pr_binding *target = &b[s->bindings - 1];
  if (target->place == PR_IN_DATA || target->place == PR_IN_PARAMETER) {
    REFUSE("step %u writes what may only be read", index);
  }
  if (s->kind == PR_COPY && b[0].length != b[1].length) REFUSE("step %u copies unequal lengths", index);
  if (s->kind == PR_FILL) {
    uint32_t size = s->pattern_size;
    if ((size != 1 && size != 2 && size != 4) || target->offset % size || target->length % size) {
      REFUSE("step %u fills with no pattern", index);
    }
  }
  return 0;
}

static int check_entry(checker *c, uint32_t index) {
  const pr_file *f = c->file;
  const pr_entry *e = &f->entries[index];
  if (bad_text(c, e->name) || bad_text(c, e->declaration) || bad_text(c, e->refusal)) {
    REFUSE("a string of entry %u lies outside", index);
  }
  if (!next(c, PR_TENSORS, e->first_input, e->inputs) || !next(c, PR_TENSORS, e->first_output, e->outputs) ||
      !next(c, PR_STEPS, e->first_step, e->steps) || e->arena_bytes > PR_MAX_BYTES) {
    REFUSE("entry %u leaves its tables", index);
  }
  if (index == 0 && (e->inputs || e->outputs || e->arena_bytes)) REFUSE("the start takes or gives something");
  if (e->inputs + (uint64_t)e->outputs > PR_MAX_TENSORS) {
    REFUSE("entry %u has more than %d inputs and outputs", index, PR_MAX_TENSORS);
  }
  uint64_t total = e->arena_bytes;  // of so few numbers, none above 2^40, the sum does not overflow
  for (uint32_t i = 0; i < e->inputs + (uint64_t)e->outputs; ++i) {
    int output = i >= e->inputs;
    const pr_tensor *t = &f->tensors[output ? e->first_output + (i - e->inputs) : e->first_input + i];
    int aliased = t->alias != PR_NO_ALIAS;
    if (t->nbytes > PR_MAX_BYTES || bad_text(c, t->name) || bad_text(c, t->type) || (aliased && !output) ||
        (aliased && (t->alias >= e->inputs || f->tensors[e->first_input + t->alias].nbytes != t->nbytes))) {
      REFUSE("tensor %u of entry %u is none", i, index);
    }
    total += t->nbytes;
  }
  if (total > PR_MAX_MEMORY) {
    REFUSE("entry %u needs %llu bytes for its tensors and scratch, at most %llu are allowed", index,
           (unsigned long long)total, (unsigned long long)PR_MAX_MEMORY);
  }
  for (uint32_t i = 0; i < e->steps; ++i) {
    if (check_step(c, e, e->first_step + i)) return -1;
  }
  return 0;
}

int pr_check(const void *bytes, size_t nbytes, pr_file *file, char *err, size_t err_size) {
  checker checking = {.bytes = bytes, .size = nbytes, .file = file, .err = err, .err_size = err_size};
  checker *c = &checking;
  if ((uintptr_t)bytes % PR_ALIGNMENT) REFUSE("the plan is not aligned in memory");
  if (nbytes < sizeof(pr_header)) REFUSE("the plan is truncated to %zu bytes", nbytes);
  memset(file, 0, sizeof *file);
  file->header = bytes;
  if (check_header(c) || check_sections(c) || check_library(c)) return -1;
  if (!count(c, PR_ENTRIES)) REFUSE("the plan has no entries");
  for (uint64_t i = 0; i < count(c, PR_ENTRIES); ++i) {
    if (check_entry(c, (uint32_t)i)) return -1;
  }
  for (int i = PR_TENSORS; i <= PR_CONSTANTS; ++i) {
    if (c->used[i] != count(c, i)) REFUSE("section %d has records that nothing uses", i);
  }
  return 0;
}
