"""An interrupt waits for a safe place; a second one does not."""

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from ncuanalyze.batch.held_interrupts import HeldInterrupts, held_interrupts


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    for number, known in kept.items():
        signal.signal(number, known)


def told(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


def at_a_safe_place(held: HeldInterrupts) -> None:
    held.let_through()


def by_a_second(held: HeldInterrupts) -> None:
    told(signal.SIGINT)


def at_the_end(held: HeldInterrupts) -> None: ...


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("strikes", [at_a_safe_place, by_a_second, at_the_end])
def test_it_strikes_once(strikes: Callable[[HeldInterrupts], None], number: signal.Signals) -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), held_interrupts() as held:
        told(number)
        done.append("the half that was left")
        strikes(held)
        done.append("the rest")
    assert done == ["the half that was left", "the rest"][: 2 if strikes is at_the_end else 1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_strikes_where_nothing_came() -> None:
    with held_interrupts() as held:
        held.let_through()


def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with held_interrupts() as held:
        told(signal.SIGINT)
        held.let_through()
