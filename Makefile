# `make help` lists the targets. PYTHON chooses the interpreter that the environment is made with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OUT ?= out/demo
JOBS ?= 2
SHOP := src/refute/arena/shop
GYM := src/refute/suites/browsergym/requirements
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-header

.DEFAULT_GOAL := help
.PHONY: help setup browser site suites demo test prove check docs format lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(READY) ## create .venv with the locked dependencies

$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "refute needs Python 3.11 to 3.13 (this is $$($(PYTHON) --version)); set PYTHON=/path/to/python"; exit 1; }
	@echo "Installing the locked dependencies into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

browser: $(READY) ## find a Chromium, or install one
	@sh scripts/browser.sh $(BIN)

site: $(READY) ## prepare the bundled shop
	@$(BIN)/refute arena setup shop

demo: browser site ## run a dynamic task of each template (simulated model)
	@$(BIN)/refute demo --out $(OUT)

suites: $(READY) ## prepare MiniWoB++ and BrowserGym's environment
	@$(BIN)/refute bench setup miniwob
	@$(BIN)/refute browsergym setup miniwob

test: browser site suites ## run the tests, two files at a time
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile $(ARGS)

prove: browser site ## prove every task of the bundled shop
	@$(BIN)/refute arena check

check: $(READY) ## ruff, pyright (strict), import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright --pythonpath $(BIN)/python
	@$(BIN)/lint-imports

docs: $(READY) ## build the documentation into build/docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "Documentation: build/docs/index.html"

format: $(READY) ## format and sort imports
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format .

lock: ## pin the dependencies anew (needs uv on the PATH)
	$(LOCK) --extra dev --extra anthropic --extra google --extra figures --extra nli pyproject.toml -o requirements/dev.txt
	cd $(SHOP) && $(LOCK) requirements.in -o requirements.txt
	cd $(SHOP) && $(LOCK) requirements-build.in -o requirements-build.txt
	cd $(GYM) && for name in *.in; do $(LOCK) --no-annotate $$name -o $${name%.in}.txt; done

clean: ## remove the environment and the output
	rm -rf $(VENV) out build dist
