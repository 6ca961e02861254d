#include "pr_island.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A stamp may lie this far ahead of us: the writer took it after our period had begun. */
#define AHEAD_NS 1000000
/* And this far if we were held up between our clock and the port: then it is left for the next period. */
#define SOON_NS 1000000000

/* A word of a message, whatever type its field has. */
typedef uint64_t __attribute__((may_alias)) word;

size_t pr_island_size(void) { return sizeof(pr_island); }

size_t pr_policy_inputs(const pr_config *c) { return 4 * c->joints + c->sensors; }

/* Slicing by eight: the check of a message costs a third of a microsecond. */
uint32_t pr_crc32(const void *data, size_t bytes) {
  static uint32_t table[8][256];
  static int made;
  if (!made) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t crc = i;
      for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
      table[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++)
      for (int t = 1; t < 8; t++) table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 255];
    made = 1;
  }
  const uint8_t *p = data;
  uint32_t crc = ~0u;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    word ^= crc;
    crc = table[7][word & 255] ^ table[6][word >> 8 & 255] ^ table[5][word >> 16 & 255] ^
          table[4][word >> 24 & 255] ^ table[3][word >> 32 & 255] ^ table[2][word >> 40 & 255] ^
          table[1][word >> 48 & 255] ^ table[0][word >> 56];
  }
  while (bytes--) crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
  return ~crc;
}

uint64_t pr_bin(uint64_t ns) {
  if (ns < PR_SUB_BINS) return ns;
  uint64_t octave = 59 - (uint64_t)__builtin_clzll(ns); /* 2^4 sub-bins */
  uint64_t bin = (octave + 1) * PR_SUB_BINS + ((ns >> octave) - PR_SUB_BINS);
  return bin < PR_BINS ? bin : PR_BINS - 1;
}

static int fail(char *err, size_t size, const char *what) {
  snprintf(err, size, "%s", what);
  return 1;
}

int pr_config_check(const pr_config *c, char *err, size_t err_size) {
  if (c->check != pr_crc32(c, offsetof(pr_config, check))) return fail(err, err_size, "its checksum is wrong");
  if (c->joints < 1 || c->joints > PR_JOINTS || c->sensors > PR_SENSORS)
    return fail(err, err_size, "too many joints or sensors");
  if (c->period_ns < 10000 || c->period_ns > 1000000000) return fail(err, err_size, "no such period");
  if (!(0 < c->extrapolate_ns && c->extrapolate_ns <= c->decelerate_ns && c->decelerate_ns <= c->hold_ns &&
        c->hold_ns <= c->stop_ns && 0 < c->blind_ns))
    return fail(err, err_size, "the times of the ladder do not rise");
  for (size_t j = 0; j < c->joints; j++) {
    int sound = c->position_low[j] < c->position_high[j] && c->velocity[j] > 0 && c->torque[j] > 0 &&
                c->torque_rate[j] > 0 && c->kp[j] >= 0 && c->kd[j] >= 0 && isfinite(c->velocity[j]) &&
                isfinite(c->torque[j]) && isfinite(c->torque_rate[j]) && isfinite(c->kp[j]) &&
                isfinite(c->kd[j]);
    if (!sound) return fail(err, err_size, "limits or gains of a joint cannot be");
  }
  if (c->network[sizeof c->network - 1] || c->policy_plan[sizeof c->policy_plan - 1] ||
      c->policy_library[sizeof c->policy_library - 1] || c->policy_entry[sizeof c->policy_entry - 1])
    return fail(err, err_size, "a path has no end");
  if (c->policy_plan[0] && c->network[0]) return fail(err, err_size, "it names a network and a policy");
  if (c->policy_plan[0] && c->policy_budget_ns != PR_NO_END_NS &&
      (c->policy_budget_ns < 1 || c->policy_budget_ns > c->period_ns))
    return fail(err, err_size, "the policy's part of the period cannot be");
  if (c->policy_second < -1 || (c->policy_second >= 0 && c->policy_second == c->core))
    return fail(err, err_size, "the policy's second thread has no core of its own");
  return 0;
}

int pr_island_init(pr_island *island, const pr_config *config, const pr_policy *policy, char *err,
                   size_t err_size) {
  if (pr_config_check(config, err, err_size)) return 1;
  memset(island, 0, sizeof *island);
  island->config = *config;
  if (policy) island->policy = *policy;
  island->rung = PR_RUNG_STOP + 1; /* none yet */
  island->blind = 1;
  (void)pr_crc32("", 0);
  return 0;
}

