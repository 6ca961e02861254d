/* What stands behind the island's hook: a network of network.py, or a static plan of the compiler's. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pr_island.h"

#define MOST_INPUTS 8

/* What a plan may ask for by name: numbers of the step's own vector, from one place on. */
typedef struct {
  const char *name;
  size_t at, count;
} part;

typedef struct {
  void *file; /* the plan, with its weights */
  pr_plan *plan;
  size_t inputs;
  struct {
    void *to;
    size_t at, bytes;
  } input[MOST_INPUTS];
  const void *output;
  size_t output_bytes;
} planned;

static int say(char *err, size_t size, const char *path, const char *what) {
  snprintf(err, size, "%s: %s", path, what);
  return 1;
}

static void planned_close(void *self) {
  planned *p = self;
  if (!p) return;
  pr_plan_close(p->plan);
  free(p->file), free(p);
}

/* To the end, or not at all: a result that was begun with the state of an earlier period is an answer to an old
   question, and would make the next one late as well. */
static int planned_run(void *self, const float *in, float *out, int64_t until_ns) {
  planned *p = self;
  if (!pr_plan_settled(p->plan, until_ns)) return PR_POLICY_DROPPED;
  for (size_t i = 0; i < p->inputs; i++) memcpy(p->input[i].to, in + p->input[i].at, p->input[i].bytes);
  int result = pr_plan_run_until(p->plan, until_ns);
  if (result == PR_PREEMPTED) {
    pr_plan_reset(p->plan);
    return PR_POLICY_DROPPED;
  }
  if (result != PR_DONE) return PR_POLICY_FAILED;
  memcpy(out, p->output, p->output_bytes);
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  int late = until_ns && (int64_t)t.tv_sec * 1000000000 + t.tv_nsec > until_ns;
  return late ? PR_POLICY_LATE : PR_POLICY_DONE;
}

static int connect_input(planned *p, size_t index, const part *parts, size_t count, char *err, size_t size) {
  const char *name = pr_plan_input_name(p->plan, index), *type = pr_plan_input_type(p->plan, index);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(parts[i].name, name)) continue;
    size_t nbytes;
    void *to = pr_plan_input(p->plan, index, &nbytes);
    if (strncmp(type, "f32[", 4) || nbytes != parts[i].count * sizeof(float)) {
      snprintf(err, size, "its input %s is %s, the island gives f32[%zu]", name, type, parts[i].count);
      return 1;
    }
    p->input[p->inputs].to = to, p->input[p->inputs].at = parts[i].at, p->input[p->inputs++].bytes = nbytes;
    return 0;
  }
  snprintf(err, size, "the island has nothing called %s", name);
  return 1;
}

/* The input that an output replaces would keep something from run to run, and runs are given up. */
static int connect(planned *p, const pr_config *c, char *err, size_t size) {
  size_t n = c->joints;
  const part parts[] = {{"error", 0, n},        {"target_velocity", n, n},        {"position", 2 * n, n},
                        {"velocity", 3 * n, n}, {"sensors", 4 * n, c->sensors},
                        {"observation", 0, pr_policy_inputs(c)}};
  if (pr_plan_input_count(p->plan) > MOST_INPUTS || pr_plan_output_count(p->plan) != 1) {
    snprintf(err, size, "it takes too much, or does not give one output");
    return 1;
  }
  for (size_t i = 0; i < pr_plan_input_count(p->plan); i++)
    if (connect_input(p, i, parts, sizeof parts / sizeof *parts, err, size)) return 1;
  p->output = pr_plan_output(p->plan, 0, &p->output_bytes);
  const char *type = pr_plan_output_type(p->plan, 0);
  for (size_t i = 0; i < pr_plan_input_count(p->plan); i++) {
    if (pr_plan_input(p->plan, i, NULL) != p->output) continue;
    snprintf(err, size, "its output replaces its input %s", pr_plan_input_name(p->plan, i));
    return 1;
  }
  if (!strncmp(type, "f32[", 4) && p->output_bytes == n * sizeof(float)) return 0;
  snprintf(err, size, "it gives %s, the island takes f32[%zu]", type, n);
  return 1;
}

/* Opened, checked, connected and run once, which touches every page and every kernel. */
static int planned_open(const pr_config *c, pr_policy *policy, char *err, size_t err_size) {
  char why[512];
  size_t bytes;
  planned *p = calloc(1, sizeof *p);
  if (!p) return say(err, err_size, c->policy_plan, "there is no memory for it");
  p->file = pr_slurp(c->policy_plan, &bytes);
  pr_module *module = NULL;
  if (!p->file)
    snprintf(why, sizeof why, "it cannot be read");
  else
    module = pr_module_parse(p->file, bytes, why, sizeof why);
  if (module) p->plan = pr_module_open(module, c->policy_library, c->policy_entry, NULL, 0, why, sizeof why);
  int failed = !p->plan || connect(p, c, why, sizeof why);
  if (!failed && pr_plan_run(p->plan, NULL)) {
    snprintf(why, sizeof why, "a kernel of it fails");
    failed = 1;
  }
  if (failed) {
    planned_close(p);
    return say(err, err_size, c->policy_plan, why);
  }
  *policy = (pr_policy){p, planned_run, planned_close};
  return 0;
}

int pr_policy_open(const pr_config *c, pr_policy *policy, char *err, size_t err_size) {
  char why[512];
  *policy = (pr_policy){0};
  if (c->policy_plan[0]) return planned_open(c, policy, err, err_size);
  if (!c->network[0]) return 0;
  void *network = pr_network_open(c->network, pr_policy_inputs(c), c->joints, why, sizeof why);
  if (!network) return say(err, err_size, c->network, why);
  *policy = (pr_policy){network, pr_network_run, pr_network_close};
  return 0;
}

int pr_policy_share(pr_policy *policy, pr_team *team) {
  return policy->run != planned_run || pr_plan_join(((planned *)policy->self)->plan, team);
}

void pr_policy_close(pr_policy *policy) {
  if (policy->close) policy->close(policy->self);
  *policy = (pr_policy){0};
}
