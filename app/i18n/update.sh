#!/bin/sh
# Collects the texts of the window into the .ts file and compiles it. Run from the repository's root.
set -e
bin=.venv/bin
# shellcheck disable=SC2046
$bin/pyside6-lupdate $(find app -name '*.py' ! -name 'cli*.py') -no-obsolete -locations none \
    -source-language en -target-language zh_CN -ts app/i18n/backscroll_zh_CN.ts
$bin/pyside6-lrelease app/i18n/backscroll_zh_CN.ts -qm app/i18n/backscroll_zh_CN.qm
