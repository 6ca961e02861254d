/* A periodic loop that does nothing: what wake-up times this machine gives to anybody.

   bare PERIOD_NS SECONDS CORE PRIORITY: prints the bins of the wake-up times, see pr_bin. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "pr_island.h"

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int count, char **arguments) {
  static uint64_t bins[PR_BINS];
  uint64_t largest = 0;
  if (count != 5) return 2;
  int64_t period_ns = atoll(arguments[1]), seconds = atoll(arguments[2]);
  long core = atol(arguments[3]);
  struct sched_param parameters = {.sched_priority = atoi(arguments[4])};
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET((size_t)core, &cores);
  if (core >= 0) (void)!sched_setaffinity(0, sizeof cores, &cores);
  (void)!mlockall(MCL_CURRENT | MCL_FUTURE);
  if (parameters.sched_priority > 0) (void)!sched_setscheduler(0, SCHED_FIFO, &parameters);
  prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
  int64_t due_ns = now_ns() + period_ns, end_ns = due_ns + seconds * 1000000000;
  while (due_ns < end_ns) {
    struct timespec due = {.tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000};
    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL)) continue;
    int64_t late_ns = now_ns() - due_ns;
    bins[pr_bin((uint64_t)(late_ns > 0 ? late_ns : 0))]++;
    if ((uint64_t)late_ns > largest) largest = (uint64_t)late_ns;
    due_ns += period_ns * (1 + late_ns / period_ns);
  }
  printf("%llu\n", (unsigned long long)largest);
  for (size_t i = 0; i < PR_BINS; i++) printf("%llu\n", (unsigned long long)bins[i]);
  return 0;
}
