"""Which kernel of the new side is which kernel of the base: exact first, then what an edit leaves alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache

from ncuanalyze.compare.launches import Group, Launch
from ncuanalyze.compare.names import masked, stem
from ncuanalyze.diagnosis import Kernel
from ncuanalyze.errors import InvalidInput
from ncuanalyze.pattern import Pattern

_SIMILARITY_LIMIT = 40_000  # pairs of names compared word by word; beyond it, order alone decides
_WORD = re.compile(r"\w+")

Key = Callable[[Kernel], Hashable]


@dataclass(frozen=True, kw_only=True)
class Match:
    """A kernel on both sides, by what it was matched, and what differs all the same."""

    base: Group
    new: Group
    by: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Matching:
    """The matches in the order of the base, and the groups left over on each side."""

    matches: tuple[Match, ...]
    vanished: tuple[Group, ...]
    appeared: tuple[Group, ...]


@dataclass(frozen=True)
class Pair:
    """``--pair old=new``: which kernel of the base stands against which of the new side."""

    old: str
    new: str


def full_name(kernel: Kernel) -> str:
    """The demangled name where there is one."""
    return kernel.demangled or kernel.name


STAGES: tuple[tuple[str, Key], ...] = (
    ("name, NVTX path and shape", lambda k: (full_name(k), k.nvtx, k.grid, k.block, k.workload)),
    ("name and NVTX path", lambda k: (full_name(k), k.nvtx, k.workload)),
    ("name and shape", lambda k: (full_name(k), k.grid, k.block, k.workload)),
    ("name", lambda k: (full_name(k), k.workload)),
    ("function and NVTX path", lambda k: (stem(full_name(k)), k.nvtx, k.workload)),
    ("function", lambda k: (stem(full_name(k)), k.workload)),
    ("name without numbers", lambda k: (masked(full_name(k)), k.workload)),
)


def parse_pair(text: str) -> Pair:
    """``old=new`` as a Pair. Raises InvalidInput for anything else."""
    old, sign, new = text.partition("=")
    if not sign or not old.strip() or not new.strip():
        raise InvalidInput(f"'{text}' is no pair of kernels", hint="write --pair OLD=NEW, two kernel names or patterns")
    return Pair(old.strip(), new.strip())


def match_groups(base: Sequence[Group], new: Sequence[Group]) -> Matching:
    """Match stage by stage; within a stage by likeness of names, then by order of launches."""
    left, right = list(base), list(new)
    matches: list[Match] = []
    for by, key in STAGES:
        for old, fresh in _stage(left, right, key):
            matches.append(Match(base=old, new=fresh, by=by, notes=notes_of(old.first.kernel, fresh.first.kernel)))
            left.remove(old)
            right.remove(fresh)
    matches.sort(key=lambda match: match.base.order)
    return Matching(matches=tuple(matches), vanished=tuple(left), appeared=tuple(right))


def match_pairs(base: Sequence[Launch], new: Sequence[Launch], pairs: Sequence[Pair]) -> Matching:
    """The kernels that each pair names, all their launches gathered; nothing else is compared."""
    matches = []
    for order, pair in enumerate(pairs):
        old, fresh = pick(base, pair.old, "base"), pick(new, pair.new, "new")
        matches.append(
            Match(
                base=Group(launches=old, order=order),
                new=Group(launches=fresh, order=order),
                by=f"--pair {pair.old}={pair.new}",
                notes=notes_of(old[0].diagnosis.kernel, fresh[0].diagnosis.kernel, named=True),
            )
        )
    return Matching(matches=tuple(matches), vanished=(), appeared=())


def pick(launches: Sequence[Launch], name: str, side: str) -> tuple[Launch, ...]:
    """The launches of a kernel, at least one: by exact name or NVTX range, else by regular expression."""
    exact = tuple(launch for launch in launches if name in _names(launch.diagnosis.kernel))
    if exact:
        return exact
    pattern = Pattern(name, f"the kernel of the {side} side")
    found = tuple(launch for launch in launches if pattern.finds(*_names(launch.diagnosis.kernel)))
    if not found:
        known = ", ".join(sorted({launch.diagnosis.kernel.name for launch in launches})[:8])
        raise InvalidInput(f"no kernel of the {side} side is called '{name}'", hint=f"it holds: {known or 'none'}")
    return found


def notes_of(old: Kernel, new: Kernel, *, named: bool = False) -> tuple[str, ...]:
    """What differs between two matched kernels, in words."""
    notes = [] if named or full_name(old) == full_name(new) else [_name_note(old, new)]
    if old.nvtx != new.nvtx and not named:
        notes.append(f"NVTX path {' / '.join(old.nvtx) or 'none'} became {' / '.join(new.nvtx) or 'none'}")
    if old.workload != new.workload:
        notes.append(f"a {old.workload} is compared with a {new.workload}")
    return tuple(notes)


def _name_note(old: Kernel, new: Kernel) -> str:
    if stem(full_name(old)) == stem(full_name(new)):
        return "template arguments or parameters changed"
    return f"{stem(full_name(old))} became {stem(full_name(new))}"


def _names(kernel: Kernel) -> tuple[str, ...]:
    return (kernel.name, kernel.demangled, stem(full_name(kernel)), *kernel.nvtx)


def _stage(left: Sequence[Group], right: Sequence[Group], key: Key) -> list[tuple[Group, Group]]:
    waiting: dict[Hashable, list[Group]] = {}
    for group in right:
        waiting.setdefault(key(group.first.kernel), []).append(group)
    asking: dict[Hashable, list[Group]] = {}
    for group in left:
        asking.setdefault(key(group.first.kernel), []).append(group)
    return [pair for found, olds in asking.items() if found in waiting for pair in _most_alike(olds, waiting[found])]


def _most_alike(olds: Sequence[Group], news: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Pair off greedily by likeness of name and shape; equals in their order of launches."""
    if len(olds) == len(news) == 1 or len(olds) * len(news) > _SIMILARITY_LIMIT:
        return list(zip(olds, news, strict=False))
    ranked = sorted(
        ((old, new) for old in olds for new in news),
        key=lambda pair: (-_likeness(pair[0], pair[1]), abs(olds.index(pair[0]) - news.index(pair[1]))),
    )
    taken: set[int] = set()
    pairs = []
    for old, new in ranked:
        if id(old) not in taken and id(new) not in taken:
            taken |= {id(old), id(new)}
            pairs.append((old, new))
    return sorted(pairs, key=lambda pair: pair[0].order)


def _likeness(old: Group, new: Group) -> float:
    one, other = old.first.kernel, new.first.kernel
    same_shape = (one.grid == other.grid) + (one.block == other.block) + (one.nvtx == other.nvtx)
    return _shared_words(full_name(one), full_name(other)) + 0.1 * same_shape


def _shared_words(one: str, other: str) -> float:
    """Words in both names over words in either, 0-1."""
    if one == other:
        return 1.0
    left, right = _words(one), _words(other)
    return len(left & right) / max(1, len(left | right))


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(name))
