# Two commands set a fresh machine up:
#   make demo   install the small, torch-free library and run the main job on the embedded model
#   make test   install everything the tests need and run all of them
# And one opens the web page:
#   make serve  install the page and the API, and serve them on http://127.0.0.1:8000

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check install --constraint constraints.txt

.PHONY: demo serve test check lint format benchmark bundle mutants clean browser java

demo: $(VENV)/.demo
	$(BIN)/swapchef recipe examples/pancakes.md
	$(BIN)/swapchef suggest buttermilk --recipe examples/pancakes.md

serve: $(VENV)/.web
	$(BIN)/swapchef serve

test: lint check

# On a busy machine the threads of a small product wait for one another; one thread is never slow.
check: $(VENV)/.dev browser java
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest

# The page is tried in Debian's Chromium; where it is missing and cannot be installed, those tests skip and say so.
browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } \
	  || echo "Chromium is not installed and cannot be without root and apt-get; the browser tests will skip."

# The spark engine is tried on this machine; where Java is missing and cannot be installed, those tests skip and say so.
java:
	@command -v java >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends default-jre-headless; } \
	  || echo "Java is not installed and cannot be without root and apt-get; the tests of the spark engine will skip."

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Regenerate the published figures that need no training; needs the data (swapchef data fetch).
benchmark: $(VENV)/.dev
	$(BIN)/swapchef benchmark random mode lt freq freq-as-published lt+freq --split test --protocol paper --seeds 5 \
	  --save benchmarks/results/statistics.csv --plot benchmarks/results/statistics.png
	$(BIN)/swapchef benchmark lt+freq --split test --protocol filtered --save benchmarks/results/statistics.csv
	$(BIN)/swapchef benchmark lt+freq --split test --protocol kitchen --save benchmarks/results/statistics.csv
	$(BIN)/python benchmarks/vocabulary_coverage.py
	$(BIN)/python benchmarks/line_parsing.py
	$(BIN)/python benchmarks/diet_coverage.py
	$(BIN)/python benchmarks/ratio_coverage.py
	$(BIN)/python benchmarks/latency.py
	$(BIN)/python benchmarks/calibration.py
	$(BIN)/python benchmarks/load.py --save

# Rebuild the model in src/swapchef/bundle from raw data.
bundle: $(VENV)/.dev
	$(BIN)/python benchmarks/build_bundle.py

# Plant small faults in the code and count how many of them the tests notice: half an hour or so, and not part of CI.
mutants: $(VENV)/.dev
	$(BIN)/python benchmarks/mutants.py

clean:
	rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

$(VENV)/.web: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable ".[web,scrape]"
	touch $@ $(VENV)/.demo

$(VENV)/.dev: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --editable ".[dev]"
	touch $@ $(VENV)/.demo $(VENV)/.web
