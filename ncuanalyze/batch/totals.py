"""Adds up the dataset for its index page: one row group at a time, so that memory grows with names, not with rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.row_values import profiled_at
from ncuanalyze.batch.texts import short_key
from ncuanalyze.record import record
from ncuanalyze.render.batch_index import BatchIndex, BoundShare, CauseTotal, GpuTotal, KernelTotal, ReportLine
from ncuanalyze.version import __version__

MOST_KERNELS, MOST_REPORTS, MOST_ERRORS = 200, 500, 200
MOST_NAME = 1_024
"""Characters of a kernel's name on the page."""
NO_GPU = "GPU not named"
_KEYS = ["gpu", "demangled", "bound", "cause", "cause_title"]
_FILES = (
    ("kernels/", "one row a kernel launch, Parquet"),
    ("diagnoses/", "one diagnosis a line, JSON packed with gzip"),
    ("reports.jsonl", "what was read, with the hash of its bytes"),
    ("errors.jsonl", "what was not, and why"),
)


@record
class _Group:
    """Launches alike in GPU, kernel, bound and first finding."""

    gpu: str
    name: str
    bound: str
    cause: str
    cause_title: str
    launches: int
    total_ns: float
    saved_ns: float


def index_of(parts: Iterable[Path], entries: Sequence[Entry]) -> BatchIndex:
    """The page's content from the Parquet files and the ledger."""
    groups = _groups(parts)
    total = sum(group.total_ns for group in groups)
    kernels = _kernel_totals(groups)
    errors = [entry for entry in entries if not entry.is_diagnosed]
    read = [entry for entry in entries if entry.is_diagnosed]
    days = sorted(moment.date().isoformat() for entry in read if (moment := profiled_at(entry)) is not None)
    return BatchIndex(
        tool=f"ncuanalyze {__version__}",
        report_count=len(entries),
        kernel_count=sum(group.launches for group in groups),
        error_count=len(errors),
        total_ns=total,
        saved_ns=sum(group.saved_ns for group in groups),
        name_count=len(kernels),
        first=days[0] if days else "",
        last=days[-1] if days else "",
        gpus=_gpu_totals(groups),
        causes=_cause_totals(groups, total),
        kernels=tuple(kernels[:MOST_KERNELS]),
        reports=tuple(_line(entry) for entry in read[:MOST_REPORTS]),
        errors=tuple(_line(entry) for entry in errors[:MOST_ERRORS]),
        files=_FILES,
    )


def _groups(parts: Iterable[Path]) -> list[_Group]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [*_KEYS, "duration_ns", "saved_ns"]
    sums = [([], "count_all"), ("duration_ns", "sum"), ("saved_ns", "sum")]
    files = (pq.ParquetFile(part) for part in parts)
    tables = [
        _short(file.read_row_group(group, columns=columns)).group_by(_KEYS, use_threads=False).aggregate(sums)
        for file in files
        for group in range(file.num_row_groups)
    ]
    if not tables:
        return []
    whole = pa.concat_tables(tables)
    again = [("count_all", "sum"), ("duration_ns_sum", "sum"), ("saved_ns_sum", "sum")]
    rows = whole.group_by(_KEYS, use_threads=False).aggregate(again).to_pylist()
    return sorted((_group(row) for row in rows), key=lambda group: (group.gpu, group.name, group.bound, group.cause))


def _short(table: Any) -> Any:
    """The rows with names that can be held for all kernels of a dataset."""
    import pyarrow as pa

    names = table["demangled"].combine_chunks().dictionary_encode()
    shorter = [None if name is None else short_key(name, MOST_NAME) for name in names.dictionary.to_pylist()]
    place = table.schema.get_field_index("demangled")
    return table.set_column(place, "demangled", pa.array(shorter, pa.string()).take(names.indices))


def _group(row: Mapping[str, Any]) -> _Group:
    return _Group(
        gpu=row["gpu"] or NO_GPU,
        name=row["demangled"] or "",
        bound=row["bound"] or "inconclusive",
        cause=row["cause"] or "",
        cause_title=row["cause_title"] or "",
        launches=row["count_all_sum"],
        total_ns=row["duration_ns_sum_sum"] or 0.0,
        saved_ns=row["saved_ns_sum_sum"] or 0.0,
    )


def _by(groups: Iterable[_Group], key: Callable[[_Group], Any]) -> dict[Any, list[_Group]]:
    found: dict[Any, list[_Group]] = defaultdict(list)
    for group in groups:
        found[key(group)].append(group)
    return found


def _time(groups: Iterable[_Group]) -> float:
    return sum(group.total_ns for group in groups)


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _gpu_totals(groups: Sequence[_Group]) -> tuple[GpuTotal, ...]:
    totals = [
        GpuTotal(
            gpu=gpu,
            kernels=sum(group.launches for group in members),
            total_ns=_time(members),
            bounds=_bounds(members),
        )
        for gpu, members in _by(groups, lambda group: group.gpu).items()
    ]
    return tuple(sorted(totals, key=lambda total: (-total.total_ns, total.gpu)))


def _bounds(groups: Sequence[_Group]) -> tuple[BoundShare, ...]:
    whole = _time(groups)
    shares = [
        BoundShare(
            bound=bound,
            kernels=sum(group.launches for group in members),
            total_ns=_time(members),
            share_pct=_share(_time(members), whole),
        )
        for bound, members in _by(groups, lambda group: group.bound).items()
    ]
    return tuple(sorted(shares, key=lambda share: (-share.total_ns, share.bound)))


def _cause_totals(groups: Sequence[_Group], total: float) -> tuple[CauseTotal, ...]:
    causes = []
    for cause, members in _by(groups, lambda group: group.cause).items():
        if cause:
            saved = sum(group.saved_ns for group in members)
            causes.append(
                CauseTotal(
                    id=cause,
                    title=members[0].cause_title,
                    kernels=sum(group.launches for group in members),
                    saved_ns=saved,
                    share_pct=_share(saved, total),
                )
            )
    return tuple(sorted(causes, key=lambda cause: (-cause.saved_ns, cause.id)))


def _kernel_totals(groups: Sequence[_Group]) -> list[KernelTotal]:
    totals = [
        _kernel_total(gpu, name, members)
        for (gpu, name), members in _by(groups, lambda group: (group.gpu, group.name)).items()
    ]
    return sorted(totals, key=lambda total: (-total.saved_ns, -total.total_ns, total.gpu, total.name))


def _kernel_total(gpu: str, name: str, groups: Sequence[_Group]) -> KernelTotal:
    total, saved = _time(groups), sum(group.saved_ns for group in groups)
    longest = max(groups, key=lambda group: group.total_ns)
    return KernelTotal(
        gpu=gpu,
        name=name,
        launches=sum(group.launches for group in groups),
        total_ns=total,
        saved_ns=saved,
        headroom_pct=_share(saved, total),
        bound=longest.bound,
        cause=longest.cause_title,
    )


def _line(entry: Entry) -> ReportLine:
    moment = profiled_at(entry)
    return ReportLine(
        name=entry.report,
        kernels=entry.kernels,
        created=moment.date().isoformat() if moment is not None else "",
        ending=entry.ending,
        message=entry.message,
        hint=entry.hint,
    )
