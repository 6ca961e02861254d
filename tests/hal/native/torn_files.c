// Files that change while they are read: `torn_files PLAN LIBRARY OTHER_LIBRARY HOW`, paths of copies.
//
// digested   the library is another one as soon as it was digested: what runs is what was digested
// cut        the same, and it has no bytes left
// shorter    it loses half of its bytes after its size was looked at
// plan       the plan has no bytes left once it was read
// Prints the first number that the only entry gives for zeros, or the message. Linked with -Wl,--wrap=pr_sha256,--wrap=read.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pr_internal.h"
#include "pr_sha256.h"

static const char *library, *other, *how;
static int armed;

static void overwrite(void) {
  static char block[1 << 16];
  int from = open(other, O_RDONLY), to = open(library, O_WRONLY);
  for (ssize_t n; (n = read(from, block, sizeof block)) > 0;) {
    if (write(to, block, (size_t)n) != n) break;
  }
  close(from);
  close(to);
}

void __real_pr_sha256(const void *data, size_t nbytes, uint8_t digest[32]);
void __wrap_pr_sha256(const void *data, size_t nbytes, uint8_t digest[32]);
void __wrap_pr_sha256(const void *data, size_t nbytes, uint8_t digest[32]) {
  __real_pr_sha256(data, nbytes, digest);
  if (!armed) return;
  armed = 0;
  if (!strcmp(how, "digested")) overwrite();
  if (!strcmp(how, "cut") && truncate(library, 0)) perror(library);
}

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n) {
  if (armed && !strcmp(how, "shorter")) {
    armed = 0;
    if (truncate(library, (off_t)n / 2)) perror(library);
  }
  return __real_read(fd, to, n);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  library = argv[2];
  other = argv[3];
  how = argv[4];
  char err[512] = "";
  pr_module *module = pr_module_read(argv[1], err, sizeof err);
  if (!strcmp(how, "plan") && truncate(argv[1], 0)) perror(argv[1]);
  armed = 1;
  pr_plan *plan = module ? pr_module_open(module, library, "main", NULL, 0, err, sizeof err) : NULL;
  if (!plan) {
    printf("%s\n", err);
    return 0;
  }
  float found = 0;
  if (pr_plan_run(plan, NULL)) return 1;
  memcpy(&found, pr_plan_output(plan, 0, NULL), sizeof found);
  printf("%g\n", (double)found);
  pr_plan_close(plan);
  return 0;
}
