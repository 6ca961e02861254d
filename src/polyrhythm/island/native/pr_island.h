/* The island's step: ladder, limits, PD. Pure: no clock, no system call, no allocation. */
#ifndef PR_ISLAND_H
#define PR_ISLAND_H

#include <stddef.h>
#include <stdint.h>

#include "pr_layout.h"

/* A network in front of the PD: what it adds to the position targets. Returns 0, or 1 if it could not. */
typedef struct {
  void *self;
  int (*run)(void *self, const float *in, float *out);
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
  uint64_t rung;
  uint64_t writer;
  int has_target, has_state, blind;
} pr_island;

size_t pr_island_size(void);

/* 0, or 1 with a reason in `err`. `config` is copied. */
int pr_island_init(pr_island *island, const pr_config *config, const pr_policy *policy, char *err,
                   size_t err_size);

/* Look at the ports; what is broken or cannot be is counted and left. */
void pr_island_look(pr_island *island, const pr_target *target, const pr_state *state, int64_t now_ns,
                    pr_counts *counts);

/* One period that begins at `now_ns`. `command` is written whole but for seq, check and last. */
void pr_island_step(pr_island *island, int64_t now_ns, pr_command *command, pr_counts *counts);

void pr_command_publish(pr_command *shared, pr_command *command, uint64_t seq);
uint32_t pr_crc32(const void *data, size_t bytes);
uint64_t pr_bin(uint64_t ns);

/* The number of floats that the policy of `config` is given and gives. */
size_t pr_policy_inputs(const pr_config *config);

/* The network of a file written by network.py; NULL with a reason in `err`. */
typedef struct pr_network pr_network;
pr_network *pr_network_open(const char *path, size_t inputs, size_t outputs, char *err, size_t err_size);
int pr_network_run(void *self, const float *in, float *out);
void pr_network_close(pr_network *network);

#endif
