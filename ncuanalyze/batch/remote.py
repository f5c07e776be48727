"""Reports in object stores, through fsspec (the extra ``remote``)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.batch.found import Found
from ncuanalyze.errors import InvalidInput, MissingDependency, UnreadableReport

MOST_BYTES = 16 << 30
"""A remote file beyond this size is not fetched."""
_CHUNK = 4 << 20
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


def remote_files(url: str) -> Iterator[Found]:
    """The file, the files below the folder, or what the glob matches. Raises InvalidInput where there is nothing."""
    import glob

    store, path = _store(url)
    try:
        if glob.has_magic(path):
            infos = store.glob(path, detail=True)
        elif store.isdir(path):
            below = store.find(path, detail=True)
            infos = {name: info for name, info in below.items() if is_report(name) or is_archive(name)}
        else:
            infos = {path: store.info(path)}
    except FileNotFoundError as error:
        raise InvalidInput(f"{url} does not exist", hint="Check the URL and the credentials.") from error
    except Exception as error:  # each store has exceptions of its own
        raise InvalidInput(f"cannot list {url}: {error}", hint="Check the URL and the credentials.") from error
    for name, info in sorted(infos.items()):
        if info.get("type") != "directory":
            yield _found(store.unstrip_protocol(name), info)


def _found(url: str, info: dict[str, Any]) -> Found:
    size = info.get("size")
    if isinstance(size, int) and size > MOST_BYTES:
        return Found(report=url, refused=f"it has {size:,} bytes", hint="Fetch it by hand if it is genuine.")
    return Found(report=url, url=url, version=_version(info))


def _version(info: dict[str, Any]) -> str:
    known = [f"{key}={info[key]}" for key in _VERSION_KEYS if info.get(key) is not None]
    only_size = all(item.startswith("size=") for item in known)
    return "" if only_size else hashlib.sha256("\n".join(known).encode()).hexdigest()[:32]


def fetch(url: str, target: Path) -> None:
    """Copy a remote file to ``target``. Raises UnreadableReport."""
    store, path = _store(url)
    try:
        with store.open(path, "rb") as source, target.open("wb") as out:
            size = 0
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                if size > MOST_BYTES:
                    raise OSError(f"it has more than {MOST_BYTES:,} bytes")
                out.write(chunk)
    except Exception as error:  # each store has exceptions of its own
        reason = str(error) or type(error).__name__
        raise UnreadableReport(f"cannot fetch it: {reason}", hint="Check the URL and the credentials.") from error


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
