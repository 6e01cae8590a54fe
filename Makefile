# `make try` shows the main job, `make check` runs every gate. Both need Python >= 3.11 and nothing else prepared.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
LOCK   := requirements/lock.txt
# Tests that start few processes: what most changes break shows here first.
QUICK  := $(addprefix tests/,test_cancellation.py source settings pipeline journal/test_contract_memory.py \
          journal/test_migrations.py workshop/test_verbs.py ask/test_citations.py \
          review/test_filtering.py retrieve docs/test_pages.py)

SLOWER := pipeline/test_kills.py source/test_syntax.py source/test_comments.py source/test_secrets.py retrieve/test_segments.py

.PHONY: help try check quick install lint types floors test check-live check-sarif attack bench-engine docs site wheel lock clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

try: $(VENV)/.installed-try ## Install and let bottega write something
	@$(BIN)/python tools/try.py

check: $(VENV)/.installed-check ## Install what tests need and run every gate
	@$(BIN)/python tools/system_packages.py
	$(BIN)/ruff check src tests bench tools examples
	$(BIN)/ruff format --check src tests bench tools examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto --maxprocesses 4 -m "not live"

quick: $(VENV)/.installed-check ## Lint, types, floors and the fast tests, in under a minute
	$(BIN)/ruff check src tests bench tools examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 4 -m "not live" $(SLOWER:%=--ignore=tests/%) $(QUICK)

check-live: $(VENV)/.installed-check ## Tests that need the embedded model on this machine
	$(BIN)/pytest -m live

check-sarif: $(VENV)/.installed-check ## Hold a SARIF log against the standard's schema, which comes by npm
	$(BIN)/pip install --quiet --disable-pip-version-check 'jsonschema>=4,<5'
	mkdir -p build/sarif && cd build/sarif && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 && tar xzf *.tgz
	$(BIN)/python tools/check_sarif.py build/sarif/package/lib/schemas/sarif-2.1.0-rtm.5.json

attack: $(VENV)/.installed-check ## Attack it: repositories, kill -9, servers, generated code, secrets, files (15 min)
	@$(BIN)/python tools/system_packages.py
	$(BIN)/python tools/attack.py

bench-engine: $(VENV)/.installed-check ## Overhead of the pipeline engine per step
	$(BIN)/python bench/engine_overhead.py

docs: $(VENV)/.installed-check ## Write the pages that are made from code
	$(BIN)/python -m bottega.settings > docs/settings.md
	$(BIN)/python tools/errors_page.py > docs/errors.md
	$(BIN)/python tools/schemas.py

site: $(VENV)/.installed-site ## Write the documentation as a searchable site to build/site
	@$(BIN)/python tools/build_site.py

wheel: $(BIN)/python ## Build the wheel into dist/
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps -w dist .
	@ls dist/*.whl

lock: ## Write the tested versions anew
	rm -rf build/lock-venv && $(PYTHON) -m venv build/lock-venv
	build/lock-venv/bin/pip install --quiet --disable-pip-version-check '.[all,check,site]'
	build/lock-venv/bin/pip freeze --exclude bottega > $(LOCK)

clean: ## Remove everything that was made here
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'bottega needs Python 3.11 or newer; name one with: make PYTHON=python3.12 …' >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo 'venv is missing: apt install python3-venv' >&2; rm -rf $(VENV); exit 2; }

$(VENV)/.installed-try: pyproject.toml $(LOCK) | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c $(LOCK) -e '.[embedded]'
	@touch $@

$(VENV)/.installed-check: pyproject.toml $(LOCK) | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c $(LOCK) -e '.[all,check]'
	@touch $@

$(VENV)/.installed-site: pyproject.toml $(LOCK) | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c $(LOCK) -e '.[site]'
	@touch $@
