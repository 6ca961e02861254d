// Runs the steps of an entry. Between open and close nothing here allocates, locks or calls the system.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "pr_internal.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

// Denormals are flushed to zero, as IREE's own threads do: results have to be the same to the bit.
#if defined(__x86_64__)
static uint64_t enter_fp(void) {
  uint32_t before = _mm_getcsr();
  _mm_setcsr(before | 0x8040u);
  return before;
}
static void leave_fp(uint64_t before) { _mm_setcsr((uint32_t)before); }
static void pause_core(void) { _mm_pause(); }
#elif defined(__aarch64__)
static uint64_t enter_fp(void) {
  uint64_t before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | (1ull << 24)));
  return before;
}
static void leave_fp(uint64_t before) { __asm__ volatile("msr fpcr, %0" : : "r"(before)); }
static void pause_core(void) { __asm__ volatile("yield"); }
#else
static uint64_t enter_fp(void) { return 0; }
static void leave_fp(uint64_t before) { (void)before; }
static void pause_core(void) {}
#endif

// What is shared with the second thread. `job` says of the present step how many workgroups it has and which one
// is next: a claim and what it is a claim to are one value. Who gets a number below the total has a workgroup that
// the first thread waits for, so `plan` and `step` are those of this job until it is done. A first thread whose time
// is over waits no longer: what is `owed` has to be done before anything else runs.
enum { NEXT_BITS = 24, MOST_SHARED_GROUPS = 1 << (NEXT_BITS - 1) };
enum { LEFT = INT32_MIN, LOOKS = 32, IDLE_LOOKS = 1024, NAP_NS = 1000000, STACK_BYTES = 1 << 20 };
struct pr_team {
  _Alignas(64) _Atomic uint64_t job;
  _Alignas(64) atomic_uint done;
  atomic_int failure;
  atomic_int stop;
  _Atomic int64_t from_ns, to_ns;  // see pr_team_rest
  _Atomic uint64_t taken;
  const pr_plan *plan;
  const pr_step *step;
  uint32_t owed;
  uint64_t left;
  int running;
  int rests;
  int nice;
  pthread_t thread;
};

static const pr_binding *binding(const pr_plan *p, uint32_t i) {
  return &p->module->file.bindings[p->first_binding + i];
}

// Points every binding at `place` and `index` into `memory`.
static void point(pr_plan *p, uint32_t place, uint32_t index, void *memory) {
  for (uint32_t i = 0; i < p->bindings; ++i) {
    const pr_binding *b = binding(p, i);
    if (b->place == place && b->index == index) p->pointers[i] = (uint8_t *)memory + b->offset;
  }
}

static void point_at_module(pr_plan *p) {
  const pr_module *m = p->module;
  for (uint32_t i = 0; i < p->bindings; ++i) {
    const pr_binding *b = binding(p, i);
    // Kernels take all buffers as writable; those of weights are only read.
    uintptr_t from = 0;
    if (b->place == PR_IN_DATA) from = (uintptr_t)m->file.data;
    if (b->place == PR_IN_PARAMETER) from = (uintptr_t)m->parameters[b->index];
    if (b->place == PR_IN_STATE) from = (uintptr_t)m->state;
    if (from) p->pointers[i] = (void *)(from + b->offset);
    p->lengths[i] = (size_t)b->length;
  }
}

static void make_steps(pr_plan *p) {
  const pr_file *f = &p->module->file;
  for (uint32_t i = 0; i < p->entry->steps; ++i) {
    const pr_record *r = &f->steps[p->entry->first_step + i];
    pr_step *s = &p->steps[i];
    s->pattern = r->pattern;
    s->pattern_size = r->kind == PR_FILL ? r->pattern_size : 0;
    uint32_t at = r->bindings ? r->first_binding - p->first_binding : 0;
    s->dispatch.bindings = p->pointers + at;
    s->dispatch.lengths = p->lengths + at;
    if (r->kind != PR_DISPATCH) continue;
    pr_entry_point point_of = p->module->functions[r->function];
    s->kernel = point_of.kernel;
    s->groups = r->groups[0] * r->groups[1] * r->groups[2];
    s->dispatch.size_x = point_of.attributes->size_x;
    s->dispatch.size_y = point_of.attributes->size_y;
    s->dispatch.size_z = point_of.attributes->size_z;
    s->dispatch.count_x = r->groups[0];
    s->dispatch.count_y = r->groups[1];
    s->dispatch.count_z = (uint16_t)r->groups[2];
    s->dispatch.max_concurrency = 1;
    s->dispatch.constant_count = (uint16_t)r->constants;
    s->dispatch.binding_count = (uint8_t)r->bindings;
    s->dispatch.constants = f->constants + r->first_constant;
  }
}

