#!/usr/bin/env bash
# `make package`: everything that can be built on this system, into dist/, with checksums.
# BACKSCROLL_MODELS is where the default model is looked for; it is fetched if it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
model_id=qwen2.5-coder-1.5b-instruct-q4_k_m
packaging/freeze.sh
mkdir -p dist
rm -f dist/*
export BACKSCROLL_HOME=$PWD/build/home
models=${BACKSCROLL_MODELS:-$BACKSCROLL_HOME/models}
cp build/frozen/backscroll/backscroll.cdx.json "dist/backscroll-$(python3 packaging/version.py).cdx.json"
if [ "$(uname -s)" = Linux ]; then
  [ -f "$models/$model_id.gguf" ] || build/venv/bin/python -m app models get "$model_id"
  packaging/linux/deb.sh --model "$models/$model_id.gguf"
  packaging/linux/tarball.sh
fi
(cd dist && sha256sum -- * > SHA256SUMS)
cat dist/SHA256SUMS
