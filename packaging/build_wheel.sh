#!/usr/bin/env bash
# Builds the llama-cpp-python wheel that the installers carry: one module for each family of processors, chosen
# when the program starts, instead of code for the machine that built it. Prints the wheel's path.
#
# The result is kept in build/wheels, named after everything that decides what comes out (version, flags,
# compiler, system), so it is built once. It takes the better part of an hour on two cores.
#
# usage: packaging/build_wheel.sh [PYTHON]
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
version=$(sed -n 's/^llama-cpp-python==\([0-9.]*\).*/\1/p' requirements.txt)
repair=packaging/repair_wheel.py

# Everything goes into llama_cpp/lib: left alone, llama.cpp's modules would land in the environment's bin folder.
flags="-DGGML_CCACHE=OFF -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON
 -DLLAVA_BUILD=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_SERVER=OFF
 -DCMAKE_INSTALL_BINDIR=llama_cpp/lib -DCMAKE_INSTALL_LIBDIR=llama_cpp/lib -DCMAKE_INSTALL_INCLUDEDIR=llama_cpp/include"
case $(uname -s) in
  Linux) flags="$flags -DCMAKE_INSTALL_RPATH=\$ORIGIN" ;;
  # Metal comes with macOS; llama.cpp turns AVX off on Intel Macs, so only arm64 is offered.
  Darwin) flags="$flags -DCMAKE_INSTALL_RPATH=@loader_path -DCMAKE_OSX_DEPLOYMENT_TARGET=13.0" ;;
  # Without OpenMP ggml uses threads of its own and Microsoft's vcomp140.dll is not needed.
  *) flags="$flags -DGGML_OPENMP=OFF" ;;
esac
flags=$(echo $flags)
compiler=$({ cc --version || cl; } 2>/dev/null | head -1 || true)
name=$(printf '%s\n' "$version" "$flags" "$compiler" "$(uname -sm)" "$(cat "$repair")" \
  | "$python" -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest()[:16])')
cache=build/wheels/$version-$name

if ! ls "$cache"/*.whl >/dev/null 2>&1; then
  part=$PWD/$cache.part
  mkdir -p "$part/raw"
  pip="$python -m pip --disable-pip-version-check"
  if [ ! -d "$part/source" ]; then
    grep -A9 '^llama-cpp-python==' requirements.txt | sed '2,${/^[a-zA-Z]/,$d}' > "$part/requirement.txt"
    $pip download -q --no-deps --no-binary llama-cpp-python --require-hashes -d "$part" -r "$part/requirement.txt"
    mkdir "$part/unpacked"
    tar -C "$part/unpacked" --strip-components 1 -xzf "$part"/llama_cpp_python-*.tar.gz
    mv "$part/unpacked" "$part/source"
  fi
  if ! ls "$part"/raw/*.whl >/dev/null 2>&1; then
    echo "Building llama-cpp-python $version for every processor; the log is $part/log.txt." >&2
    # The fixed build folder lets a build that was broken off go on where it was. With SOURCE_DATE_EPOCH set, llama.cpp
    # would be compiled without any of the processor's fast instructions.
    env -u SOURCE_DATE_EPOCH CMAKE_ARGS="$flags" $pip wheel --no-deps --no-cache-dir -w "$part/raw" -v \
      --config-settings=build-dir="$part/build" "$part/source" > "$part/log.txt" 2>&1 \
      || { tail -n 20 "$part/log.txt" >&2; exit 1; }
  fi
  if grep -rqs -- '-march=native' "$part/build/build.ninja" "$part/build/compile_commands.json"; then
    echo "A part was compiled for this machine's processor only (-march=native)." >&2
    exit 1
  fi
  "$python" "$repair" "$part"/raw/*.whl "$part"
  rm -rf "$part/raw" "$part/source" "$part/build"
  mv "$part" "$cache"
fi
echo "$cache"/*.whl
