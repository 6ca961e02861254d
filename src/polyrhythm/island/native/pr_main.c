/* The island: one process, one loop, nothing on its path that could wait.

   island PORTS_FILE: plays on ports that somebody has made. island PORTS_FILE SETTINGS_FILE: makes them, and removes
   them at the end; names of files in the settings are as seen from where it is started. Exit codes: 0 told to stop, or
   left alone for good, 2 the ports or the configuration cannot be used. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pr_island.h"
#include "pr_ports.h"

static uint8_t *ports;
static int ports_file;
static volatile sig_atomic_t ports_lost, asked_to_stop;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The file was cut short under us: go on with memory that nobody else sees. The ports then bring nothing new,
   and the ladder is gone down as if everybody had fallen silent. */
static void on_bus_error(int number, siginfo_t *info, void *context) {
  (void)context;
  uint8_t *at = info->si_addr;
  if (ports && at >= ports && at < ports + PR_FILE_BYTES) {
    void *fresh = mmap(ports, (PR_FILE_BYTES + 4095) / 4096 * 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (fresh != MAP_FAILED) {
      ports_lost = 1;
      return;
    }
  }
  signal(number, SIG_DFL);
}

static void on_stop(int number) {
  (void)number;
  asked_to_stop = 1;
}

static int handle_signals(void) {
  struct sigaction bus = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
  struct sigaction stop = {.sa_handler = on_stop};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  return sigaction(SIGBUS, &bus, NULL) || sigaction(SIGTERM, &stop, NULL) ||
         sigaction(SIGINT, &ignore, NULL) || sigaction(SIGHUP, &ignore, NULL) ||
         sigaction(SIGPIPE, &ignore, NULL);
}

/* Rights that this process could not have, as bits. */
static uint64_t take_rights(const pr_config *c) {
  uint64_t lost = 0;
  if (c->core >= 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET((size_t)c->core, &cores);
    if (c->core >= CPU_SETSIZE || sched_setaffinity(0, sizeof cores, &cores)) lost |= 1u << PR_LOST_CORE;
  }
  if (mlockall(MCL_CURRENT | MCL_FUTURE)) lost |= 1u << PR_LOST_MEMORY_LOCK;
  struct sched_param parameters = {.sched_priority = (int)c->priority};
  if (c->priority > 0 && sched_setscheduler(0, SCHED_FIFO, &parameters)) lost |= 1u << PR_LOST_FIFO;
  prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
  return lost;
}

/* The policy's second thread, NULL if it has none. Before memory is locked: so its stack is, too. */
static pr_team *second;

static uint64_t start_second(const pr_config *c, pr_policy *policy) {
  int fifo;
  if (c->policy_second < 0) return 0;
  second = pr_team_start_resting((int)c->policy_second, (int)c->priority, &fifo);
  if (!second || pr_policy_share(policy, second)) return 1u << PR_LOST_SECOND;
  return c->priority > 0 && !fifo ? 1u << PR_LOST_SECOND_FIFO : 0;
}

static int map_ports(const char *path) {
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat status;
  if (fd < 0 || fstat(fd, &status)) return pr_refuse(path, strerror(errno));
  if (status.st_uid != geteuid()) return pr_refuse(path, "the file belongs to another user");
  if (status.st_size != PR_FILE_BYTES) return pr_refuse(path, "the file has another size than the layout");
  void *mapped = mmap(NULL, PR_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (mapped == MAP_FAILED) return pr_refuse(path, strerror(errno));
  /* Held until this process ends, whatever ends it: who finds it free knows that nobody plays. */
  struct flock mine = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = PR_ISLAND_LOCK, .l_len = 1};
  if (fcntl(fd, F_OFD_SETLK, &mine)) return pr_refuse(path, "an island plays here already");
  ports = mapped, ports_file = fd;
  pr_header header;
  memcpy(&header, ports + PR_AT_HEADER, sizeof header);
  if (header.magic != PR_MAGIC || header.bytes != PR_FILE_BYTES) return pr_refuse(path, "these are no ports");
  if (header.layout != PR_LAYOUT) return pr_refuse(path, "these ports have another layout");
  return 0;
}

/* Whether nobody will ever find these ports again: they were cut short, or removed. */
static int orphaned(void) {
  struct stat status;
  return ports_lost || fstat(ports_file, &status) || !status.st_nlink;
}

static void note_time(uint64_t *bins, uint64_t *largest, int64_t ns) {
  uint64_t value = ns > 0 ? (uint64_t)ns : 0;
  bins[pr_bin(value)]++;
  if (value > *largest) *largest = value;
}

static void play(pr_island *island, pr_counts *counts) {
  pr_command command = {0};
  int64_t period_ns = island->config.period_ns, due_ns = now_ns() / period_ns * period_ns + 2 * period_ns;
  uint64_t seq = 0;
  while (!asked_to_stop) {
    struct timespec due = {.tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000};
    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL)) continue; /* a signal */
    seq++;
    int64_t woke_ns = now_ns();
    pr_island_look(island, (pr_target *)(void *)(ports + PR_AT_TARGET),
                   (pr_state *)(void *)(ports + PR_AT_STATE), woke_ns, counts);
    /* Counted from when it is due: who wakes late has less time for the policy, and not more of the period. */
    pr_island_step(island, woke_ns, due_ns + island->config.policy_budget_ns, &command, counts);
    pr_command_publish((pr_command *)(void *)(ports + PR_AT_COMMAND), &command, seq);
    int64_t done_ns = now_ns();
    note_time(counts->wake, &counts->wake_max_ns, woke_ns - due_ns);
    note_time(counts->execution, &counts->execution_max_ns, done_ns - woke_ns);
    note_time(counts->response, &counts->response_max_ns, done_ns - due_ns);
    counts->heartbeat_ns = woke_ns;
    __atomic_store_n(&counts->heartbeat, seq, __ATOMIC_RELEASE);
    due_ns += period_ns;
    if (done_ns >= due_ns) {
      int64_t late = (done_ns - due_ns) / period_ns + 1;
      counts->missed += (uint64_t)late;
      due_ns += late * period_ns;
    }
    if (second) {
      pr_team_rest(second, due_ns, due_ns + island->config.policy_budget_ns);
      counts->second_taken = pr_team_taken(second);
      counts->second_left = pr_team_left(second);
    }
    if (ports_lost) counts->ports_lost = 1;
    if (command.flags & PR_LIMP && orphaned()) break; /* it has let go, and cannot be told to do more */
    if (((volatile pr_control *)(void *)(ports + PR_AT_CONTROL))->stop == (uint64_t)getpid()) break;
  }
}

