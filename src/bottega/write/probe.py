"""Runs inside the sandbox: tries each case on the solution and prints one JSON line with what happened.

This file is copied into the sandbox as it is and imports nothing of bottega.
"""

import contextlib
import io
import json
import signal
import sys
from pathlib import Path

SECONDS_A_CASE = 2.0


class TooSlow(BaseException):
    """Not an Exception, so that the code under test cannot swallow it with `except Exception`."""


def alarm(number, frame):  # type: ignore[no-untyped-def]  # the shape that signal asks for
    del number, frame
    raise TooSlow


def main() -> None:
    order = json.loads(sys.stdin.read())
    out = sys.stdout
    namespace: dict[str, object] = {"__name__": "solution"}
    signal.signal(signal.SIGALRM, alarm)
    problem = ""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            code = Path("solution.py").read_text(encoding="utf-8")
            with limited():
                exec(compile(code, "solution.py", "exec"), namespace)  # noqa: S102 - what the sandbox is for
        except (Exception, TooSlow, SystemExit) as error:  # noqa: BLE001 - anything the code does is a result
            problem = f"it fails as it is loaded: {spoken(error)}"
        results = [] if problem else [tried(case, namespace) for case in order["cases"]]
    out.write("\n" + order["mark"] + json.dumps({"problem": problem, "results": results}) + "\n")


@contextlib.contextmanager
def limited():  # type: ignore[no-untyped-def]  # a generator of nothing
    signal.setitimer(signal.ITIMER_REAL, SECONDS_A_CASE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def tried(case: dict[str, str], namespace: dict[str, object]) -> dict[str, str]:
    """What became of a case: it `held`, it `differs`, or the code `crashed` on it."""
    call, want = case["call"], case["want"]
    try:
        with limited():
            got = eval(call, dict(namespace))  # noqa: S307 - as above
            expected = eval(want, dict(namespace)) if want else True  # noqa: S307 - as above
            held = same(got, expected) if want else bool(got)
    except (Exception, TooSlow, SystemExit) as error:  # noqa: BLE001 - as above
        return {"became": "crashed", "text": f"{call} {spoken(error)}"}
    text = "" if held else f"{call} returned {short(got)}, but {short(expected)} is expected"
    return {"became": "held" if held else "differs", "text": text}


def same(got: object, want: object) -> bool:
    numbers = isinstance(got, (int, float)) and isinstance(want, (int, float))
    if numbers and (isinstance(got, float) or isinstance(want, float)):
        return bool(abs(got - want) <= 1e-6 * max(1.0, abs(got), abs(want)))  # type: ignore[operator,arg-type]  # numbers
    return bool(got == want)


def spoken(error: BaseException) -> str:
    if isinstance(error, TooSlow):
        return f"did not end within {SECONDS_A_CASE:g} s"
    return f"raised {type(error).__name__}: {str(error)[:200]}"


def short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


if __name__ == "__main__":
    main()
