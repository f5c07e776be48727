#!/usr/bin/env bash
# Installs ncuanalyze and its pinned, hashed dependencies into an environment of its own.
set -euo pipefail

venv="$RUNNER_TEMP/ncuanalyze-venv"
"$PYTHON" -m venv "$venv"
pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet)
"${pip[@]}" install --only-binary :all: --require-hashes -r "$ACTION/action/requirements.txt"
"${pip[@]}" install --no-deps --no-build-isolation "$ACTION"
