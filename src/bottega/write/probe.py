"""Runs inside the sandbox: evaluates each expression on the solution and writes one JSON line with the values.

It knows no expected result and gives no verdict: the solution runs in this very interpreter and can change all of it,
so what this program says is a claim about values, which the process outside compares with what it expects.

This file is copied into the sandbox as it is and imports nothing of bottega.
"""

import contextlib
import json
import os
import signal
import sys
from numbers import Number
from pathlib import Path

SECONDS_AN_EXPRESSION = 2.0
DEEPEST, MOST_NODES, LONGEST_TEXT = 40, 20_000, 100_000


class TooSlow(BaseException):
    """Not an Exception, so that the code under test cannot swallow it with `except Exception`."""


class TooLarge(Exception):
    """A value with more parts than a comparison needs."""


def raise_too_slow(number, frame):  # type: ignore[no-untyped-def]  # the shape that signal asks for
    del number, frame
    raise TooSlow


def main() -> None:
    expressions = json.loads(sys.stdin.read())
    reply = _take_the_streams()
    namespace: dict[str, object] = {"__name__": "solution"}
    signal.signal(signal.SIGALRM, raise_too_slow)
    problem = ""
    try:
        code = Path("solution.py").read_text(encoding="utf-8")
        with limit_time():
            exec(compile(code, "solution.py", "exec"), namespace)  # noqa: S102 - what the sandbox is for
    except (Exception, TooSlow, SystemExit) as error:  # noqa: BLE001 - anything the code does is a result
        problem = f"it fails as it is loaded: {describe_error(error)}"
    results = [] if problem else [evaluate(expression, namespace) for expression in expressions]
    line = json.dumps({"problem": problem, "results": results}) + "\n"
    with os.fdopen(reply, "w", encoding="ascii") as stream:
        stream.write(line)
    os._exit(0)


def _take_the_streams() -> int:
    """Keep standard output for the reply: what the solution prints goes nowhere."""
    reply = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return reply


@contextlib.contextmanager
def limit_time():  # type: ignore[no-untyped-def]  # a generator of nothing
    signal.setitimer(signal.ITIMER_REAL, SECONDS_AN_EXPRESSION)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def evaluate(expression: str, namespace: dict[str, object]) -> list[object]:
    """`["value", tree]`, or `["raised", text]`."""
    try:
        with limit_time():
            return ["value", encode(eval(expression, dict(namespace)), Budget())]  # noqa: S307 - as above
    except TooLarge:
        return ["raised", "returned a value that is too large to compare"]
    except (Exception, TooSlow, SystemExit) as error:  # noqa: BLE001 - as above
        return ["raised", describe_error(error)]


class Budget:
    def __init__(self) -> None:
        self.nodes = 0

    def spend(self, depth: int) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES or depth > DEEPEST:
            raise TooLarge


def encode(value: object, budget: Budget, depth: int = 0) -> list[object]:
    """Plain data as a tagged tree; of anything else, its type and how it prints."""
    budget.spend(depth)
    if value is None or value is True or value is False:
        return ["constant", value]
    if isinstance(value, int):
        return ["int", hex(int.__index__(value))]
    if isinstance(value, float):
        return ["float", float.hex(float(value))]
    if isinstance(value, str):
        return ["str", _require_short(str.__str__(value))]
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", _require_short(bytes(value).hex())]
    for name, kind in (("list", list), ("tuple", tuple), ("frozenset", frozenset), ("set", set)):
        if isinstance(value, kind):
            items = kind.__iter__(value)  # type: ignore[arg-type]  # it is of that kind
            return [name, [encode(item, budget, depth + 1) for item in items]]
    if isinstance(value, dict):
        pairs = dict.items(value)
        return ["dict", [[encode(key, budget, depth + 1), encode(item, budget, depth + 1)] for key, item in pairs]]
    if isinstance(value, Number) and not isinstance(value, complex):
        return ["float", float.hex(float(value))]  # type: ignore[arg-type]  # fractions and decimals convert
    return ["object", type(value).__name__, repr(value)[:200]]


def _require_short(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise TooLarge
    return text


def describe_error(error: BaseException) -> str:
    if isinstance(error, TooSlow):
        return f"did not end within {SECONDS_AN_EXPRESSION:g} s"
    return f"raised {type(error).__name__}: {str(error)[:200]}"


if __name__ == "__main__":
    main()
