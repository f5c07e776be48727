#!/usr/bin/env bash
# Build, time and profile the suite: measure.sh OUT writes OUT/times.csv and OUT/SOURCE.ncu-rep.
set -u
out=${1:?usage: measure.sh OUT}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")" || exit
make -k -j8 >"$out/build.log" 2>&1 || tail -20 "$out/build.log"
echo "case,kernel,microseconds,checksum" >"$out/times.csv"
for source in traffic waiting launch arithmetic matrix roofs again triton_kernels; do
  program=(./build/planted) nvtx=()
  case $source in
    triton_kernels)
      program=(python3 triton_kernels.py) nvtx=(--nvtx)
      mapfile -t cases < <(sed -nE 's/^def (u_[a-z0-9_]+)\(.*/\1/p' triton_kernels.py)
      ;;
    *) mapfile -t cases < <(sed -nE 's/^CASE\(([a-z0-9_]+)\).*/\1/p' "$source.cu") ;;
  esac
  timeout 90 "${program[@]}" "${cases[@]}" >>"$out/times.csv"
  timeout 120 ncu --section-folder ../../sections --set ncuanalyze --import-source on --clock-control none \
    --profile-from-start off "${nvtx[@]}" -f -o "$out/$source" "${program[@]}" --profile "${cases[@]}" \
    </dev/null >"$out/$source.log" 2>&1
  echo "$source exit $? after $SECONDS s: $(grep -cE '==PROF== Profiling' "$out/$source.log") kernels"
done
