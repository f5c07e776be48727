"""Reports in object stores, through fsspec (the extra ``remote``)."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ncuanalyze.batch.chains import beside, is_chain, own_link
from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.in_time import Headway, in_time
from ncuanalyze.batch.limits import DEFAULT_TIMEOUT_S
from ncuanalyze.errors import InvalidInput, MissingDependency, UnreadableReport

MOST_BYTES = 16 << 30
"""A remote file beyond this size is not fetched."""
_CHUNK = 1 << 20
_VERSION_KEYS = (
    "ETag",
    "etag",
    "md5Hash",
    "md5",
    "content_md5",
    "generation",
    "LastModified",
    "mtime",
    "created",
    "size",
)


def is_url(path: str) -> bool:
    """Whether fsspec is to open it: ``s3://bucket/nightly``."""
    return "://" in path


def remote_files(url: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> Iterator[Found]:
    """The file, the files below the folder, or what the glob matches. Raises InvalidInput where there is nothing.

    A file whose store does not answer in time is given as it is: fetching it says so.
    """
    try:
        yield from in_time(lambda _: _listed(url), timeout_s)
    except FileNotFoundError as error:
        raise InvalidInput(f"{_shown(url)} does not exist", hint="Check the URL and the credentials.") from error
    except (InvalidInput, MissingDependency):
        raise
    except Exception as error:  # each store has exceptions of its own
        if isinstance(error, TimeoutError) and _is_a_file(url):
            yield Found(report=_shown(url), url=url)
            return
        raise InvalidInput(
            f"cannot list {_shown(url)}: {_reason(error)}", hint="Check the URL and the credentials."
        ) from error


def _listed(url: str) -> list[Found]:
    store, path = _store(url)
    if glob.has_magic(path) and not store.exists(path):
        infos = store.glob(path, detail=True)
    elif store.isdir(path):
        below = store.find(path, detail=True)
        infos = {name: info for name, info in below.items() if is_report(name) or is_archive(name)}
    else:
        infos = {path: store.info(path)}
    files = [(name, info) for name, info in sorted(infos.items()) if info.get("type") != "directory"]
    return [_found(beside(url, store.unstrip_protocol(name)), info) for name, info in files]


def _is_a_file(url: str) -> bool:
    own = own_link(url)
    return not glob.has_magic(own) and (is_report(own) or is_archive(own))


def _found(url: str, info: dict[str, Any]) -> Found:
    report, size = _shown(url), info.get("size")
    if info.get("type") == "other":
        return Found(report=report, refused="it is not a plain file", hint="Give a file.")
    if isinstance(size, int) and size > MOST_BYTES:
        return Found(report=report, refused=f"it has {size:,} bytes", hint="Fetch it by hand if it is genuine.")
    return Found(report=report, url=url, version="" if is_chain(url) else _version(info))


def _shown(text: str) -> str:
    """The text with bytes that are no UTF-8 escaped, as names of local files are."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def _reason(error: BaseException) -> str:
    return _shown(str(error)) or type(error).__name__


def _version(info: dict[str, Any]) -> str:
    known = [f"{key}={info[key]}" for key in _VERSION_KEYS if info.get(key) is not None]
    only_size = all(item.startswith("size=") for item in known)
    return "" if only_size else hashlib.sha256("\n".join(known).encode()).hexdigest()[:32]


class NotFetched(UnreadableReport):
    """The store did not give the file, for ``reason``: another attempt may get it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"cannot fetch it: {reason}", hint="Check the URL and the credentials.")
        self.reason = reason


def fetch(url: str, target: Path, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
    """Copy a remote file to ``target``, in ``timeout_s`` and a second for each MiB. Raises NotFetched."""
    try:
        in_time(lambda headway: _copied(url, target, headway), timeout_s)
    except MissingDependency:
        raise
    except Exception as error:  # each store has exceptions of its own
        raise NotFetched(_reason(error)) from error


def _copied(url: str, target: Path, headway: Headway) -> None:
    store, path = _store(url)
    with store.open(path, "rb") as source, target.open("wb") as out:
        while chunk := source.read(_CHUNK):
            headway.more(len(chunk))
            if headway.size > MOST_BYTES:
                raise OSError(f"it has more than {MOST_BYTES:,} bytes")
            out.write(chunk)


def _store(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingDependency(
            "reading from a URL needs the fsspec library", hint="Install it with: pip install 'ncuanalyze[remote]'"
        ) from error
    try:
        store, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise MissingDependency(
            f"cannot open {url}: {error}",
            hint="Each store has a library of its own: s3fs for s3://, gcsfs for gs://, adlfs for abfs://.",
        ) from error
    return store, str(path)