/* Held by one that is started by hand, until it can be found and asked. */
static int lock = -1;

static void let_others_look(const char *path) {
  if (lock >= 0) pr_alone_no_more(path, lock);
  lock = -1;
}

/* Told to stop by the system when the thread that started it is no more. */
static int end_with(uint64_t process) {
  if (process && prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0, 0, 0)) return pr_refuse("prctl", strerror(errno));
  if (process && (uint64_t)getppid() != process) return pr_refuse("configuration", "who started it is no more");
  return 0;
}

static int run(const char *path) {
  static pr_config config;
  memcpy(&config, ports + PR_AT_CONFIG, sizeof config);
  char why[1024];
  static pr_island island;
  pr_policy policy = {0};
  if (pr_config_check(&config, why, sizeof why)) return pr_refuse("configuration", why);
  if (end_with(config.ends_with)) return 2;
  if (pr_policy_open(&config, &policy, why, sizeof why)) return pr_refuse("policy", why);
  if (pr_island_init(&island, &config, &policy, why, sizeof why)) return pr_refuse("configuration", why);
  pr_counts *counts = (pr_counts *)(void *)(ports + PR_AT_COUNTS);
  memset(counts, 0, sizeof *counts);
  counts->pid = (uint64_t)getpid();
  counts->started_ns = now_ns();
  counts->lost = start_second(&config, &policy);
  counts->lost |= take_rights(&config);
  counts->heartbeat_ns = now_ns(); /* it does not hang, it is about to begin */
  let_others_look(path);
  play(&island, counts);
  if (config.ends_with) pr_ports_remove(path, ports_file); /* who would do it may be no more */
  if (second) pr_team_stop(second); /* before the memory goes that it may be working on */
  pr_policy_close(&policy);
  pr_team_close(second);
  return 0;
}

/* From no ports to an island that plays: nobody else finds none meanwhile. */
static int start_by_hand(const char *path, const char *settings) {
  lock = pr_alone(path);
  if (lock < 0) return pr_refuse(path, strerror(errno));
  int refused = pr_ports_make(path, settings);
  return refused ? refused : map_ports(path);
}

int main(int count, char **arguments) {
  if (count != 2 && count != 3) return pr_refuse("usage", "island PORTS_FILE [SETTINGS_FILE]");
  if (handle_signals()) return pr_refuse("signals", strerror(errno)); /* before there is anything to leave behind */
  const char *path = arguments[1];
  int by_hand = count == 3, result = by_hand ? start_by_hand(path, arguments[2]) : map_ports(path);
  if (!result) result = run(path);
  let_others_look(path);
  if (by_hand && ports) pr_ports_remove(path, ports_file);
  return asked_to_stop ? 0 : result;
}
