# Backscroll: `make run` and `make test` are the whole set-up. `make help` lists the rest.
.PHONY: help run test lint bench bench-model bench-quick lock clean package package-test soak proof

help:
	@echo "make run    set up what is missing, then open the window with the sample archive"
	@echo "make test   set up what is missing, then run the tests"
	@echo "make lint   ruff, mypy and the import contracts"
	@echo "make bench  speed figures, as ratios measured side by side (ARGS='--rows index search' for some)"
	@echo "make bench-model  the same with the installed model: tokens a question, an action, threads"
	@echo "make bench-quick  the first in short, failing where a figure fell below its floor"
	@echo "make package       build the installers into dist/"
	@echo "make package-test  try them out in a fresh Debian (as root)"
	@echo "make proof  show that nothing leaves this computer and nothing readable lies on it"
	@echo "make soak   kill, fill and wear it out, and count what is lost"
	@echo "make lock   write the lock files again after a change of dependencies"

run:
	@packaging/setup.sh run
	@.venv/bin/python -m app.demo

test:
	@packaging/setup.sh test
	@.venv/bin/python -m app.cli models get smollm2-135m-instruct-q4_1
	@.venv/bin/python -m pytest -q

lint:
	@packaging/setup.sh test
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports

bench:
	@packaging/setup.sh test
	@PYTHONPATH=. .venv/bin/python tests/benchmarks/speed.py $(ARGS)

bench-model:
	@packaging/setup.sh test
	@PYTHONPATH=. .venv/bin/python tests/benchmarks/model_speed.py $(ARGS)

bench-quick:
	@packaging/setup.sh test
	@PYTHONPATH=. .venv/bin/python tests/benchmarks/speed.py --messages 100000 --questions 60 --turns 2 --floors \
		--rows index append import start search

lock:
	@.venv/bin/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --strip-extras --allow-unsafe --extra dev -o requirements-dev.txt pyproject.toml
	@.venv/bin/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --strip-extras --allow-unsafe --extra setup -c requirements-dev.txt -o requirements.txt pyproject.toml

clean:
	rm -rf .venv build dist *.egg-info

package:
	@packaging/package.sh

package-test:
	@packaging/test.sh

soak:
	@packaging/setup.sh test
	@.venv/bin/python -m app.cli models get smollm2-135m-instruct-q4_1
	@PYTHONPATH=. .venv/bin/python tests/privacy/kills.py --kills 100
	@PYTHONPATH=. .venv/bin/python tests/hostile/headers.py --files 50000
	@PYTHONPATH=. .venv/bin/python tests/privacy/endurance.py --messages 1000000 --questions 200 --model smollm2-135m-instruct-q4_1
	@PYTHONPATH=. .venv/bin/python tests/privacy/mixed_use.py --seconds 7200 --model smollm2-135m-instruct-q4_1

proof:
	@packaging/setup.sh test
	@.venv/bin/python -m app.cli models get smollm2-135m-instruct-q4_1
	@PYTHONPATH=. .venv/bin/python tests/privacy/proof.py --model smollm2-135m-instruct-q4_1 --window
	@PYTHONPATH=. .venv/bin/python tests/hostile/attacks.py smollm2-135m-instruct-q4_1 --modes quick thorough refind
