// Runs static plans: lists of kernel calls with their memory, fixed when they were compiled.
//
//   char err[256];
//   pr_plan *plan = pr_plan_open("step.plan", "step.so", err, sizeof err);
//   memcpy(pr_plan_input(plan, 0, NULL), observation, nbytes);
//   pr_plan_run(plan, NULL);                                 // no allocation, no lock, no system call
//   memcpy(command, pr_plan_output(plan, 0, NULL), nbytes);
//   pr_plan_close(plan);
//
// Everything in both files is checked while they are opened; what is wrong is told in `err`. A plan is used
// by one thread at a time; different plans of one module may run at the same time.
#ifndef PR_PLAN_H_
#define PR_PLAN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Every memory that a plan reads or writes begins at a multiple of this.
#define PR_ALIGNMENT 64

// Results of pr_plan_run and the pr_plan_bind functions; a kernel's own failure n is told as PR_KERNEL - n.
enum {
  PR_DONE = 0,
  PR_PREEMPTED = 1,
  PR_UNBOUND = -1,
  PR_INDEX = -2,
  PR_SIZE = -3,
  PR_MISALIGNED = -4,
  PR_KERNEL = -1000
};

typedef struct pr_module pr_module;
typedef struct pr_plan pr_plan;

// A weight that the plan does not hold itself; it must stay where it is while the module is open.
typedef struct {
  const char *name;
  const void *data;
  size_t nbytes;
} pr_parameter;

// -- one entry with memory of its own -----------------------------------------------------------------------

// Opens the only entry of a plan that holds its weights, with memory for its inputs, outputs and scratch.
// NULL and a message in `err` if anything is wrong.
pr_plan *pr_plan_open(const char *plan_path, const char *library_path, char *err, size_t err_size);

// The same for one of several entries, with weights from elsewhere.
pr_plan *pr_plan_open_entry(const char *plan_path, const char *library_path, const char *entry,
                            const pr_parameter *parameters, size_t parameter_count, char *err, size_t err_size);

// The same for a module that was read or parsed, which belongs to the plan from now on, whatever comes of it.
pr_plan *pr_module_open(pr_module *module, const char *library_path, const char *entry,
                        const pr_parameter *parameters, size_t parameter_count, char *err, size_t err_size);

// Counts, names and types ("f32[16, 4]") of inputs and outputs.
size_t pr_plan_input_count(const pr_plan *plan);
size_t pr_plan_output_count(const pr_plan *plan);
const char *pr_plan_input_name(const pr_plan *plan, size_t index);
const char *pr_plan_output_name(const pr_plan *plan, size_t index);
const char *pr_plan_input_type(const pr_plan *plan, size_t index);
const char *pr_plan_output_type(const pr_plan *plan, size_t index);

// The memory that is bound to an input or output, and its size if `nbytes` is not NULL. NULL if there is none.
void *pr_plan_input(const pr_plan *plan, size_t index, size_t *nbytes);
void *pr_plan_output(const pr_plan *plan, size_t index, size_t *nbytes);

// Bind memory of the caller's: 0, PR_INDEX, PR_SIZE (too small) or PR_MISALIGNED. Binding an input that an
// output replaces binds both. Costs some nanoseconds for each kernel argument of the plan.
int pr_plan_bind_input(pr_plan *plan, size_t index, void *memory, size_t nbytes);
int pr_plan_bind_output(pr_plan *plan, size_t index, void *memory, size_t nbytes);
int pr_plan_bind_scratch(pr_plan *plan, void *memory, size_t nbytes);

// Runs until the end (PR_DONE), or until `*preempt` is not 0 between two steps (PR_PREEMPTED: the next call
// goes on from there). `preempt` may be NULL. Sets the floating-point mode that kernels expect, and restores it.
int pr_plan_run(pr_plan *plan, const volatile int *preempt);

// The same, until the monotonic clock shows `until_ns` between two steps: it is late by one step at most. 0: to the end.
int pr_plan_run_until(pr_plan *plan, int64_t until_ns);

