/* Ports for an island that is started by hand: no other process is there that would make them. */
#ifndef PR_PORTS_H
#define PR_PORTS_H

/* Says on standard error why the program cannot go on; returns its exit code. */
int pr_refuse(const char *what, const char *why);

/* One at a time finds, makes or removes the ports at `path` (ports.py takes the same lock). A file, or -1 and errno. */
int pr_alone(const char *path);
void pr_alone_no_more(const char *path, int lock);

/* New ports at `path` with the configuration of a settings file, if no island plays there. 0, or an exit code. */
int pr_ports_make(const char *path, const char *settings_path);

/* Removes the ports at `path` if they still are those that `file` has open. */
void pr_ports_remove(const char *path, int file);

#endif