// The bindings that the steps of an entry use, as one range of the file.
static void find_bindings(pr_plan *p) {
  const pr_file *f = &p->module->file;
  uint32_t first = UINT32_MAX, end = 0;
  for (uint32_t i = 0; i < p->entry->steps; ++i) {
    const pr_record *r = &f->steps[p->entry->first_step + i];
    if (!r->bindings) continue;
    if (r->first_binding < first) first = r->first_binding;
    if (r->first_binding + r->bindings > end) end = r->first_binding + r->bindings;
  }
  p->first_binding = end ? first : 0;
  p->bindings = end ? end - first : 0;
}

pr_plan *pr_module_plan(pr_module *module, size_t entry, char *err, size_t err_size) {
  if (!module->loaded || entry >= pr_module_entry_count(module)) {
    pr_say(err, err_size, module->loaded ? "there is no entry %zu" : "the module is not loaded", entry);
    return NULL;
  }
  const char *refusal = pr_module_entry_refusal(module, entry);
  if (*refusal) {
    pr_say(err, err_size, "%s can't be planned: %s", pr_module_entry_name(module, entry), refusal);
    return NULL;
  }
  pr_plan *p = pr_zeroed(sizeof *p);
  if (!p) {
    pr_say(err, err_size, "no memory for a plan");
    return NULL;
  }
  atomic_fetch_add(&module->holders, 1);
  p->module = module;
  p->entry = &module->file.entries[entry];
  find_bindings(p);
  size_t tensors = (size_t)p->entry->inputs + p->entry->outputs;
  p->steps = pr_zeroed((uint64_t)p->entry->steps * sizeof *p->steps);
  p->pointers = calloc((size_t)p->bindings + 1, sizeof *p->pointers);
  p->lengths = calloc((size_t)p->bindings + 1, sizeof *p->lengths);
  p->tensors = calloc(tensors + 1, sizeof *p->tensors);
  p->local_memory[0] = pr_zeroed(module->local_memory_bytes);
  if (!p->steps || !p->pointers || !p->lengths || !p->tensors || !p->local_memory[0]) {
    pr_say(err, err_size, "no memory for a plan");
    pr_plan_close(p);
    return NULL;
  }
  point_at_module(p);
  make_steps(p);
  p->unbound = (uint32_t)tensors + (p->entry->arena_bytes ? 1 : 0);
  for (size_t i = 0; i < p->entry->outputs; ++i) {
    if (pr_tensor_of(p, p->entry->inputs + i)->alias != PR_NO_ALIAS) --p->unbound;
  }
  return p;
}

static int bind(pr_plan *p, size_t index, uint32_t place, uint32_t number, void *memory, size_t nbytes) {
  if (nbytes < pr_tensor_of(p, index)->nbytes) return PR_SIZE;
  if (!memory || (uintptr_t)memory % PR_ALIGNMENT) return PR_MISALIGNED;
  if (!p->tensors[index]) --p->unbound;
  p->tensors[index] = memory;
  point(p, place, number, memory);
  return PR_DONE;
}

int pr_plan_bind_input(pr_plan *p, size_t index, void *memory, size_t nbytes) {
  if (index >= p->entry->inputs) return PR_INDEX;
  return bind(p, index, PR_IN_INPUT, (uint32_t)index, memory, nbytes);
}

