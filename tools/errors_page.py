"""Print docs/errors.md from the error classes."""

from __future__ import annotations

import inspect
import sys

from bottega import errors

MEANING = {
    0: "done",
    1: "the gate failed",
    2: "usage, settings or input",
    3: "model or I/O",
    4: "incomplete",
    130: "interrupted",
}


def page() -> str:
    lines = [
        "# Errors",
        "",
        "*Made from `src/bottega/errors.py` by `tools/errors_page.py`; a test refuses drift.*",
        "",
        "Every expected failure prints one message and a hint, and ends with its exit code. Anything else is a bug and",
        "shows its traceback.",
    ]
    for name, kind in vars(errors).items():
        if kind is errors.Cancelled or (inspect.isclass(kind) and issubclass(kind, errors.BottegaError)):
            if kind is errors.BottegaError:
                continue
            text = inspect.cleandoc(kind.__doc__ or "") if kind.__doc__ != errors.BottegaError.__doc__ else ""
            code = f"Exit code {kind.exit_code} ({MEANING[kind.exit_code]})."
            lines += ["", f"## {name}", "", f"{text}\n\n{code}" if text else code]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
