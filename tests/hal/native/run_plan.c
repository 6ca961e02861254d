// Opens an entry through the plain C interface and runs it in every way: `run_plan PLAN LIBRARY ENTRY`.
//
// Whole, preempted after every step, with a second thread, and with the caller's memory: the outputs have to be
// the same bytes each time.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_plan.h"

enum { MOST = 16, ROUNDS = 20 };

static void fill(pr_plan *plan) {
  for (size_t i = 0; i < pr_plan_input_count(plan); ++i) {
    size_t nbytes;
    uint8_t *memory = pr_plan_input(plan, i, &nbytes);
    for (size_t at = 0; at + 4 <= nbytes; at += 4) {
      float value = (float)(at % 97) * 0.001f;
      memcpy(memory + at, &value, 4);
    }
  }
}

static uint64_t digest(pr_plan *plan) {
  uint64_t found = 1469598103934665603ull;
  for (size_t i = 0; i < pr_plan_output_count(plan); ++i) {
    size_t nbytes;
    const uint8_t *memory = pr_plan_output(plan, i, &nbytes);
    for (size_t at = 0; at < nbytes; ++at) found = (found ^ memory[at]) * 1099511628211ull;
  }
  return found;
}

static int same(pr_plan *plan, uint64_t want, const char *how) {
  if (digest(plan) == want) return 1;
  fprintf(stderr, "%s gives other bytes\n", how);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  char err[512];
  pr_plan *plan = pr_plan_open_entry(argv[1], argv[2], argv[3], NULL, 0, err, sizeof err);
  if (!plan) {
    fprintf(stderr, "%s\n", err);
    return 1;
  }
  fill(plan);
  if (pr_plan_run(plan, NULL)) return 1;
  uint64_t want = digest(plan);
  volatile int now = 1, later = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    fill(plan);
    if (pr_plan_run(plan, &now) != PR_PREEMPTED || pr_plan_run(plan, &later)) return 1;
    if (!same(plan, want, "preempted")) return 1;
  }
  pr_team *team = pr_team_start(-1, 0);
  if (!team || pr_plan_join(plan, team)) return 1;
  for (int i = 0; i < ROUNDS; ++i) {
    fill(plan);
    if (pr_plan_run(plan, NULL) || !same(plan, want, "a second thread")) return 1;
  }
  void *own[MOST] = {0};
  for (size_t i = 0; i < pr_plan_output_count(plan) && i < MOST; ++i) {
    size_t nbytes;
    pr_plan_output(plan, i, &nbytes);
    if (posix_memalign(&own[i], PR_ALIGNMENT, nbytes)) return 1;
    if (pr_plan_bind_output(plan, i, own[i], nbytes - 1) != PR_SIZE) return 1;
    if (pr_plan_bind_output(plan, i, (char *)own[i] + 4, nbytes) != PR_MISALIGNED) return 1;
    if (pr_plan_bind_output(plan, i, own[i], nbytes)) return 1;
  }
  fill(plan);
  if (pr_plan_bind_output(plan, 99, own[0], 1) != PR_INDEX) return 1;
  if (pr_plan_run(plan, NULL) || !same(plan, want, "the caller's memory")) return 1;
  printf("%016llx\n", (unsigned long long)want);
  pr_team_stop(team);
  if (pr_plan_run(plan, NULL) || !same(plan, want, "a team that was stopped")) return 1;
  pr_plan_close(plan);
  pr_team_close(team);
  for (int i = 0; i < MOST; ++i) free(own[i]);
  return 0;
}
