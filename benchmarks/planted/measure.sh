#!/usr/bin/env bash
# Build, time and profile the suite: measure.sh OUT writes OUT/times.csv and OUT/{tune,held_out}.SOURCE.ncu-rep.
set -u
out=${1:?usage: measure.sh OUT}
only=${2:-.}  # a pattern for `split source`, to measure a part again
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")" || exit
make -k -j8 >"$out/build.log" 2>&1 || tail -20 "$out/build.log"
{
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader
  ncu --version | tail -1
  nvcc --version | tail -2 | head -1
  python3 -c 'import torch, triton; print("torch", torch.__version__, "triton", triton.__version__)'
} >"$out/machine.txt" 2>&1
echo "case,kernel,microseconds,checksum" >"$out/times.csv"
timeout 60 ./build/planted all >>"$out/times.csv"
timeout 90 python3 torch_ops.py all >>"$out/times.csv"
timeout 90 python3 library_ops.py all >>"$out/times.csv"
python3 split.py | grep -E "$only" | while read -r split source cases; do
  program=(./build/planted) nvtx=()
  [ -f "$source.py" ] && program=(python3 "$source.py") nvtx=(--nvtx)
  # shellcheck disable=SC2086  # one word a case
  timeout 120 ncu --set full --import-source on --clock-control none --profile-from-start off "${nvtx[@]}" \
    -f -o "$out/$split.$source" "${program[@]}" --profile $cases </dev/null >"$out/$split.$source.log" 2>&1
  echo "$split.$source exit $? after $SECONDS s: $(grep -cE '==PROF== Profiling' "$out/$split.$source.log") kernels," \
    "$(grep -E '==(ERROR|WARNING)==|FAILED' "$out/$split.$source.log" | head -3)"
done
