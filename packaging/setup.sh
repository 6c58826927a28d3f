#!/usr/bin/env bash
# Everything that Backscroll needs to run from a clone: system libraries, a virtual environment with the
# locked packages, and llama.cpp built for this machine. Safe to run again; does nothing when nothing changed.
#
# usage: packaging/setup.sh run|test
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-run}
lock=requirements.txt
[ "$purpose" = test ] && lock=requirements-dev.txt
stamp=.venv/.installed-$purpose
wanted=$(cat "$lock" pyproject.toml packaging/system-packages.txt "$0" | sha256sum | cut -d' ' -f1)

missing_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  while read -r name; do
    case $name in ''|'#'*) continue ;; esac
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$name"
  done < packaging/system-packages.txt
}

install_system_packages() {
  local missing
  missing=$(missing_packages)
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" = 0 ]; then
    echo "Installing system libraries: $missing"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    apt-get install -y -q --no-install-recommends $missing >/dev/null 2>&1 \
      || { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; }
  elif [ "$purpose" = run ] || [ "$purpose" = test ]; then
    echo "These system libraries are missing. Install them with this line, then run make again:" >&2
    echo "  sudo apt-get install -y $missing" >&2
    exit 1
  fi
}

find_python() {
  for candidate in python3.11 python3.12 python3.13 python3; do
    if command -v "$candidate" >/dev/null 2>&1 \
       && "$candidate" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
      echo "$candidate"; return 0
    fi
  done
  echo "Python 3.11 or newer is needed. On Debian 12: sudo apt-get install -y python3 python3-venv" >&2
  return 1
}

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && .venv/bin/python -c 'import engine' 2>/dev/null; then
  exit 0
fi
install_system_packages
python=$(find_python)
[ -x .venv/bin/pip ] || { rm -rf .venv; "$python" -m venv .venv; }
# The system's own pip can be too old to reuse a wheel that it built once (Debian 12's is), so ours comes first.
.venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps \
  -r <(sed -n '/^pip==/,/[^\\]$/p' "$lock")
echo "Installing the locked Python packages. llama.cpp is built for this computer's processor the first time;"
echo "that takes about nine minutes on two cores, once. Later set-ups reuse it."
# A fixed SOURCE_DATE_EPOCH would make llama.cpp compile without any of the processor's fast instructions.
env -u SOURCE_DATE_EPOCH .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r "$lock"
# setuptools warns at length of every installation that is used where it lies, which is what a clone is for.
env PYTHONWARNINGS=ignore .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps \
  --no-build-isolation -e .
echo "$wanted" > "$stamp"
