/* The island's step: ladder, limits, PD, by the time that it is given. No system call, no allocation. Only a
   policy reads a clock, to keep to its part of the period. */
#ifndef PR_ISLAND_H
#define PR_ISLAND_H

#include <stddef.h>
#include <stdint.h>

#include "pr_layout.h"
#include "pr_plan.h"

/* What came of a policy's run. Late: whole, but after its part of the period; dropped: given up for that. */
enum { PR_POLICY_DONE, PR_POLICY_FAILED, PR_POLICY_DROPPED, PR_POLICY_LATE };

/* A network or a static plan in front of the PD: what it adds to the position targets. `until_ns` of the
   monotonic clock is the end of its part of the period; 0: it has none. */
typedef struct {
  void *self;
  int (*run)(void *self, const float *in, float *out, int64_t until_ns);
  void (*close)(void *self);
} pr_policy;

/* The broken message found last, and how often in a row. */
typedef struct {
  uint64_t key, times;
} pr_broken;

typedef struct {
  pr_config config;
  pr_policy policy;
  pr_target target;   /* the newest that was taken */
  pr_state state;     /* the newest that was taken */
  double reference[PR_JOINTS]; /* where the PD pulls to */
  double torque[PR_JOINTS];    /* what left last */
  float policy_in[4 * PR_JOINTS + PR_SENSORS];
  float policy_out[PR_JOINTS];
  uint64_t seen_target, seen_state; /* the last seq looked at, taken or not */
  pr_broken broken_target, broken_state;
  int64_t stepped_ns; /* when its last period began; 0: never */
  uint64_t rung;
  uint64_t writer;
  int has_target, has_state, blind;
} pr_island;

size_t pr_island_size(void);

/* Whether a configuration can be: 0, or 1 with a reason in `err`. */
int pr_config_check(const pr_config *config, char *err, size_t err_size);

/* 0, or 1 with a reason in `err`. `config` is copied. */
int pr_island_init(pr_island *island, const pr_config *config, const pr_policy *policy, char *err,
                   size_t err_size);

/* Look at the ports; what is broken or cannot be is counted and left. */
void pr_island_look(pr_island *island, const pr_target *target, const pr_state *state, int64_t now_ns,
                    pr_counts *counts);

/* One period that begins at `now_ns`; `until_ns` is for the policy, see there. `command` is written whole but for
   seq, check and last. */
void pr_island_step(pr_island *island, int64_t now_ns, int64_t until_ns, pr_command *command, pr_counts *counts);

void pr_command_publish(pr_command *shared, pr_command *command, uint64_t seq);
uint32_t pr_crc32(const void *data, size_t bytes);
uint64_t pr_bin(uint64_t ns);

/* The number of floats that the policy of `config` is given and gives. */
size_t pr_policy_inputs(const pr_config *config);

/* The network or the static plan that a configuration names; `policy` is empty if it names none. 0, or 1 with
   a reason in `err`. */
int pr_policy_open(const pr_config *config, pr_policy *policy, char *err, size_t err_size);
void pr_policy_close(pr_policy *policy);

/* From now on a second thread shares the work of a static plan. 0, or 1 if that cannot be. */
int pr_policy_share(pr_policy *policy, pr_team *team);

/* The network of a file written by network.py; NULL with a reason in `err`. */
typedef struct pr_network pr_network;
pr_network *pr_network_open(const char *path, size_t inputs, size_t outputs, char *err, size_t err_size);
int pr_network_run(void *self, const float *in, float *out, int64_t until_ns);
void pr_network_close(void *self);

/* A whole file in memory of few pages, at a multiple of 64 bytes; NULL if it cannot be read. */
void *pr_slurp(const char *path, size_t *bytes);

#endif