int pr_plan_bind_output(pr_plan *p, size_t index, void *memory, size_t nbytes) {
  if (index >= p->entry->outputs) return PR_INDEX;
  uint32_t alias = pr_tensor_of(p, p->entry->inputs + index)->alias;
  if (alias != PR_NO_ALIAS) return pr_plan_bind_input(p, alias, memory, nbytes);
  return bind(p, p->entry->inputs + index, PR_IN_OUTPUT, (uint32_t)index, memory, nbytes);
}

int pr_plan_bind_scratch(pr_plan *p, void *memory, size_t nbytes) {
  if (nbytes < p->entry->arena_bytes) return PR_SIZE;
  if (!p->entry->arena_bytes) return PR_DONE;
  if (!memory || (uintptr_t)memory % PR_ALIGNMENT) return PR_MISALIGNED;
  if (!p->scratch) --p->unbound;
  p->scratch = memory;
  point(p, PR_IN_ARENA, 0, memory);
  return PR_DONE;
}

// -- running ------------------------------------------------------------------------------------------------

static int call(const pr_plan *p, const pr_step *s, uint32_t group, uint32_t processor) {
  uint32_t row = group / s->dispatch.count_x;
  pr_workgroup w = {
      .x = group % s->dispatch.count_x,
      .y = row % s->dispatch.count_y,
      .z = (uint16_t)(row / s->dispatch.count_y),
      .processor = processor,
      .local_memory = p->local_memory[processor],
      .local_memory_size = (uint32_t)p->module->local_memory_bytes,
  };
  return s->kernel(&p->module->environment, &s->dispatch, &w);
}

static int call_all(const pr_plan *p, const pr_step *s) {
  if (!s->groups) return 0;  // and not so many times nothing as the other axes say
  pr_workgroup w = {.local_memory = p->local_memory[0],
                    .local_memory_size = (uint32_t)p->module->local_memory_bytes};
  for (w.z = 0; w.z < s->dispatch.count_z; ++w.z) {
    for (w.y = 0; w.y < s->dispatch.count_y; ++w.y) {
      for (w.x = 0; w.x < s->dispatch.count_x; ++w.x) {
        int failure = s->kernel(&p->module->environment, &s->dispatch, &w);
        if (failure) return failure;
      }
    }
  }
  return 0;
}

static uint32_t next_of(uint64_t job) { return (uint32_t)(job & ((1u << NEXT_BITS) - 1)); }
static uint32_t total_of(uint64_t job) { return (uint32_t)(job >> NEXT_BITS); }

