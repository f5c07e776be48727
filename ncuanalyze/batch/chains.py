"""URLs of several links, as fsspec chains them: ``zip://gemm.csv::s3://bucket/night.zip`` is a file in a file."""

from __future__ import annotations

_LINK, _PROTOCOL = "::", "://"
_CACHES = frozenset({"simplecache", "filecache", "blockcache", "cached"})


def own_link(url: str) -> str:
    """The link that names the file itself; the text as it is where it is no chain."""
    links = _links(url)
    return links[0] if links else url


def is_chain(url: str) -> bool:
    """Whether the file lies in something that has a URL of its own."""
    return len(_links(url)) > 1


def beside(url: str, own: str) -> str:
    """The URL of a file in the same place as ``url``, by its own link. Caches in front are no place, so they go."""
    return _LINK.join([own, *_links(url)[1:]])


def _links(url: str) -> list[str]:
    """The links behind caches; none for what is no URL."""
    if _PROTOCOL not in url:
        return []
    links = url.split(_LINK)
    while len(links) > 1 and links[0] in _CACHES:
        del links[0]
    return links
