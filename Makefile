# Every target is a task of packaging/run.py, which works without make as well (on Windows:
# `python packaging\run.py test`). Each makes .venv and what it needs first, if that is missing.
# ARGS is handed on: make test ARGS="tests/models -x"

PYTHON ?= python3
TASKS := setup run test test-portable test-slow reliability golden bench bundle package package-check format lock screenshots clean docs

.DEFAULT_GOAL := help
.PHONY: help dev $(TASKS)

help:
	@$(PYTHON) packaging/run.py

dev:
	@$(PYTHON) packaging/run.py setup --dev --tests

$(TASKS):
	@$(PYTHON) packaging/run.py $@ $(ARGS)
