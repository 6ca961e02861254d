# Two commands do everything on a fresh machine: `make demo` and `make test`.
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --quiet --disable-pip-version-check install
PYTEST := $(PY) -m pytest
BENCHMARKS := overhead handover rates check_speed bound_vs_measured orchestration double_buffer prefix_kv rtc_cost eager \
  continuity ledger stages static_plan contexts swap series island imports dsa_kv

