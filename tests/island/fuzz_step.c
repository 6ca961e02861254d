/* Throws whole messages of every kind at the step, and looks at each command: fuzz_step ROUNDS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_island.h"

static uint64_t chance = 88172645463325252ull;

static uint64_t next(void) {
  chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
  return chance;
}

/* Times and numbers at the edges of what there is, and ordinary ones. */
static int64_t stamp(int64_t now_ns) {
  const int64_t odd[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX, INT64_MAX - 1000000, now_ns + 1000000,
                         now_ns + 3000000};
  uint64_t which = next() % 27;
  return which < 9 ? odd[which] : now_ns - (int64_t)(next() % 20000000);
}

static double number(void) {
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 0, -0.0};
  uint64_t which = next() % 64;
  return which < 8 ? odd[which] : (double)(int64_t)next() / 9e18 * 3;
}

static void sign_message(void *message, size_t bytes, uint64_t seq) {
  uint64_t *words = message;
  words[0] = words[bytes / 8 - 1] = seq;
  words[bytes / 8 - 2] = pr_crc32(words + 1, bytes - 24);
}

static void check(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  static pr_config config;
  config = (pr_config){.joints = 2, .sensors = 1, .period_ns = 1000000, .extrapolate_ns = 5000000,
                       .decelerate_ns = 10000000, .hold_ns = 20000000, .stop_ns = 40000000,
                       .blind_ns = 8000000, .core = -1};
  for (size_t j = 0; j < 2; j++) {
    config.position_low[j] = -1, config.position_high[j] = 1, config.velocity[j] = 2, config.torque[j] = 5;
    config.torque_rate[j] = 500, config.kp[j] = 40, config.kd[j] = 1;
  }
  config.check = pr_crc32(&config, offsetof(pr_config, check));
  static pr_island island;
  static pr_target target;
  static pr_state state;
  static pr_command command;
  static pr_counts counts;
  char why[256];
  check(!pr_island_init(&island, &config, NULL, why, sizeof why), why);
  int64_t now_ns = 1000000000;
  double before[2] = {0};
  for (long round = 0; round < atol(arguments[1]); round++, now_ns += config.period_ns) {
    if (next() % 3) {
      target.stamp_ns = stamp(now_ns);
      for (size_t j = 0; j < 2; j++) target.position[j] = number(), target.velocity[j] = number();
      sign_message(&target, sizeof target, next() % 9 ? target.seq + 1 : next());
    }
    if (next() % 5) {
      state.stamp_ns = next() % 9 ? now_ns : stamp(now_ns);
      for (size_t j = 0; j < 2; j++) state.position[j] = number(), state.velocity[j] = number();
      state.sensors[0] = number();
      sign_message(&state, sizeof state, next() % 9 ? state.seq + 1 : next());
    }
    pr_island_look(&island, &target, &state, now_ns, &counts);
    pr_island_step(&island, now_ns, 0, &command, &counts);
    for (size_t j = 0; j < 2; j++) {
      double torque = command.torque[j], x = island.state.position[j], v = island.state.velocity[j];
      check(isfinite(torque) && isfinite(command.position[j]), "every command is finite");
      check(fabs(torque) <= 5, "the torque is within its limit");
      check(!(fabs(v) > 2 && torque * v > 0), "no joint that is too fast is driven on");
      check(!(x > 1 && torque > 0) && !(x < -1 && torque < 0), "no joint beyond its end is driven on");
      check(!(command.flags & PR_BLIND && torque != 0), "there is no torque in the dark");
      check(fabs(torque - before[j]) <= 0.5 + 1e-9 || torque == 0, "the torque's rate, but for a cut");
      before[j] = torque;
    }
    check(island.target.stamp_ns >= 0 && island.state.stamp_ns >= 0, "no time lies before the clock");
  }
  printf("%lu %lu %lu\n", counts.targets, counts.states, counts.target_refused[PR_REFUSED_OUT_OF_ORDER]);
  return 0;
}
