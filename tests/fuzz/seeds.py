"""Whole files of every kind, from which damaged ones are made."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence

from launches import FIXTURES
from render.documents import HOTSPOTS, diagnosis, kernel

from ncuanalyze.compare import compare
from ncuanalyze.diagnosis import to_dict
from ncuanalyze.gate import propose

TEXTS = tuple(
    (FIXTURES / "odd" / name).read_bytes()
    for name in (
        "console_text.txt", "print_summary.csv", "raw_units.csv", "raw_nvtx.csv", "details_20col.csv", "thousands.csv",
        "details_15col_2021_rules.csv", "prof_preamble.csv", "gui_raw_transposed.csv", "err_permission.csv",
        "failed_launch.csv", "two_exports.csv", "utf16le_powershell.csv", "details_range_no_launch.csv",
    )
)  # fmt: skip
WHOLE = tuple(lzma.decompress((FIXTURES / f"demo.{page}.csv.xz").read_bytes()) for page in ("raw", "details"))
PACKED = tuple((FIXTURES / "odd" / f"raw_units.csv.{kind}").read_bytes() for kind in ("gz", "xz", "zip"))
ROOT = FIXTURES.parent
ONE = diagnosis(kernel(source_hotspots=HOTSPOTS))
SAVED = json.dumps(to_dict(ONE)).encode()
COMPARED = json.dumps(to_dict(compare([ONE], [ONE]))).encode()
THRESHOLDS = (
    b"[tensor_cores_idle]\nfma_share_pct = 60\n",
    b'[tail_effect.idle_pct]\nvalue = 1.5\nunit = "%"\nsource = "ours"\n',
    (ROOT / "rules" / "thresholds.toml").read_bytes(),
)
BUDGETS = (
    propose(ONE).encode(),
    b'schema = "ncuanalyze.budget/1"\ntolerance_pct = 2\n[[budget]]\nkernel = "*"\nassert = ["duration_us < 200", '
    b'"dram_utilization_pct >= 1e1 %", "no finding above 1.2x", "stall_barrier_pct < (1 + 2) * 3"]\n',
)
SECTIONS = tuple(path.read_bytes() for path in sorted((ROOT / "sections").glob("*.section"))[:4])
SEEDS: Mapping[str, Sequence[bytes]] = {
    "report_text": TEXTS,
    "packed_report": PACKED,
    "saved_diagnosis": (SAVED,),
    "saved_comparison": (COMPARED,),
    "thresholds": THRESHOLDS,
    "budget": BUDGETS,
    "section": SECTIONS,
}
"""By the name of the target that reads them."""