// Takes workgroups of the present step until there are none left. Returns whether it took any.
static int take_groups(pr_team *t, uint32_t processor) {
  for (int took = 0;; took = 1) {
    uint64_t seen = atomic_load_explicit(&t->job, memory_order_acquire);
    if (next_of(seen) >= total_of(seen)) return took;
    uint64_t mine = atomic_fetch_add_explicit(&t->job, 1, memory_order_acq_rel);
    if (next_of(mine) >= total_of(mine)) return took;
    int failure = call(t->plan, t->step, next_of(mine), processor);
    if (processor) {  // nobody else counts
      uint64_t taken = atomic_load_explicit(&t->taken, memory_order_relaxed);
      atomic_store_explicit(&t->taken, taken + 1, memory_order_relaxed);
    }
    if (failure) atomic_store_explicit(&t->failure, failure, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
  }
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Waits until `groups` are done, or until the monotonic clock shows `until_ns`, if that is not 0: whether they are.
static int all_done(const pr_team *t, uint32_t groups, int64_t until_ns) {
  for (uint32_t looks = 1; atomic_load_explicit(&t->done, memory_order_acquire) < groups; ++looks) {
    if (until_ns && looks % LOOKS == 0 && now_ns() >= until_ns) return 0;
    pause_core();
  }
  return 1;
}

static int call_together(pr_plan *p, const pr_step *s, int64_t until_ns) {
  pr_team *t = p->team;
  t->plan = p;
  t->step = s;
  atomic_store_explicit(&t->done, 0, memory_order_relaxed);
  atomic_store_explicit(&t->failure, 0, memory_order_relaxed);
  atomic_store_explicit(&t->job, (uint64_t)s->groups << NEXT_BITS, memory_order_release);
  take_groups(t, 0);
  int whole = all_done(t, s->groups, until_ns);
  atomic_store_explicit(&t->job, 0, memory_order_release);
  if (!whole) {
    t->owed = s->groups;
    t->left++;
    return LEFT;
  }
  return atomic_load_explicit(&t->failure, memory_order_relaxed);
}

// What the second thread is still at from a run that was left: nothing else may run before that is done. 0, LEFT, or
// what a kernel failed with, if `p` is to go on from there.
static int settle(const pr_plan *p, int64_t until_ns) {
  pr_team *t = p->team;
  if (!t->owed) return 0;
  if (!all_done(t, t->owed, until_ns)) return LEFT;
  t->owed = 0;
  return t->plan == p && p->cursor ? atomic_load_explicit(&t->failure, memory_order_relaxed) : 0;
}

static void fill(const pr_step *s) {
  uint8_t *to = s->dispatch.bindings[0];
  size_t nbytes = s->dispatch.lengths[0];
  if (s->pattern_size == 1) {
    memset(to, (int)(s->pattern & 0xff), nbytes);
  } else {
    for (size_t i = 0; i < nbytes; i += s->pattern_size) memcpy(to + i, &s->pattern, s->pattern_size);
  }
}

static inline int run_step(pr_plan *p, uint32_t index, int64_t until_ns) {
  const pr_step *s = &p->steps[index];
  if (s->kernel) {
    int shared = p->team && s->groups > 1 && s->groups < MOST_SHARED_GROUPS;
    return shared ? call_together(p, s, until_ns) : call_all(p, s);
  }
  if (s->pattern_size) {
    fill(s);
  } else {
    memmove(s->dispatch.bindings[1], s->dispatch.bindings[0], s->dispatch.lengths[0]);
  }
  return 0;
}

static int failed_with(int failure) { return PR_KERNEL - (failure < 0 ? -failure : failure); }

static inline int run(pr_plan *p, const volatile int *preempt, int64_t until_ns) {
  if (p->unbound) return PR_UNBOUND;
  int before = p->team ? settle(p, until_ns) : 0;
  if (before == LEFT) return PR_PREEMPTED;
  if (before) p->cursor = 0;
  if (before) return failed_with(before);
  uint64_t mode = enter_fp();
  int result = PR_DONE;
  uint32_t i = p->cursor, end = p->entry->steps;
  for (; i < end; ++i) {
    if ((preempt && *preempt) || (until_ns && now_ns() >= until_ns)) {
      result = PR_PREEMPTED;
      break;
    }
    int failure = run_step(p, i, until_ns);
    if (failure) {
      result = failure == LEFT ? PR_PREEMPTED : failed_with(failure);
      ++i;  // one that was left: whoever goes on finds it done
      break;
    }
  }
  p->cursor = result == PR_PREEMPTED ? i : 0;
  leave_fp(mode);
  return result;
}

int pr_plan_settled(const pr_plan *p, int64_t until_ns) {
  return !p->team || all_done(p->team, p->team->owed, until_ns);
}

int pr_plan_run(pr_plan *p, const volatile int *preempt) { return run(p, preempt, 0); }

int pr_plan_run_until(pr_plan *p, int64_t until_ns) { return run(p, NULL, until_ns); }

void pr_plan_reset(pr_plan *p) { p->cursor = 0; }

size_t pr_plan_steps(pr_plan *p, uint64_t *ns) {
  if (!ns || p->unbound) return p->entry->steps;
  if (p->team) settle(p, 0);
  uint64_t mode = enter_fp();
  for (uint32_t i = 0; i < p->entry->steps; ++i) {
    int64_t began_ns = now_ns();
    run_step(p, i, 0);
    ns[i] = (uint64_t)(now_ns() - began_ns);
  }
  leave_fp(mode);
  return p->entry->steps;
}

// -- the second thread --------------------------------------------------------------------------------------

// Sleeps while there is nothing to do. Told nothing new until `to_ns`, it looks now and then: whoever is to tell it
// is late, or has been stopped.
static void rest(const pr_team *t) {
  int64_t from_ns = atomic_load_explicit(&t->from_ns, memory_order_acquire);
  int64_t to_ns = atomic_load_explicit(&t->to_ns, memory_order_relaxed), now = now_ns();
  if (now >= from_ns && now < to_ns) return;
  int64_t end_ns = now < from_ns ? from_ns : now + NAP_NS;
  struct timespec end = {.tv_sec = end_ns / 1000000000, .tv_nsec = end_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

static void *help(void *argument) {
  pr_team *t = argument;
  if (t->rests) {
    prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
  } else {
    // Not that of whoever made the queue. Where this may not be, it helps less or more, and is as right.
    struct sched_param none = {0};
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &none);
    setpriority(PRIO_PROCESS, 0, t->nice);
  }
  enter_fp();
  while (!atomic_load_explicit(&t->stop, memory_order_acquire)) {
    if (t->rests) rest(t);
    for (int idle = 0; idle < IDLE_LOOKS; ++idle) {
      if (take_groups(t, 1)) idle = 0;
      pause_core();
    }
    if (!t->rests) sched_yield();  // only here, off the path: whoever else is ready gets the core
  }
  return NULL;
}

static int pin(pr_team *t, int core) {
  if (core < 0 || core >= CPU_SETSIZE) return -1;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET((size_t)core, &cores);
  return pthread_setaffinity_np(t->thread, sizeof cores, &cores);
}

pr_team *pr_team_start(int core, int nice) {
  pr_team *t = pr_zeroed(sizeof *t);
  if (!t) return NULL;
  t->nice = nice;
  if (pthread_create(&t->thread, NULL, help, t)) {
    free(t);
    return NULL;
  }
  t->running = 1;
  pin(t, core);  // elsewhere it helps less, and is as right
  return t;
}

pr_team *pr_team_start_resting(int core, int priority, int *fifo) {
  pr_team *t = pr_zeroed(sizeof *t);
  pthread_attr_t attributes;
  *fifo = 0;
  if (!t || pthread_attr_init(&attributes)) {
    free(t);
    return NULL;
  }
  t->rests = 1;
  pthread_attr_setstacksize(&attributes, STACK_BYTES);  // all of it, where memory is locked
  int failed = pthread_create(&t->thread, &attributes, help, t);
  pthread_attr_destroy(&attributes);
  if (failed) {
    free(t);
    return NULL;
  }
  t->running = 1;
  if (pin(t, core)) {  // on the core of the first one, each would wait for the other
    pr_team_close(t);
    return NULL;
  }
  struct sched_param parameters = {.sched_priority = priority};
  *fifo = priority > 0 && !pthread_setschedparam(t->thread, SCHED_FIFO, &parameters);
  return t;
}

void pr_team_rest(pr_team *t, int64_t from_ns, int64_t to_ns) {
  atomic_store_explicit(&t->to_ns, to_ns, memory_order_relaxed);
  atomic_store_explicit(&t->from_ns, from_ns, memory_order_release);
}

uint64_t pr_team_taken(const pr_team *t) { return atomic_load_explicit(&t->taken, memory_order_relaxed); }

uint64_t pr_team_left(const pr_team *t) { return t->left; }

void pr_team_dismiss(pr_team *t) { atomic_store(&t->stop, 1); }

void pr_team_stop(pr_team *t) {
  if (!t->running) return;
  pr_team_dismiss(t);
  pthread_join(t->thread, NULL);
  t->running = 0;
}

void pr_team_close(pr_team *t) {
  if (!t) return;
  pr_team_stop(t);
  free(t);
}

int pr_plan_join(pr_plan *p, pr_team *team) {
  if (team && !p->local_memory[1] && !(p->local_memory[1] = pr_zeroed(p->module->local_memory_bytes))) return -ENOMEM;
  p->team = team;
  return 0;
}

void pr_plan_close(pr_plan *p) {
  if (!p) return;
  free(p->local_memory[0]);
  free(p->local_memory[1]);
  free(p->steps);
  free(p->pointers);
  free(p->lengths);
  free(p->tensors);
  free(p->own);
  pr_module_close(p->module);
  free(p);
}