// Whether the second thread (see pr_team_start) has done its part of a run that was left; waits for that until
// then. Who changes inputs or reads outputs after pr_plan_run_until was not PR_DONE asks this first.
int pr_plan_settled(const pr_plan *plan, int64_t until_ns);

// Forgets how far a preempted run came: the next one begins anew.
void pr_plan_reset(pr_plan *plan);

// How many steps the plan has; with `ns` not NULL, runs them and tells how long each took.
size_t pr_plan_steps(pr_plan *plan, uint64_t *ns);

// A second thread that takes workgroups of each dispatch of the plans that joined it, as long as they run one
// after the other. It spins, all the time: it is for a core that nobody else needs, and never first in first out;
// `nice` is its nice value where that may be. `core` -1: any. NULL if there is no memory or thread. A plan leaves
// with NULL; a team that was stopped takes no more workgroups. pr_plan_run_until waits for it no longer than until
// its time: a run that is left so goes on, or begins anew, when the second thread has done what it had taken.
// Before that (pr_plan_settled) the plan's memory is not the caller's.
typedef struct pr_team pr_team;
pr_team *pr_team_start(int core, int nice);
int pr_plan_join(pr_plan *plan, pr_team *team);  // 0, or -ENOMEM
void pr_team_dismiss(pr_team *team);  // it stops, and nobody waits for it; from any thread, the plan may be running
void pr_team_stop(pr_team *team);
void pr_team_close(pr_team *team);  // after the last plan that joined

// One for a loop with periods, which sleeps between them and so may be first in first out, with `priority`: `fifo`
// tells whether it is. On `core` or not at all; not that of whoever runs the plans.
pr_team *pr_team_start_resting(int core, int priority, int *fifo);
// It looks for work from one time of the monotonic clock to another, and then at the next call's times. No system call.
void pr_team_rest(pr_team *team, int64_t from_ns, int64_t to_ns);

// Workgroups that the second thread has taken, and runs that were left because it had not done one.
uint64_t pr_team_taken(const pr_team *team);
uint64_t pr_team_left(const pr_team *team);

void pr_plan_close(pr_plan *plan);

// -- modules: several entries that share kernels and weights ------------------------------------------------

// Reads and checks a plan file. Its entries and parameters can be asked for from now on.
pr_module *pr_module_read(const char *plan_path, char *err, size_t err_size);

// The same for a file in memory (at a multiple of PR_ALIGNMENT), which must outlive the module.
pr_module *pr_module_parse(const void *file, size_t nbytes, char *err, size_t err_size);

// Loads the kernels, binds weights, and runs what the plan does once at its start. 0, or -1 and a message.
int pr_module_load(pr_module *module, const char *library_path, const pr_parameter *parameters,
                   size_t parameter_count, char *err, size_t err_size);

// One entry of a loaded module, with nothing bound yet.
pr_plan *pr_module_plan(pr_module *module, size_t entry, char *err, size_t err_size);

// Gives the module back; it goes with the last of its plans.
void pr_module_close(pr_module *module);

size_t pr_module_entry_count(const pr_module *module);
const char *pr_module_entry_name(const pr_module *module, size_t entry);
// What the entry takes and gives, as the compiler declares it.
const char *pr_module_entry_declaration(const pr_module *module, size_t entry);
// Why the entry has no plan; "" if it has one.
const char *pr_module_entry_refusal(const pr_module *module, size_t entry);
// Bytes of scratch.
size_t pr_module_entry_scratch(const pr_module *module, size_t entry);

size_t pr_module_parameter_count(const pr_module *module);
const char *pr_module_parameter_name(const pr_module *module, size_t index);
size_t pr_module_parameter_size(const pr_module *module, size_t index);

// What the module keeps for itself, in bytes.
size_t pr_module_state(const pr_module *module);
// The compiler that made the plan.
const char *pr_module_compiler(const pr_module *module);
// The SHA-256 of the kernel library, 32 bytes.
const uint8_t *pr_module_library_digest(const pr_module *module);

#ifdef __cplusplus
}
#endif

#endif  // PR_PLAN_H_
