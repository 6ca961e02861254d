// One entry with memory of its own, and what is asked of a plan from outside.
#include <stdlib.h>
#include <string.h>

#include "pr_internal.h"

static uint64_t rounded(uint64_t nbytes) { return (nbytes + PR_ALIGNMENT - 1) / PR_ALIGNMENT * PR_ALIGNMENT; }

static int own_memory(pr_plan *p) {
  size_t tensors = (size_t)p->entry->inputs + p->entry->outputs;
  uint64_t total = rounded(p->entry->arena_bytes), at = total;  // no overflow: `pr_check` bounds the sum
  for (size_t i = 0; i < tensors; ++i) total += rounded(pr_tensor_of(p, i)->nbytes) + PR_ALIGNMENT;
  uint8_t *memory = p->own = pr_zeroed(total);
  if (!memory) return -1;
  pr_plan_bind_scratch(p, memory, (size_t)p->entry->arena_bytes);
  for (size_t i = 0; i < tensors; ++i) {
    size_t nbytes = (size_t)pr_tensor_of(p, i)->nbytes;
    if (i < p->entry->inputs) {
      pr_plan_bind_input(p, i, memory + at, nbytes);
    } else if (pr_tensor_of(p, i)->alias == PR_NO_ALIAS) {
      pr_plan_bind_output(p, i - p->entry->inputs, memory + at, nbytes);
    }
    at += rounded(nbytes) + PR_ALIGNMENT;
  }
  return 0;
}

pr_plan *pr_plan_open_entry(const char *plan_path, const char *library_path, const char *entry,
                            const pr_parameter *parameters, size_t n, char *err, size_t err_size) {
  pr_module *module = pr_module_read(plan_path, err, err_size);
  return module ? pr_module_open(module, library_path, entry, parameters, n, err, err_size) : NULL;
}

pr_plan *pr_module_open(pr_module *module, const char *library_path, const char *entry,
                        const pr_parameter *parameters, size_t n, char *err, size_t err_size) {
  size_t count = pr_module_entry_count(module), at = 1;
  pr_plan *plan = NULL;
  if (entry) {
    while (at < count && strcmp(pr_module_entry_name(module, at), entry)) ++at;
  }
  if (at >= count || (!entry && count != 2)) {
    pr_say(err, err_size, entry ? "the plan has no entry %s" : "the plan has several entries: name one%s",
           entry ? entry : "");
  } else if (!pr_module_load(module, library_path, parameters, n, err, err_size)) {
    plan = pr_module_plan(module, at, err, err_size);
  }
  pr_module_close(module);
  if (plan && own_memory(plan)) {
    pr_say(err, err_size, "no memory for the tensors of a plan");
    pr_plan_close(plan);
    return NULL;
  }
  return plan;
}

pr_plan *pr_plan_open(const char *plan_path, const char *library_path, char *err, size_t err_size) {
  return pr_plan_open_entry(plan_path, library_path, NULL, NULL, 0, err, err_size);
}

size_t pr_plan_input_count(const pr_plan *p) { return p->entry->inputs; }
size_t pr_plan_output_count(const pr_plan *p) { return p->entry->outputs; }

static const pr_tensor *input_of(const pr_plan *p, size_t index) {
  return index < p->entry->inputs ? pr_tensor_of(p, index) : NULL;
}
static const pr_tensor *output_of(const pr_plan *p, size_t index) {
  return index < p->entry->outputs ? pr_tensor_of(p, p->entry->inputs + index) : NULL;
}
static const char *text_of(const pr_plan *p, const pr_tensor *t, int type) {
  return t ? p->module->file.strings + (type ? t->type : t->name) : NULL;
}
const char *pr_plan_input_name(const pr_plan *p, size_t i) { return text_of(p, input_of(p, i), 0); }
const char *pr_plan_output_name(const pr_plan *p, size_t i) { return text_of(p, output_of(p, i), 0); }
const char *pr_plan_input_type(const pr_plan *p, size_t i) { return text_of(p, input_of(p, i), 1); }
const char *pr_plan_output_type(const pr_plan *p, size_t i) { return text_of(p, output_of(p, i), 1); }

void *pr_plan_input(const pr_plan *p, size_t index, size_t *nbytes) {
  const pr_tensor *t = input_of(p, index);
  if (nbytes) *nbytes = t ? (size_t)t->nbytes : 0;
  return t ? p->tensors[index] : NULL;
}

void *pr_plan_output(const pr_plan *p, size_t index, size_t *nbytes) {
  const pr_tensor *t = output_of(p, index);
  if (nbytes) *nbytes = t ? (size_t)t->nbytes : 0;
  if (!t) return NULL;
  return t->alias == PR_NO_ALIAS ? p->tensors[p->entry->inputs + index] : p->tensors[t->alias];
}
