#define _GNU_SOURCE
#include "pr_ports.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pr_layout.h"

int pr_refuse(const char *what, const char *why) {
  fprintf(stderr, "island: %s: %s\n", what, why);
  return 2;
}

static int beside(char *out, const char *path, const char *ending) {
  if (snprintf(out, PATH_MAX, "%s%s", path, ending) < PATH_MAX) return 0;
  errno = ENAMETOOLONG;
  return 1;
}

static int same(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

int pr_alone(const char *path) {
  char lock[PATH_MAX];
  if (beside(lock, path, ".lock")) return -1;
  for (;;) {
    struct stat mine, there;
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return -1;
    int bad = fstat(fd, &mine);
    if (!bad && mine.st_uid != geteuid()) bad = 1, errno = EPERM;
    if (!bad) bad = flock(fd, LOCK_EX);
    /* Whoever had it before has removed it: then the lock that counts is another file's. */
    if (!bad && !stat(lock, &there) && same(&mine, &there)) return fd;
    int problem = errno;
    close(fd);
    errno = problem;
    if (bad) return -1;
  }
}

void pr_alone_no_more(const char *path, int lock) {
  char name[PATH_MAX];
  if (!beside(name, path, ".lock")) unlink(name);
  close(lock);
}

/* What a settings file holds; `settings_file` of settings.py writes it. */
typedef struct {
  pr_header header;
  pr_config config;
} settings;

/* 0, or an exit code. */
static int read_settings(const char *path, settings *found) {
  char more;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return pr_refuse(path, strerror(errno));
  int whole = read(fd, found, sizeof *found) == (ssize_t)sizeof *found && read(fd, &more, 1) == 0;
  close(fd);
  if (whole && found->header.magic == PR_MAGIC && found->header.layout == PR_LAYOUT) return 0;
  return pr_refuse(path, "these are no settings of this version");
}

static int in_use(const char *path) {
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return 0;
  struct flock island = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = PR_ISLAND_LOCK, .l_len = 1};
  int found = !fcntl(fd, F_OFD_GETLK, &island) && island.l_type != F_UNLCK;
  close(fd);
  return found;
}

static int fill(int fd, const settings *said) {
  const pr_header *header = &said->header;
  const pr_config *config = &said->config;
  /* All of it now: a full file system is an error here, and not a bus error in mid-motion. */
  int problem = posix_fallocate(fd, 0, PR_FILE_BYTES);
  if (problem) return problem;
  int whole = pwrite(fd, config, sizeof *config, PR_AT_CONFIG) == (ssize_t)sizeof *config &&
              pwrite(fd, header, sizeof *header, PR_AT_HEADER) == (ssize_t)sizeof *header;
  return whole ? 0 : EIO;
}

int pr_ports_make(const char *path, const char *settings_path) {
  static settings said;
  char new[PATH_MAX];
  int refused = read_settings(settings_path, &said);
  if (refused) return refused;
  if (in_use(path)) return pr_refuse(path, "an island plays here already");
  if (beside(new, path, ".new")) return pr_refuse(path, strerror(errno));
  unlink(new);
  int fd = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return pr_refuse(new, strerror(errno));
  int problem = fill(fd, &said);
  if (!problem && rename(new, path)) problem = errno;
  close(fd);
  if (!problem) return 0;
  unlink(new);
  return pr_refuse(path, strerror(problem));
}

void pr_ports_remove(const char *path, int file) {
  struct stat mine, there;
  int lock = pr_alone(path);
  if (!fstat(file, &mine) && !lstat(path, &there) && same(&mine, &there)) unlink(path);
  if (lock >= 0) pr_alone_no_more(path, lock);
}
