# `make run` and `make test` set up everything they need; both are safe to repeat.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA_DIR := $(or $(RULINGS_DATA_DIR),$(CURDIR)/var)
PORT ?= 8000

.PHONY: run test test-long test-engine2 check evaluate bench setup setup-dev content clean

setup: $(VENV)/.installed
setup-dev: $(VENV)/.installed-dev

# bin/pip is written last: where it is missing, the making was interrupted and begins anew.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 以降が必要です。"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)

$(VENV)/.installed: requirements.txt | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements.txt .ci/requirements-dev.txt | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r .ci/requirements-dev.txt
	@touch $@ $(VENV)/.installed

# The site makes a key of its own on the first run and keeps it, readable by its owner only.
$(DATA_DIR)/secret_key: | $(BIN)/pip
	@mkdir -p "$(DATA_DIR)"
	@umask 077 && $(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))' > "$@.new" && mv "$@.new" "$@"

MANAGE = RULINGS_DATA_DIR="$(DATA_DIR)" RULINGS_SECRET_KEY="$${RULINGS_SECRET_KEY:-$$(cat "$(DATA_DIR)/secret_key")}" $(BIN)/python manage.py

content: setup $(DATA_DIR)/secret_key
	$(MANAGE) migrate --verbosity 0
	$(MANAGE) load_content
	$(MANAGE) collectstatic --noinput --verbosity 0

run: content
	@echo "http://localhost:$(PORT)/ で公開します（Ctrl+C で終了）"
	RULINGS_DATA_DIR="$(DATA_DIR)" RULINGS_SECRET_KEY="$${RULINGS_SECRET_KEY:-$$(cat "$(DATA_DIR)/secret_key")}" \
	$(BIN)/gunicorn rulings.wsgi --bind "127.0.0.1:$(PORT)" --worker-class gthread --workers 2 --threads 4 \
	--no-control-socket --access-logfile -

test: setup-dev
	$(BIN)/python -m pytest -n auto $(ARGS)

# The long forms of the tests of exactness, crashes, concurrency, damage and hostile queries (these need a database of
# 100,000 entries, made once in the temporary folder). 25 minutes on two cores, and once ten for the database.
test-long: setup-dev
	RULINGS_LONG=1 $(BIN)/python -m pytest tests/search/test_exactness.py tests/search/test_crash.py \
	tests/search/test_processes.py tests/search/test_random_damage.py tests/search/test_hostile.py $(ARGS)

# The tests of the index, on another distribution of the same library (in a folder of its own).
ENGINE2 ?= whoosh3==3.54.0
test-engine2: setup-dev
	rm -rf var/engine2 && $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target var/engine2 $(ENGINE2)
	PYTHONPATH=var/engine2 $(BIN)/python -m pytest tests/search/test_whoosh_index.py tests/search/test_exactness.py \
	tests/search/test_damage.py tests/search/test_indexing.py tests/search/test_unwritable.py $(ARGS)

check: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	RULINGS_DEBUG=1 $(BIN)/mypy
	$(BIN)/lint-imports
	RULINGS_DEBUG=1 $(BIN)/python manage.py makemigrations --check --dry-run
	RULINGS_SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))')" RULINGS_HTTPS=1 \
	$(BIN)/python manage.py check --deploy --fail-level WARNING
	RULINGS_DEBUG=1 $(BIN)/python manage.py spectacular --validate --fail-on-warn --api-version v1 --file /dev/null

evaluate: setup-dev
	$(BIN)/python -m tests.evaluate --verbose --names 300

# RULINGS_BENCH_SIZE=100000 (or 100000,300000) for other sizes; what was built is kept in the temporary folder. The default
# of 10,000 takes a quarter of an hour on two busy cores; 100,000 was only run part by part: minutes once all is built.
bench: setup-dev
	RULINGS_DEBUG=1 $(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
