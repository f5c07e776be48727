#!/usr/bin/env bash
# Build and profile the saturating kernels: measure.sh OUT writes OUT/saturate.ncu-rep and OUT/gemm.ncu-rep.
set -u
out=${1:?usage: measure.sh OUT}
mkdir -p "$out" "$(dirname "$0")/build"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")" || exit
nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o build/saturate saturate.cu || exit
sections=(SpeedOfLight MemoryWorkloadAnalysis ComputeWorkloadAnalysis LaunchStats)
for precision in Tensor Single Double Half; do
  sections+=("SpeedOfLight_Hierarchical${precision}RooflineChart")
done
metrics=dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
ncu=(ncu --import-sass no --clock-control none --profile-from-start off "${sections[@]/#/--section=}" --metrics "$metrics" -f)
timeout 100 "${ncu[@]}" -o "$out/saturate" ./build/saturate </dev/null | grep -E '==(ERROR|WARNING)|passes|FAILED'
timeout 100 "${ncu[@]}" --nvtx -o "$out/gemm" python3 gemm.py </dev/null | grep -E '==(ERROR|WARNING)|passes|FAILED'
