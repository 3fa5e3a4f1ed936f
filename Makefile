# `make demo` and `make test` set everything up by themselves; they need Python 3.11 or newer and nothing else.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.set-up
JAX := .venv/.has-jax
LOCKED := dev  # extras; rehearse has a lock of its own: JAX takes 600 MB
PARALLELCLUSTER := 3.16.1  # whose configuration `synth` writes; it pins an older CDK and is installed by its test alone
CHECKOV := 3.3.30  # checks of its own test over the shipped templates; it pins other versions of boto3 and PyYAML
COMPILE = $(BIN)/pip-compile --quiet --allow-unsafe --strip-extras --generate-hashes --no-header --no-emit-index-url \
	--no-emit-trusted-host --no-emit-find-links
LIVES := tests/property/test_life_on_local_aws.py
LINTED := tests/compliance tests/combinations tests/property/test_environments.py -k "lint or cdk_validation or cdk_nag" -m "not exhaustive"
RENDERED := tests/charts tests/unit/cli tests/unit/schedulers/kubernetes/workloads -m "not exhaustive"

# Workers and the commands that tests start share what Python compiles, also where an image turns that off.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup rehearse demo test test-fast test-exhaustive lint docs wheel lock goldens

help:  ## say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(STAMP)  ## make .venv and node_modules (again only when what they hold has changed)

# Node.js comes as a Python package: no other install is needed, and every machine has the same one.
$(STAMP): requirements.lock pyproject.toml package.json package-lock.json
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with PYTHON=…" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . \
		--config-settings editable_mode=compat
	$(BIN)/python -m compileall -q neuron_cluster local_aws local_kubernetes stacks
	$(BIN)/python tools/link_node.py
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm ci --no-audit --no-fund --loglevel=error
	@touch $@

rehearse: $(JAX)  ## add JAX to .venv: the trainer of `neuron-cluster workload rehearse` (600 MB)

$(JAX): requirements-rehearse.lock $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-rehearse.lock
	@touch $@

demo: setup  ## the main job on the local AWS: check, plan, deploy, change, destroy
	@$(BIN)/python tools/demo.py

test: setup  ## every test but the exhaustive ones
	$(BIN)/python tools/run_tests.py -m "not exhaustive"

test-fast: setup  ## what starts no local AWS, CDK or other program: a minute or so
	$(BIN)/python tools/run_tests.py -m "not slow and not exhaustive"

test-exhaustive: setup rehearse  ## a mutant for every rule and API error, long deploys, 200 random lives: more than an hour
	NEURON_CLUSTER_CONNECT=always NEURON_CLUSTER_RENDER=again $(BIN)/python tools/run_tests.py -n 2 -m exhaustive
	NEURON_CLUSTER_RENDER=again $(BIN)/python -m pytest $(RENDERED)
	NEURON_CLUSTER_LINT=again $(BIN)/python -m pytest $(LINTED)
	NEURON_CLUSTER_EXAMPLES=200 $(BIN)/python -m pytest tests/property --deselect $(LIVES)
	NEURON_CLUSTER_EXAMPLES=320 $(BIN)/python -m pytest $(LIVES)  # a file that is drawn again does not live again

lint: setup  ## ruff, mypy, and how docstrings and names of tests are written
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy docs/examples/cdk-app/app.py
	$(BIN)/python tools/check_writing.py

docs: setup  ## build the documentation as a site: build/site/docs/index.html
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --jobs 2 --conf-dir docs --doctree-dir build/doctrees . build/site

wheel: setup  ## build the wheel: dist/neuron_cluster_toolkit-VERSION-py3-none-any.whl
	rm -rf build/lib  # setuptools keeps modules there that were deleted since
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

lock: setup  ## write the lock files anew from pyproject.toml and package.json
	$(COMPILE) $(LOCKED:%=--extra %) --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra rehearse --constraint requirements.lock --output-file requirements-rehearse.lock pyproject.toml
	echo "aws-parallelcluster==$(PARALLELCLUSTER)" | $(COMPILE) --output-file requirements-parallelcluster.lock -
	echo "checkov==$(CHECKOV)" | $(COMPILE) --output-file requirements-checkov.lock -
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

goldens: setup  ## write tests/golden anew; read the difference before you commit it
	$(BIN)/python tools/write_goldens.py
	NEURON_CLUSTER_LINT=write $(BIN)/python -m pytest $(LINTED)
	NEURON_CLUSTER_ACCESS=write $(BIN)/python -m pytest tests/unit/access/test_matrix_text.py
