// What benchmarks/static_plan.py measures in C: runs of a plan, and how soon one gives way.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pr_internal.h"

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static long switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// Nanoseconds of each of `n` runs. A negative result is that of pr_plan_run.
int probe_runs(pr_plan *plan, size_t n, uint64_t *ns) {
  for (size_t i = 0; i < n; ++i) {
    uint64_t begun = now();
    int result = pr_plan_run(plan, NULL);
    ns[i] = now() - begun;
    if (result) return result;
  }
  return 0;
}

static volatile int flag;
static volatile uint64_t raised;

static void raise_flag(int number) {
  (void)number;
  raised = now();
  flag = 1;
}

// Raises the flag of a running plan at `n` instants between 0 and `most_ns` after its start. `wait_ns[i]` is the
// time from then to the return of the run, 0 if the run was over before or somebody else had the core. With
// `ended`, where the plan's kernels write when they end, it is the time from the end of the last one instead.
int probe_preemption(pr_plan *plan, size_t n, uint64_t most_ns, const volatile uint64_t *ended, uint64_t *wait_ns) {
  struct sigaction action = {.sa_handler = raise_flag}, before;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  timer_t timer;
  if (sigaction(SIGRTMIN + 3, &action, &before) || timer_create(CLOCK_MONOTONIC, &event, &timer)) return -1;
  int result = 0;
  for (size_t i = 0; i < n && result >= 0; ++i) {
    uint64_t after = 1 + most_ns * i / n;
    struct itimerspec when = {.it_value = {(time_t)(after / 1000000000u), (long)(after % 1000000000u)}};
    struct itimerspec never = {{0, 0}, {0, 0}};
    flag = 0;
    long interrupted = switches();
    uint64_t begun = now();
    timer_settime(timer, 0, &when, NULL);
    result = pr_plan_run(plan, &flag);
    uint64_t returned = now();
    timer_settime(timer, 0, &never, NULL);
    int counts = result == PR_PREEMPTED && switches() == interrupted && (!ended || *ended > begun);
    wait_ns[i] = counts ? returned - (ended ? *ended : raised) : 0;
    pr_plan_reset(plan);
  }
  timer_delete(timer);
  sigaction(SIGRTMIN + 3, &before, NULL);
  return result < 0 ? result : 0;
}

// A kernel library. One kernel does nothing: what is left is what calling kernels costs. The other one takes as
// many nanoseconds as its constant says, and writes down when it ends.
static int nothing(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e, (void)d, (void)w;
  return 0;
}
static int spin(const pr_environment *e, const pr_dispatch *d, const pr_workgroup *w) {
  (void)e, (void)w;
  uint64_t until = now() + d->constants[0], at;
  while ((at = now()) < until) continue;
  memcpy(d->bindings[0], &at, sizeof at);
  return 0;
}

const void *iree_hal_executable_library_query(uint32_t version, const void *environment) {
  (void)environment;
  static const pr_library_header about = {.version = PR_LIBRARY_ABI, .name = "nothing"};
  static const pr_kernel kernels[] = {nothing, spin};
  static const pr_attributes attributes[] = {
      {.binding_count = 3, .constant_count = 2, .size_x = 1, .size_y = 1, .size_z = 1},
      {.binding_count = 1, .constant_count = 1, .size_x = 1, .size_y = 1, .size_z = 1}};
  static const char *const names[] = {"nothing", "spin"};
  static const pr_library found = {.header = &about, .exports = {2, kernels, attributes, NULL, NULL, names}};
  return version >= PR_LIBRARY_ABI ? &found : NULL;
}
