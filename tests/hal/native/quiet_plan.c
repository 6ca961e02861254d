// Runs an entry where any system call ends the process and every allocation is counted:
// `quiet_plan PLAN LIBRARY ENTRY`.
//
// Under strict seccomp a thread may read, write and exit; anything else kills it. Another thread sees whether it came
// to its end, and ends the process. Linked with the allocator wrapped
// (-Wl,--wrap=malloc and so on).
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pr_plan.h"

static int allocations;
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t n);
void __real_free(void *memory);
void *__wrap_malloc(size_t n) { return ++allocations, __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return ++allocations, __real_calloc(n, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t n) { return ++allocations, __real_aligned_alloc(alignment, n); }
void __wrap_free(void *memory) { ++allocations, __real_free(memory); }

enum { RUNNING = -1, KILLED = 9, PATIENCE_MS = 30000 };
static atomic_int verdict = RUNNING;

static void *watch(void *unused) {
  (void)unused;
  for (int i = 0; i < PATIENCE_MS && verdict == RUNNING; ++i) usleep(1000);
  _exit(verdict == RUNNING ? KILLED : verdict);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  char err[512];
  pr_plan *plan = pr_plan_open_entry(argv[1], argv[2], argv[3], NULL, 0, err, sizeof err);
  pr_team *team = pr_team_start(-1, 0);
  if (!plan || !team || !allocations) {
    fprintf(stderr, "%s\n", err);
    return 1;
  }
  size_t nbytes;
  void *output = pr_plan_output(plan, 0, &nbytes);
  volatile int now = 1, later = 0;
  int failed = 0;
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, watch, NULL)) return 1;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) return 3;  // from here on, return is no way out
  allocations = 0;
  for (int i = 0; i < 200; ++i) {
    failed |= pr_plan_run(plan, NULL) != PR_DONE;
    failed |= pr_plan_run(plan, &now) != PR_PREEMPTED || pr_plan_run(plan, &later) != PR_DONE;
    failed |= pr_plan_bind_output(plan, 0, output, nbytes) != PR_DONE;
    if (i == 100) {  // its memory for the second thread is made on joining
      failed |= pr_plan_join(plan, team) || allocations > 1;
      allocations = 0;
    }
  }
  verdict = failed || allocations;
  syscall(SYS_exit, 0);
  return 0;
}