static int finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return 0;
  return 1;
}

/* Copy a message if it is new: 0 nothing new, 1 new and whole, 2 broken. */
static int receive(const void *shared, void *copy, size_t bytes, uint64_t seen) {
  const volatile word *words = shared;
  size_t last = bytes / 8 - 1;
  word *out = copy;
  uint64_t end = words[last];
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (end == seen && words[0] == seen) return 0;
  for (size_t i = 1; i < last; i++) out[i] = words[i];
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  out[0] = words[0];
  out[last] = end;
  if (out[0] != end) return 2;
  return out[last - 1] == pr_crc32(out + 1, bytes - 24) ? 1 : 2;
}

/* Whether to count a broken message: once, when it is found the second time. At the first it may just have
   been under way. */
static int settled(uint64_t key, pr_broken *before) {
  before->times = key == before->key ? before->times + (before->times < 3) : 1;
  before->key = key;
  return before->times == 2;
}

static int soon(int64_t stamp_ns, int64_t now_ns) {
  return stamp_ns > now_ns + AHEAD_NS && stamp_ns < now_ns + SOON_NS;
}

static void look_at_target(pr_island *is, const pr_target *shared, int64_t now_ns, pr_counts *counts) {
  pr_target t;
  int found = receive(shared, &t, sizeof t, is->seen_target);
  if (found == 2 && settled(t.seq ^ t.last << 32 ^ t.check, &is->broken_target))
    counts->target_refused[PR_REFUSED_TORN]++;
  if (found != 1 || soon(t.stamp_ns, now_ns)) return;
  is->seen_target = t.seq;
  size_t n = is->config.joints;
  if (!finite(t.position, n) || !finite(t.velocity, n))
    counts->target_refused[PR_REFUSED_NOT_FINITE]++;
  else if (t.stamp_ns > now_ns + AHEAD_NS)
    counts->target_refused[PR_REFUSED_FROM_THE_FUTURE]++;
  else if (t.stamp_ns < is->target.stamp_ns) /* before the first: below zero, where no clock was */
    counts->target_refused[PR_REFUSED_OUT_OF_ORDER]++;
  else {
    is->target = t;
    is->has_target = 1;
    counts->targets++;
    if (t.writer != is->writer) counts->writers++;
    is->writer = t.writer;
  }
}

static void look_at_state(pr_island *is, const pr_state *shared, int64_t now_ns, pr_counts *counts) {
  pr_state s;
  int found = receive(shared, &s, sizeof s, is->seen_state);
  if (found == 2 && settled(s.seq ^ s.last << 32 ^ s.check, &is->broken_state))
    counts->state_refused[PR_REFUSED_TORN]++;
  if (found != 1 || soon(s.stamp_ns, now_ns)) return;
  is->seen_state = s.seq;
  size_t n = is->config.joints;
  if (!finite(s.position, n) || !finite(s.velocity, n) || !finite(s.sensors, is->config.sensors))
    counts->state_refused[PR_REFUSED_NOT_FINITE]++;
  else if (s.stamp_ns > now_ns + AHEAD_NS)
    counts->state_refused[PR_REFUSED_FROM_THE_FUTURE]++;
  else if (s.stamp_ns < is->state.stamp_ns)
    counts->state_refused[PR_REFUSED_OUT_OF_ORDER]++;
  else {
    is->state = s;
    counts->states++;
    is->has_state = 1;
  }
}

void pr_island_look(pr_island *is, const pr_target *target, const pr_state *state, int64_t now_ns,
                    pr_counts *counts) {
  look_at_state(is, state, now_ns, counts);
  look_at_target(is, target, now_ns, counts);
}

static uint64_t rung_of(const pr_config *c, int64_t age_ns) {
  if (age_ns < c->extrapolate_ns) return PR_RUNG_USE;
  if (age_ns < c->decelerate_ns) return PR_RUNG_EXTRAPOLATE;
  if (age_ns < c->hold_ns) return PR_RUNG_DECELERATE;
  return age_ns < c->stop_ns ? PR_RUNG_HOLD : PR_RUNG_STOP;
}

