// Runs periods of an island with a policy where any system call ends the process and every allocation is counted:
// `quiet_step CONFIG`. The same way as tests/hal/native/quiet_plan.c, but by a filter: strict seccomp would take the
// counter away that the clock is read from.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pr_island.h"

static int allocations;
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t n);
void __real_free(void *memory);
void *__wrap_malloc(size_t n) { return ++allocations, __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return ++allocations, __real_calloc(n, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t n) { return ++allocations, __real_aligned_alloc(alignment, n); }
void __wrap_free(void *memory) { ++allocations, __real_free(memory); }

enum { RUNNING = -1, KILLED = 9, PATIENCE_MS = 30000, PERIODS = 1000 };
static atomic_int verdict = RUNNING;

static void *watch(void *unused) {
  (void)unused;
  for (int i = 0; i < PATIENCE_MS && verdict == RUNNING; ++i) usleep(1000);
  _exit(verdict == RUNNING ? KILLED : verdict);
}

// Nothing but leaving is allowed; anything else ends the process.
static int hush(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  static pr_config config;
  static pr_island island;
  static pr_counts counts;
  static pr_target target;
  static pr_state state;
  static pr_command command, shared;
  char why[1024];
  pr_policy policy;
  FILE *file = fopen(argv[1], "rb");
  if (!file || fread(&config, sizeof config, 1, file) != 1 || fclose(file)) return 2;
  if (pr_policy_open(&config, &policy, why, sizeof why) ||
      pr_island_init(&island, &config, &policy, why, sizeof why)) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  pr_team *second = NULL;
  int fifo;
  if (config.policy_second >= 0) {
    second = pr_team_start_resting((int)config.policy_second, 0, &fifo);
    if (!second || pr_policy_share(&policy, second)) return 1;
    island.policy = policy;
  }
  pthread_t watcher;
  if (!allocations || pthread_create(&watcher, NULL, watch, NULL)) return 1;
  if (hush()) return 3;  // from here on, return is no way out
  allocations = 0;
  int64_t now_ns = 1000000000;
  for (uint64_t i = 1; i <= PERIODS; i++, now_ns += config.period_ns) {
    state.seq = state.last = i, state.stamp_ns = now_ns;
    state.check = pr_crc32((uint64_t *)&state + 1, sizeof state - 24);
    pr_island_look(&island, &target, &state, now_ns, &counts);
    pr_island_step(&island, now_ns, i % 2 ? INT64_MAX : 1, &command, &counts);
    pr_command_publish(&shared, &command, i);
    if (second) pr_team_rest(second, now_ns, INT64_MAX);
  }
  int whole = counts.policy_runs == PERIODS / 2 && counts.policy_dropped == PERIODS / 2;
  verdict = allocations || !whole || (second && pr_team_taken(second) < PERIODS / 50);
  syscall(SYS_exit, 0);
  return 0;
}
