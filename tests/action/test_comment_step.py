"""The comment step against a local server that stands for GitHub's API: one comment, found again, updated in place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

STEP = Path(__file__).parents[2] / "action" / "comment.py"
PULL_REQUEST = {"pull_request": {"number": 7}}
BOT = {"login": "github-actions[bot]", "type": "Bot"}


@dataclass
class Api:
    """What the server holds and saw. ``failures`` are answers to give before the real ones."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    failures: list[int] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def api() -> Iterator[Api]:
    state = Api()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            return

        def answer(self, code: int, data: Any) -> None:
            text = json.dumps(data).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def handled(self) -> bool:
            state.requests.append((self.command, self.path))
            state.tokens.add(self.headers["Authorization"])
            if state.failures:
                self.answer(state.failures.pop(0), {"message": "no"})
                return True
            return False

        def body(self) -> dict[str, Any]:
            found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            return found

        def do_GET(self) -> None:
            if not self.handled():
                page = int(self.path.rsplit("=", 1)[1])
                self.answer(200, state.comments[100 * (page - 1) : 100 * page])

        def do_POST(self) -> None:
            data = self.body()
            if not self.handled():
                comment = {"id": 1000 + len(state.comments), "user": BOT, **data}
                state.comments.append(comment)
                self.answer(201, comment | {"html_url": f"https://example.test/{comment['id']}"})

        def do_PATCH(self) -> None:
            data = self.body()
            if not self.handled():
                number = int(self.path.rsplit("/", 1)[1])
                (comment,) = (item for item in state.comments if item["id"] == number)
                comment.update(data)
                self.answer(200, comment | {"html_url": f"https://example.test/{number}"})

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield state
    server.shutdown()
    server.server_close()


def step(api: Api, folder: Path, text: str = "### Faster\n", event: Any = PULL_REQUEST, **more: str) -> str:
    """Run the step; what it printed. It must not fail the job."""
    files = {name: folder / name for name in ("event.json", "comment.md", "output")}
    files["event.json"].write_text(json.dumps(event))
    files["comment.md"].write_text(text)
    files["output"].write_text("")
    environment = {
        "PATH": os.environ["PATH"],
        "GITHUB_API_URL": api.url,
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(files["event.json"]),
        "GITHUB_OUTPUT": str(files["output"]),
        "GITHUB_TOKEN": "secret",
        "COMMENT_FILE": str(files["comment.md"]),
        "RETRY_WAIT_S": "0",
        "no_proxy": "127.0.0.1",
        **more,
    }
    done = subprocess.run(
        [sys.executable, str(STEP)], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "secret" not in done.stdout + done.stderr
    return done.stdout


def test_the_first_run_posts_and_the_second_updates(api: Api, tmp_path: Path) -> None:
    step(api, tmp_path, "first\n")
    assert (tmp_path / "output").read_text() == "url=https://example.test/1000\n"
    step(api, tmp_path, "second\n")
    assert [item["body"] for item in api.comments] == ["<!-- ncuanalyze-comment: default -->\nsecond\n"]
    assert [method for method, _ in api.requests] == ["GET", "POST", "GET", "PATCH"]
    assert api.requests[1] == ("POST", "/repos/o/r/issues/7/comments")
    assert api.requests[3] == ("PATCH", "/repos/o/r/issues/comments/1000")
    assert api.tokens == {"Bearer secret"}


def test_other_keys_have_other_comments(api: Api, tmp_path: Path) -> None:
    step(api, tmp_path, INPUT_COMMENT_KEY="a100")
    step(api, tmp_path, INPUT_COMMENT_KEY="h200 --> <b>")
    assert [item["body"].splitlines()[0] for item in api.comments] == [
        "<!-- ncuanalyze-comment: a100 -->",
        "<!-- ncuanalyze-comment: h200 ___ _b_ -->",
    ]


def test_the_comment_is_found_on_a_later_page(api: Api, tmp_path: Path) -> None:
    api.comments = [{"id": number, "body": "talk", "user": BOT} for number in range(230)]
    api.comments[215]["body"] = "<!-- ncuanalyze-comment: default -->\nold"
    step(api, tmp_path, "new\n")
    assert api.comments[215]["body"].endswith("new\n")
    assert len(api.comments) == 230


def test_a_persons_comment_with_the_marker_is_not_touched(api: Api, tmp_path: Path) -> None:
    api.comments = [
        {"id": 1, "body": "<!-- ncuanalyze-comment: default -->\nmine", "user": {"login": "eve", "type": "User"}},
        {"id": 2, "body": "I quote: <!-- ncuanalyze-comment: default -->", "user": BOT},
        {"id": 3, "body": None, "user": None},
    ]
    step(api, tmp_path, "new\n")
    assert api.comments[0]["body"].endswith("mine")
    assert len(api.comments) == 4
    step(api, tmp_path, "newer\n", INPUT_COMMENT_AUTHOR="eve")
    assert api.comments[0]["body"].endswith("newer\n")


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ({"pull_request": {"number": 3}}, "/repos/o/r/issues/3/comments"),
        ({"issue": {"number": 4, "pull_request": {}}}, "/repos/o/r/issues/4/comments"),
        ({"workflow_run": {"pull_requests": [{"number": 5}]}}, "/repos/o/r/issues/5/comments"),
    ],
)
def test_every_event_of_a_pull_request(api: Api, tmp_path: Path, event: Any, path: str) -> None:
    step(api, tmp_path, event=event)
    assert ("POST", path) in api.requests


@pytest.mark.parametrize(
    "event",
    [{}, {"issue": {"number": 4}}, {"workflow_run": {"pull_requests": []}}, {"pull_request": {"number": "7/../8"}}],
)
def test_no_pull_request_no_comment(api: Api, tmp_path: Path, event: Any) -> None:
    assert "no pull request" in step(api, tmp_path, event=event)
    assert api.requests == []


@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_fork_whose_token_may_not_write_gets_a_notice(api: Api, tmp_path: Path, code: int) -> None:
    api.failures = [code]
    assert f"::notice title=ncuanalyze::the token may not comment here (HTTP {code})" in step(api, tmp_path)


def test_a_failing_server_is_asked_again_and_then_given_up(api: Api, tmp_path: Path) -> None:
    api.failures = [502, 503]
    step(api, tmp_path)
    assert len(api.comments) == 1
    api.failures = [500, 500, 500]
    assert "::warning" in step(api, tmp_path)


def test_no_server_is_a_warning(api: Api, tmp_path: Path) -> None:
    assert "::warning" in step(api, tmp_path, GITHUB_API_URL="http://127.0.0.1:1")


def test_nothing_to_say_is_no_comment(api: Api, tmp_path: Path) -> None:
    assert "nothing to say" in step(api, tmp_path, " \n")
    assert api.requests == []


def test_a_comment_is_never_longer_than_github_takes(api: Api, tmp_path: Path) -> None:
    step(api, tmp_path, "x" * 100_000)
    assert len(api.comments[0]["body"]) == 65_000