/* How far a target of this age has gone along its own velocity, in seconds, and how much of it is left: all
   of it until `decelerate`, fading evenly to nothing until `hold`. */
static void advance(const pr_config *c, int64_t age_ns, double *seconds, double *share) {
  double age = 1e-9 * (double)(age_ns > 0 ? age_ns : 0), start = 1e-9 * (double)c->decelerate_ns;
  double fade = 1e-9 * (double)(c->hold_ns - c->decelerate_ns);
  if (age < start) {
    *seconds = age, *share = 1;
  } else if (age < start + fade) {
    double x = age - start;
    *seconds = start + x - x * x / (2 * fade), *share = 1 - x / fade;
  } else {
    *seconds = start + fade / 2, *share = 0;
  }
}

static double clamp(double value, double low, double high, uint64_t *hit) {
  if (value < low) {
    ++*hit;
    return low;
  }
  if (value > high) {
    ++*hit;
    return high;
  }
  return value;
}

/* Where the PD is to pull to, within the limits of position and velocity. */
static void refer(pr_island *is, int64_t age_ns, double dt, double *velocity, uint64_t *limited) {
  const pr_config *c = &is->config;
  double seconds, share;
  advance(c, age_ns, &seconds, &share);
  for (size_t j = 0; j < c->joints; j++) {
    double v = clamp(is->target.velocity[j], -c->velocity[j], c->velocity[j], &limited[PR_LIMIT_VELOCITY]);
    double wanted = is->has_target ? is->target.position[j] + seconds * v : is->reference[j];
    wanted = clamp(wanted, c->position_low[j], c->position_high[j], &limited[PR_LIMIT_POSITION]);
    double from = is->reference[j], most = c->velocity[j] * dt;
    /* Beyond a limit already (that is where the robot was found): only back. What is wanted is reached to the
       bit: a sum with the last reference may be rounded beyond it. */
    is->reference[j] = clamp(wanted, from - most, from + most, &limited[PR_LIMIT_VELOCITY]);
    velocity[j] = is->has_target ? share * v : 0;
    if (wanted <= c->position_low[j] || wanted >= c->position_high[j]) velocity[j] = 0;
  }
}

/* What the policy adds to the reference; nothing if it fails, is given up, or gives what is not finite. */
static void correct(pr_island *is, int64_t until_ns, const double *velocity, double *correction,
                    pr_counts *counts) {
  const pr_config *c = &is->config;
  size_t n = c->joints;
  float *in = is->policy_in;
  for (size_t j = 0; j < n; j++) {
    in[j] = (float)(is->reference[j] - is->state.position[j]);
    in[n + j] = (float)velocity[j];
    in[2 * n + j] = (float)is->state.position[j];
    in[3 * n + j] = (float)is->state.velocity[j];
  }
  for (size_t i = 0; i < c->sensors; i++) in[4 * n + i] = (float)is->state.sensors[i];
  int how = is->policy.run(is->policy.self, in, is->policy_out, until_ns);
  counts->policy_late += how == PR_POLICY_LATE || how == PR_POLICY_DROPPED;
  counts->policy_dropped += how == PR_POLICY_DROPPED;
  if (how == PR_POLICY_DROPPED) return;
  int sound = how != PR_POLICY_FAILED;
  for (size_t j = 0; j < n; j++) sound = sound && isfinite(is->policy_out[j]);
  if (!sound) {
    counts->not_finite++;
    return;
  }
  counts->policy_runs++;
  for (size_t j = 0; j < n; j++) {
    /* Where the PD pulls to stays within the limits, or as far beyond them as the reference is. */
    double low = fmin(c->position_low[j], is->reference[j]), high = fmax(c->position_high[j], is->reference[j]);
    double pull = is->reference[j] + is->policy_out[j];
    correction[j] = clamp(pull, low, high, &counts->limited[PR_LIMIT_POSITION]) - is->reference[j];
  }
}

/* The torque that leaves: what is wanted, within the limits of torque, of its change, and of the joint. What the
   joint forbids, and what nobody sees the effect of, is gone at once: on the way down at its rate it would push on. */
