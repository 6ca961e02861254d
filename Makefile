# Two commands do everything on a fresh machine: `make demo` and `make test`.
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --quiet --disable-pip-version-check install
PYTEST := $(PY) -m pytest
BENCHMARKS := overhead handover rates check_speed bound_vs_measured orchestration double_buffer prefix_kv rtc_cost eager \
  continuity ledger stages static_plan contexts swap series island imports dsa_kv \
  soak drivers footprint simulate_speed

# LeRobot needs Python 3.12 or later, which the rest does not.
# (PYENV_VERSION below is for pyenv, which has a `python3.12` only where it is told which.)
LEROBOT := .venv-lerobot
LEROBOT_PYTHON ?= python3.12

.PHONY: demo test test-slow test-torch test-lerobot soak fuzz fuzz-full fuzz-plans simulate lint format bench docs train build clean

demo: $(VENV)/.demo
	$(VENV)/bin/polyrhythm demo

# Two processes, for two cores; the tests of a file stay together. In the order of their folders: by the number of
# their tests, long ones would come last, one process waiting.
test: lint
	$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder

test-slow: $(VENV)/.dev
	$(PYTEST) -m slow --timeout=1800
	POLYRHYTHM_EFFORT=20 $(PYTEST) tests/analysis tests/bundle tests/chunks tests/compile/imports \
	  tests/hal/dsa tests/island/test_step.py tests/manifest tests/memory tests/observe/test_eventlog.py \
	  tests/runtime/test_paged.py tests/schedule --timeout=3600

# The PyTorch front end; once installed, `make test` runs these too.
test-torch: $(VENV)/.torch
	$(PYTEST) tests/compile/imports/test_torch.py tests/compile/imports/test_torch_archive.py --timeout=600

test-lerobot: $(LEROBOT)/.ready
	$(LEROBOT)/bin/python -m pytest tests/compile/imports/test_lerobot.py \
	  tests/compile/imports/test_torch.py tests/compile/imports/test_torch_archive.py --timeout=1800

fuzz: $(VENV)/.dev
	$(PY) -m tests.fuzz.run all --count 10000 --jobs 2
	$(PY) -m tests.fuzz.plans --count 10000

# Mutants of plan files through the native loader, under sanitizers; goes on where it stopped.
MUTANTS ?= 1000000
fuzz-plans: $(VENV)/.dev
	$(PY) -m tests.fuzz.plans --count $(MUTANTS)

# A million manifests and 100,000 of each other kind, in portions: each goes on where the last one ended.
fuzz-full: $(VENV)/.dev
	$(PY) -m tests.fuzz.run all --full --jobs $(JOBS) --minutes $(MINUTES) --state out/fuzz/done.json

# A night's worth; less with for example: make simulate HOURS=1 JOBS=4 SEED=1000000
HOURS ?= 8
JOBS  ?= 2
SEED  ?= 0
simulate: $(VENV)/.dev
	$(VENV)/bin/polyrhythm simulate --swarm --seconds $$(($(HOURS) * 3600)) --jobs $(JOBS) --seed $(SEED)

# How long: make soak MINUTES=60. The page with plots is out/soak/soak.html.
MINUTES ?= 60
soak: $(VENV)/.dev
	$(PY) benchmarks/soak.py --minutes $(MINUTES) --out out/soak

lint: $(VENV)/.dev
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check --quiet
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

format: $(VENV)/.dev
	$(VENV)/bin/ruff check --fix --quiet
	$(VENV)/bin/ruff format --quiet

bench: $(VENV)/.dev
	@for name in $(BENCHMARKS); do echo "== $$name"; $(PY) benchmarks/$$name.py --quick || exit 1; done

docs: $(VENV)/.dev
	$(PY) -m polyrhythm.manifest.reference > docs/reference/manifest.md
	$(PY) -m polyrhythm.cli._reference > docs/reference/diagnostics.md
	$(PY) -m polyrhythm.hal.reference > docs/reference/drivers.md
	$(PY) -m tests.footguns > docs/concepts/footguns.md

train: $(VENV)/.dev
	$(PY) examples/dual_system/train.py
	$(PY) examples/flow_policy/train.py

build: $(VENV)/.dev
	for name in dual_system flow_policy three_rates; do $(VENV)/bin/polyrhythm build examples/$$name/policy.py \
	  --out examples/$$name/bundle --portable || exit 1; done
	$(VENV)/bin/polyrhythm build examples/tiny/policy.py --out examples/tiny/bundle --target-cpu x86-64-v3

$(VENV)/bin/python:
	python3 -m venv $(VENV)

$(VENV)/.demo: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -c constraints.txt -e '.[demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.demo

$(VENV)/.torch: $(VENV)/.dev
	$(PIP) -c constraints.txt -e '.[dev,torch]'
	@touch $@

$(LEROBOT)/.ready: pyproject.toml constraints-lerobot.txt
	PYENV_VERSION=3.12 $(LEROBOT_PYTHON) -m venv $(LEROBOT)
	$(LEROBOT)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-lerobot.txt \
	  -e '.[lerobot]' hypothesis pytest pytest-timeout syrupy
	@touch $@

clean:
	rm -rf $(VENV) $(LEROBOT) out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
