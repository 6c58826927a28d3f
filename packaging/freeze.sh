#!/usr/bin/env bash
# Makes the frozen program: build/frozen/backscroll (on macOS also Backscroll.app), with notices and bill of
# materials. Everything is built in an environment of its own, build/venv, from the locked packages.
# Works on Linux, on macOS, and on Windows in Git's bash.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PYTHONPATH PYTHONHOME
python=${PYTHON:-}
if [ -z "$python" ]; then
  # Debian's own Python, where there is one: built for the oldest processors and C library that Debian knows.
  for candidate in /usr/bin/python3.11 python3.11 python3 python; do
    if command -v "$candidate" >/dev/null 2>&1; then python=$candidate; break; fi
  done
fi
venv=build/venv
bin=$venv/bin
case $(uname -s) in Linux | Darwin) ;; *) bin=$venv/Scripts ;; esac
wanted=$(cat requirements.txt packaging/requirements-build.txt packaging/build_wheel.sh packaging/repair_wheel.py \
  | "$python" -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())')

if [ "$(cat $venv/.installed 2>/dev/null)" != "$wanted" ]; then
  rm -rf $venv
  "$python" -m venv $venv
  pip="$bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps"
  $pip -r packaging/requirements-build.txt
  # Everything of the lock file but llama.cpp, which has a wheel of its own.
  "$bin/python" packaging/without.py llama-cpp-python < requirements.txt > build/requirements.txt
  $pip -r build/requirements.txt
  wheel=$(PATH="$PWD/$bin:$PATH" packaging/build_wheel.sh "$PWD/$bin/python")
  "$bin/python" -m pip install -q --disable-pip-version-check --no-deps "$wheel"
  echo "$wanted" > $venv/.installed
fi

"$bin/python" packaging/version.py
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export PYTHONHASHSEED=1
QT_QPA_PLATFORM=offscreen "$bin/python" packaging/icons.py build/icons
rm -rf build/frozen
"$bin/python" -m PyInstaller --noconfirm --clean --log-level WARN \
  --distpath build/frozen --workpath build/pyinstaller packaging/backscroll.spec
"$bin/python" packaging/notices.py build/pyinstaller/backscroll build/frozen/backscroll
cp LICENSE build/frozen/backscroll/LICENSE.txt
if [ "$(uname -s)" = Darwin ]; then
  cp build/frozen/backscroll/{THIRD-PARTY-NOTICES.txt,backscroll.cdx.json,LICENSE.txt} build/frozen/Backscroll.app/Contents/Resources/
fi
if [ "$(uname -s)" = Linux ]; then
  # Not those of NumPy and llama.cpp: what patchelf has moved, strip breaks.
  (cd build/frozen/backscroll/_internal && find cryptography selectolax PySide6/Qt/lib Stemmer*.so \
    -type f -name '*.so*' -exec strip --strip-unneeded {} +)
  # Nobody else's files should be in a package, and no two builds should differ in modes.
  chmod -R u=rwX,go=rX build/frozen/backscroll
  find build/frozen/backscroll/_internal -type f -exec chmod a-x {} +
fi
"$bin/python" packaging/check_bundle.py build/frozen/backscroll
du -sm build/frozen/backscroll | awk '{print "The frozen program takes " $1 " MB."}'