static double permit(pr_island *is, size_t j, double wanted, double dt, uint64_t *limited) {
  const pr_config *c = &is->config;
  const pr_state *s = &is->state;
  if (is->blind) return 0;
  double torque = clamp(wanted, -c->torque[j], c->torque[j], &limited[PR_LIMIT_TORQUE]);
  double most = c->torque_rate[j] * dt;
  /* What the rate allows is what was wanted, to the bit: a sum with the last torque may be rounded beyond it. */
  torque = clamp(torque, is->torque[j] - most, is->torque[j] + most, &limited[PR_LIMIT_TORQUE_RATE]);
  if (fabs(s->velocity[j]) > c->velocity[j] && torque * s->velocity[j] > 0)
    torque = 0, limited[PR_LIMIT_OVERSPEED]++;
  if ((s->position[j] > c->position_high[j] && torque > 0) ||
      (s->position[j] < c->position_low[j] && torque < 0))
    torque = 0, limited[PR_LIMIT_END_STOP]++;
  return torque;
}

void pr_island_step(pr_island *is, int64_t now_ns, int64_t until_ns, pr_command *command, pr_counts *counts) {
  const pr_config *c = &is->config;
  size_t n = c->joints;
  double velocity[PR_JOINTS] = {0}, correction[PR_JOINTS] = {0};
  /* A period is a period, however late it begins: what the limits allow in one does not grow by that. */
  double dt = 1e-9 * (double)c->period_ns;
  int64_t age_ns = is->has_target ? now_ns - is->target.stamp_ns : 0;
  uint64_t rung = is->has_target ? rung_of(c, age_ns) : PR_RUNG_HOLD;
  int blind = !is->has_state || now_ns - is->state.stamp_ns >= c->blind_ns;
  int64_t gap_ns = is->stepped_ns ? now_ns - is->stepped_ns : 0;
  int let_go = gap_ns > PR_DEAD_PERIODS * c->period_ns; /* motors, while it was held up */
  is->stepped_ns = now_ns;

  if (rung != is->rung) counts->rung_entered[rung]++;
  if (blind && !is->blind) counts->blind_entered++;
  int fell = let_go && (gap_ns >= c->blind_ns || gap_ns >= c->stop_ns);
  int regained = (is->blind || fell) && !blind;
  is->rung = rung, is->blind = blind;
  counts->rung = rung;
  counts->rung_periods[rung]++;
  counts->blind_periods += (uint64_t)blind;
  if (is->has_target && age_ns >= 0) {
    counts->age[pr_bin((uint64_t)age_ns)]++;
    if ((uint64_t)age_ns > counts->age_max_ns) counts->age_max_ns = (uint64_t)age_ns;
  }

  if (let_go) memset(is->torque, 0, sizeof is->torque);
  /* Let go, or just seen again: what follows begins where the robot is. */
  if (regained || (rung == PR_RUNG_STOP && !blind))
    memcpy(is->reference, is->state.position, sizeof is->reference);
  if (rung != PR_RUNG_STOP && !blind) refer(is, age_ns, dt, velocity, counts->limited);
  int driven = rung != PR_RUNG_STOP && !blind;
  if (driven && is->policy.run) correct(is, until_ns, velocity, correction, counts);
  for (size_t j = 0; j < n; j++) {
    double error = driven ? is->reference[j] + correction[j] - is->state.position[j] : 0;
    double wanted = blind ? 0 : c->kp[j] * error + c->kd[j] * (velocity[j] - is->state.velocity[j]);
    if (!isfinite(wanted)) wanted = 0, counts->not_finite++;
    is->torque[j] = permit(is, j, wanted, dt, counts->limited);
    command->position[j] = is->reference[j];
    command->velocity[j] = velocity[j];
    command->torque[j] = is->torque[j];
  }
  command->stamp_ns = now_ns;
  command->rung = rung;
  command->flags = (blind ? PR_BLIND : 0u) | (driven ? 0u : PR_LIMP);
}

void pr_command_publish(pr_command *shared, pr_command *command, uint64_t seq) {
  size_t last = sizeof *command / 8 - 1;
  command->seq = command->last = seq;
  command->check = pr_crc32((uint8_t *)command + 8, sizeof *command - 24);
  volatile word *out = (volatile word *)shared;
  const word *in = (const word *)command;
  out[0] = in[0];
  __atomic_thread_fence(__ATOMIC_RELEASE);
  for (size_t i = 1; i < last; i++) out[i] = in[i];
  __atomic_thread_fence(__ATOMIC_RELEASE);
  out[last] = in[last];
}
