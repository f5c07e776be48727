"""The connection to a Dask scheduler keeps the libraries' own logs from the terminal, and gives them back."""

import logging
import threading
from collections.abc import Iterator

import pytest

from ncuanalyze.batch.dask_client import connected

distributed = pytest.importorskip("distributed", reason="dask is not installed")

LOGGERS = ("distributed", "distributed.client", "distributed.core", "tornado", "tornado.application", "asyncio")


@pytest.fixture
def address() -> Iterator[str]:
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster.scheduler_address


def test_what_an_interrupt_leaves_in_the_library_is_not_heard(
    address: str, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    ran = threading.Event()

    async def never_awaited() -> None: ...

    def nothing_to_cancel() -> None:
        never_awaited()
        ran.set()
        raise NameError("future")

    application = logging.getLogger("tornado.application")
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    application.addHandler(caplog.handler)
    try:
        with connected(address, lambda: None) as client:
            client.loop.add_callback(nothing_to_cancel)
            assert ran.wait(10)
            assert not [name for name in LOGGERS if logging.getLogger(name).isEnabledFor(logging.ERROR)]
    finally:
        application.removeHandler(caplog.handler)
    assert [record.name for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert [str(warning.message) for warning in recwarn if warning.category is RuntimeWarning] == []
    assert {name: logging.getLogger(name).level for name in LOGGERS} == levels
