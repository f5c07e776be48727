"""The step that keeps one comment on the pull request: found again by a marker, updated in place."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = 100
MOST_PAGES = 30
TRIES = 3
TIMEOUT_S = 20
MOST_CHARACTERS = 65_000
"""GitHub refuses a comment of more than 65,536."""
NOT_ALLOWED = (401, 403, 404)

Api = str


def main() -> int:
    """Post or update; a pull request from a fork, whose token may not write, gets a notice instead."""
    number = pull_request(json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8")))
    if number is None:
        return tell("notice", "this run belongs to no pull request: no comment")
    marker = marker_of(os.environ.get("INPUT_COMMENT_KEY", "default"))
    text = Path(os.environ["COMMENT_FILE"]).read_text(encoding="utf-8")
    if not text.strip():
        return tell("notice", "nothing to say: no comment")
    body = f"{marker}\n{text}"[:MOST_CHARACTERS]
    api = f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{os.environ['GITHUB_REPOSITORY']}"
    try:
        url = put(api, number, marker, body)
    except urllib.error.HTTPError as error:
        if error.code in NOT_ALLOWED:
            return tell("notice", f"the token may not comment here (HTTP {error.code}): see the summary instead")
        return tell("warning", f"the comment could not be posted (HTTP {error.code})")
    except (OSError, ValueError) as error:
        return tell("warning", f"the comment could not be posted: {error}")
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.write(f"url={url.splitlines()[0] if url else ''}\n")
    return 0


def pull_request(event: dict[str, Any]) -> int | None:
    """The number of the pull request of an event: of its own, of a comment on it, or of the run that it follows."""
    following = (event.get("workflow_run") or {}).get("pull_requests") or [{}]
    issue = event.get("issue") or {}
    candidates = (
        (event.get("pull_request") or {}).get("number"),
        issue.get("number") if "pull_request" in issue else None,
        following[0].get("number"),
    )
    return next((number for number in candidates if isinstance(number, int) and number > 0), None)


def marker_of(key: str) -> str:
    """The first line of the comment; the key is reduced to characters that end no HTML comment."""
    return f"<!-- ncuanalyze-comment: {re.sub(r'[^A-Za-z0-9_. ]', '_', key)[:60]} -->"


def put(api: Api, number: int, marker: str, body: str) -> str:
    """Update our comment or post one; the URL of it."""
    for comment in comments(api, number):
        if str(comment.get("body") or "").startswith(marker) and is_ours(comment):
            return address(call("PATCH", f"{api}/issues/comments/{int(comment['id'])}", {"body": body}))
    return address(call("POST", f"{api}/issues/{number}/comments", {"body": body}))


def is_ours(comment: dict[str, Any]) -> bool:
    """Of the named author, or of an app: a person's comment with our marker is not ours to change."""
    user = comment.get("user") or {}
    author = os.environ.get("INPUT_COMMENT_AUTHOR", "")
    return user.get("login") == author if author else user.get("type") == "Bot"


def comments(api: Api, number: int) -> Iterator[dict[str, Any]]:
    """Every comment of the pull request, page by page."""
    for page in range(1, MOST_PAGES + 1):
        found = call("GET", f"{api}/issues/{number}/comments?per_page={PAGE}&page={page}")
        yield from found
        if len(found) < PAGE:
            return


def address(comment: Any) -> str:
    """Where a person finds the comment."""
    return str(comment.get("html_url") or "")


def call(method: str, url: str, data: Any = None) -> Any:
    """One request, tried again where the server fails or limits the rate."""
    request = urllib.request.Request(
        url,
        method=method,
        data=None if data is None else json.dumps(data).encode(),
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Content-Type": "application/json",
            "User-Agent": "ncuanalyze-action",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    for attempt in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if attempt == TRIES or (error.code < 500 and error.code != 429):
                raise
        time.sleep(float(os.environ.get("RETRY_WAIT_S", "2")) * attempt)
    raise AssertionError("the loop returns or raises")


def tell(level: str, text: str) -> int:
    """A line on the run's page; the step itself goes on."""
    sys.stdout.write(f"::{level} title=ncuanalyze::{text}\n".replace("%", "%25"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
